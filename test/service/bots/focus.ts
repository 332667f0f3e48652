import type { Passage } from './passages';
import { normalize, tokenize } from './terms';

const longestPassage = 28;
const windowLines = 20;
const linesBefore = 2;
const longestLine = 700;

/** The part of a long passage of code that says most about `words`; a short one, and prose, as it is. */
export function focus(passage: Passage, words: readonly string[]): Passage {
  const { document, startLine, endLine } = passage;
  if (!document.language || endLine - startLine < longestPassage) return passage;
  const lines = document.lines.slice(startLine - 1, endLine);
  const hits = lines.map((line) => hitsOf(line, words));
  let best = 0;
  let most = -1;
  lines.forEach((_, at) => {
    const within = hits.slice(at, at + windowLines);
    // Each word counts once more than its repetitions, so that a window with all words wins.
    const score = new Set(within.flat()).size * windowLines + within.flat().length;
    if (hits[at]?.length && score > most) [best, most] = [at, score];
  });
  const first = Math.max(startLine + best - linesBefore, startLine);
  const last = Math.min(first + windowLines - 1, endLine);
  return {
    ...passage,
    startLine: first,
    endLine: last,
    text: document.lines.slice(first - 1, last).join('\n'),
  };
}

/** A line of prose; of a very long one, the sentences around the first of `words`. */
export function excerpt(line: string, words: readonly string[]): string {
  if (line.length <= longestLine) return line;
  const sentences = line.match(/.+?(?:[.!?]+\s+|$)/gs) ?? [line];
  const found = Math.max(
    sentences.findIndex((sentence) => hitsOf(sentence, words).length > 0),
    0,
  );
  const first = Math.max(found - 1, 0);
  let text = '';
  for (const sentence of sentences.slice(first)) {
    if (text && text.length + sentence.length > longestLine) break;
    text += sentence;
  }
  const shown = text.trim().slice(0, 2 * longestLine);
  return `${first > 0 ? '… ' : ''}${shown}${line.trim().endsWith(shown) ? '' : ' …'}`;
}

function hitsOf(text: string, words: readonly string[]): string[] {
  const tokens = tokenize(text).map(normalize);
  return words
    .map(normalize)
    .filter((word) => tokens.some((token) => token === word || (word.length > 3 && token.startsWith(word))));
}
