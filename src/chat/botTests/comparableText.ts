import { foldText } from '../../shared/text/searchText';

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛‹›′]/g, "'"],
  [/[\u2010-\u2015\u2212]/g, '-'],
  // Markdown's emphasis, code and escapes: a bot writes "**30** days" one day and "30 days" the next.
  [/[*_`~\\]/g, ''],
  // The joiners and selectors of emoji, and other characters that can't be seen.
  [/\p{Default_Ignorable_Code_Point}/gu, ''],
  [/\s+/g, ' '],
];

/**
 * Returns a text in the form in which phrases and replies are compared: without differences of case, accents, white space,
 * kinds of quotation marks and dashes, and Markdown's emphasis.
 */
export function toComparableText(text: string): string {
  return REPLACED.reduce((result, [from, to]) => result.replace(from, to), foldText(text)).trim();
}

/**
 * Returns whether a text has a phrase, both in comparable form. A number isn't found within a longer one: "5 days" isn't in
 * "15 days" or "1.5 days".
 */
export function includesPhrase(text: string, phrase: string): boolean {
  const beginsWithDigit = isDigit(phrase, 0);
  const endsWithDigit = isDigit(phrase, phrase.length - 1);
  for (let start = text.indexOf(phrase); start >= 0; start = text.indexOf(phrase, start + 1)) {
    const end = start + phrase.length;
    const isCutBefore =
      beginsWithDigit &&
      (isDigit(text, start - 1) || (isSeparator(text, start - 1) && isDigit(text, start - 2)));
    const isCutAfter =
      endsWithDigit && (isDigit(text, end) || (isSeparator(text, end) && isDigit(text, end + 1)));
    if (!isCutBefore && !isCutAfter) return true;
  }
  return false;
}

function isDigit(text: string, index: number): boolean {
  return /^\p{Nd}$/u.test(text.charAt(index));
}

/** Returns whether a character can be within a number. */
function isSeparator(text: string, index: number): boolean {
  return text.charAt(index) === '.' || text.charAt(index) === ',';
}
