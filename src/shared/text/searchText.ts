import { normalizeText } from './normalizeText';

/** Word search shared by the host and the page. It ignores case and accents, so that `uber` finds `Über`. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const NON_ASCII = /[\x80-\uffff]+/g;
const ACCENTS = /[\u0300-\u036f]/g;

/** Removes case, accents and compatibility forms. Folding a text piece by piece gives the same result. */
export function foldText(text: string): string {
  // Most text is ASCII, which has no accents.
  if (ASCII.test(text)) return text.toLowerCase();
  // Normalizing is slow. A final sigma has a lowercase form of its own.
  const plain = text.replace(NON_ASCII, (part) => normalizeText(part, 'NFKD').replace(ACCENTS, ''));
  return plain.toLowerCase().replaceAll('ς', 'σ');
}

/** Returns the distinct folded words of a query. */
export function parseSearchWords(query: string): string[] {
  return [...new Set(foldText(query).split(/\s+/))].filter((word) => word !== '');
}

/** Finds folded words in a text, in order and without overlap: start and end in code units. */
export function* findWords(text: string, words: readonly string[]): Generator<[start: number, end: number]> {
  let folded = '';
  /** For each code unit of the folded text, the offset in the original text. */
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const piece = foldText(character);
    for (let unit = 0; unit < piece.length; unit++) starts.push(at);
    folded += piece;
    at += character.length;
  }
  starts.push(at);
  const nextStarts = words.map(() => -1);
  for (let next = findFirst(folded, words, 0, nextStarts); next; ) {
    // A character may fold to several: the match covers all of it.
    let unit = next.end;
    while (starts[unit] === starts[next.end - 1]) unit++;
    yield [starts[next.start] ?? at, starts[unit] ?? at];
    next = findFirst(folded, words, next.end, nextStarts);
  }
}

/**
 * Finds the first occurrence of a word from an offset on; the longest word wins if several start there. `nextStarts` keeps
 * where each word is found next, so that the text is searched once for each word, however often the others occur.
 */
function findFirst(
  folded: string,
  words: readonly string[],
  from: number,
  nextStarts: number[],
): { start: number; end: number } | undefined {
  let first: { start: number; end: number } | undefined;
  for (const [index, word] of words.entries()) {
    let start = nextStarts[index] ?? -1;
    if (start < from) {
      const found = folded.indexOf(word, from);
      start = found < 0 ? Number.POSITIVE_INFINITY : found;
      nextStarts[index] = start;
    }
    if (start === Number.POSITIVE_INFINITY) continue;
    const end = start + word.length;
    if (!first || start < first.start || (start === first.start && end > first.end)) first = { start, end };
  }
  return first;
}
