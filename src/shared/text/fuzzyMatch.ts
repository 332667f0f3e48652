interface Named {
  readonly name: string;
}

/** The rank of a name that doesn't match. */
const NO_MATCH = 5;

/**
 * Returns the items with names that have all characters of the query in order, ignoring case and spaces: first names
 * that start with it, then those with a word that does, then those that contain it; otherwise in their own order.
 */
export function fuzzyFilter<T extends Named>(items: readonly T[], query: string): readonly T[] {
  return filterByRank(items, ({ name }) => getFuzzyRank(name, query));
}

/** Returns the items with a rank below `NO_MATCH`, sorted by rank; otherwise in their own order. */
export function filterByRank<T>(items: readonly T[], getRank: (item: T) => number): readonly T[] {
  return items
    .map((item) => ({ item, rank: getRank(item) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Returns how well a name matches a query: 0 is best. */
export function getFuzzyRank(name: string, query: string): number {
  const text = name.toLowerCase();
  const wanted = query.trim().toLowerCase();
  const at = text.indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) ? 1 : 2;
  let from = 0;
  for (const character of wanted.replace(/\s+/g, '')) {
    const found = text.indexOf(character, from);
    if (found < 0) return NO_MATCH;
    from = found + character.length;
  }
  return 3;
}

/**
 * Returns how well a name in a folder matches a query. One with a `/` is matched against the whole path; another one
 * against the name, and last against what the path contains.
 */
export function getPathRank(name: string, folder: string, query: string): number {
  const path = folder === '' ? name : `${folder}/${name}`;
  if (query.includes('/')) return getFuzzyRank(path, query);
  const rank = getFuzzyRank(name, query);
  if (rank < NO_MATCH) return rank;
  return folder.toLowerCase().includes(query.trim().toLowerCase()) ? 4 : NO_MATCH;
}
