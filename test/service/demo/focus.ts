import type { Passage } from './passages';
import { normalize, tokenize } from './terms';

const MAX_PASSAGE_LINES = 28;
const WINDOW_LINES = 20;
const LINES_BEFORE_HIT = 2;
const MAX_LINE_LENGTH = 700;

/**
 * Returns the part of a long passage of code that is most relevant to `words`. Prose and short passages are
 * returned unchanged.
 */
export function focus(passage: Passage, words: readonly string[]): Passage {
  const { document, startLine, endLine } = passage;
  if (!document.language || endLine - startLine < MAX_PASSAGE_LINES) return passage;
  const lines = document.lines.slice(startLine - 1, endLine);
  const hits = lines.map((line) => findHits(line, words));
  let best = 0;
  let most = -1;
  lines.forEach((_, index) => {
    const within = hits.slice(index, index + WINDOW_LINES);
    // Each word counts once more than its repetitions, so that a window with all words wins.
    const score = new Set(within.flat()).size * WINDOW_LINES + within.flat().length;
    if (hits[index]?.length && score > most) [best, most] = [index, score];
  });
  const first = Math.max(startLine + best - LINES_BEFORE_HIT, startLine);
  const last = Math.min(first + WINDOW_LINES - 1, endLine);
  return {
    ...passage,
    startLine: first,
    endLine: last,
    text: document.lines.slice(first - 1, last).join('\n'),
  };
}

/** Returns a line of prose or, if it is very long, its sentences around the first of `words`. */
export function excerpt(line: string, words: readonly string[]): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const sentences = line.match(/.+?(?:[.!?]+\s+|$)/gs) ?? [line];
  const found = Math.max(
    sentences.findIndex((sentence) => findHits(sentence, words).length > 0),
    0,
  );
  const first = Math.max(found - 1, 0);
  let text = '';
  for (const sentence of sentences.slice(first)) {
    if (text && text.length + sentence.length > MAX_LINE_LENGTH) break;
    text += sentence;
  }
  const shown = text.trim().slice(0, 2 * MAX_LINE_LENGTH);
  return `${first > 0 ? '… ' : ''}${shown}${line.trim().endsWith(shown) ? '' : ' …'}`;
}

function findHits(text: string, words: readonly string[]): string[] {
  const tokens = tokenize(text).map(normalize);
  return words
    .map(normalize)
    .filter((word) => tokens.some((token) => token === word || (word.length > 3 && token.startsWith(word))));
}
