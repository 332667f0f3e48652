import { trimEndCharacters } from '../../shared/trimEnd';

/** A stretch of a message: prose, or what stood between code fences. */
export interface Passage {
  readonly kind: 'prose' | 'code';
  readonly text: string;
}

// A fence opens and closes on lines of their own with as many backticks; a forgotten end runs to the last line.
const FENCE = /^(`{3,})[^`\n]*\n([\s\S]*?)(?:^\1[ \t]*$\n?|(?![\s\S]))/gm;

/** Splits a message by its code fences. Nothing else in it is markup: a person's words show as they were typed. */
export function splitFences(text: string): Passage[] {
  const passages: Passage[] = [];
  let end = 0;
  const prose = (to: number) => {
    const between = trimEndCharacters(text.slice(end, to).replace(/^\n+/, ''), '\n');
    if (between) passages.push({ kind: 'prose', text: between });
  };
  for (const match of text.matchAll(FENCE)) {
    prose(match.index);
    passages.push({ kind: 'code', text: (match[2] ?? '').replace(/\n$/, '') });
    end = match.index + match[0].length;
  }
  prose(text.length);
  return passages;
}
