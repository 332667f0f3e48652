const STOP_WORDS = new Set(
  (
    'a about all also an and any are as at be been but by can could did do does done each everything explain ' +
    'describe find for from get give had has have help hers his how i if in into is it its just know let like ' +
    'list look many me mean means more most much my no not of off on one only or our out please say says see she should ' +
    'show so some tell than that the their them then there these they thing things this those to too up us use ' +
    'used uses using very was way we were what whats when where which who whom whose why will with work works ' +
    'would you your document documents file files upload uploaded line lines word code function method class ' +
    'type module defined declared called text section again hello hi thanks'
  ).split(' '),
);

/** Finds the words and identifiers of a text, unchanged. */
export function findWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+(?:['’]\p{L}+)?/gu) ?? [];
}

/** Returns the terms to index: whole words, and the parts of `camelCase` and `snake_case`. */
export function tokenize(text: string): string[] {
  return findWords(text).flatMap((word) => {
    const parts = word
      .split(/_+|\$+|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
      .filter(Boolean);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** Removes case and plural endings; used for documents and questions. */
export function normalize(word: string): string {
  const lower = word.toLowerCase().replace(/['’]\p{L}+$/u, '');
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  return lower.length > 3 && /[^siu]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** Returns the distinct words of a question that aren't stop words, unchanged. */
export function findContentWords(question: string): string[] {
  const seen = new Set<string>();
  return findWords(question).filter((word) => {
    const folded = word.toLowerCase().replace(/['’]\p{L}+$/u, '');
    if (STOP_WORDS.has(folded) || seen.has(folded) || (folded.length < 2 && !/\p{N}/u.test(folded)))
      return false;
    seen.add(folded);
    return true;
  });
}
