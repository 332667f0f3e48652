interface Named {
  readonly name: string;
}

/**
 * Returns the items with names that have all characters of the query in order, ignoring case and spaces: first names
 * that start with it, then those with a word that does, then those that contain it; otherwise in their own order.
 */
export function fuzzyFilter<T extends Named>(items: readonly T[], query: string): readonly T[] {
  return items
    .map((item) => ({ item, rank: getRank(item.name, query) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const NO_MATCH = 4;

function getRank(name: string, query: string): number {
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
