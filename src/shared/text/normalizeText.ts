/**
 * More combining marks than a letter has in any language: putting so many in order takes quadratic time. Longer runs match
 * piece by piece, because one match of millions of characters overflows the stack of the expression.
 */
const MANY_MARKS = /(\p{M}{32,4096})/u;

/** Normalizes a text to this form of Unicode, but doesn't change the order of many combining marks in a row. */
export function normalizeText(text: string, form: 'NFC' | 'NFKD' = 'NFC'): string {
  if (!MANY_MARKS.test(text)) return text.normalize(form);
  // Each second part is what the expression matches.
  const parts = text.split(MANY_MARKS);
  return parts
    .map((part, index) =>
      index % 2 === 0 ? part.normalize(form) : Array.from(part, (mark) => mark.normalize(form)).join(''),
    )
    .join('');
}
