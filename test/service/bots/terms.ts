const stopWords = new Set(
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

/** Words and identifiers as they stand. */
export function rawWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+(?:['’]\p{L}+)?/gu) ?? [];
}

/** What is indexed for a text: whole words, and the parts of `camelCase` and `snake_case`. */
export function tokenize(text: string): string[] {
  return rawWords(text).flatMap((word) => {
    const parts = word
      .split(/_+|\$+|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
      .filter(Boolean);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** Folds case and the plural, for documents and questions alike. */
export function normalize(word: string): string {
  const lower = word.toLowerCase().replace(/['’]\p{L}+$/u, '');
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  return lower.length > 3 && /[^siu]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** The words of a question that say what it is about, as they stand, each once. */
export function contentWords(question: string): string[] {
  const seen = new Set<string>();
  return rawWords(question).filter((word) => {
    const folded = word.toLowerCase().replace(/['’]\p{L}+$/u, '');
    if (stopWords.has(folded) || seen.has(folded) || (folded.length < 2 && !/\p{N}/u.test(folded)))
      return false;
    seen.add(folded);
    return true;
  });
}
