import { trimEndCharacters } from '../../shared/trimEnd';

/** A part of a message: prose, or the content of a code fence. */
export interface Passage {
  readonly kind: 'prose' | 'code';
  readonly text: string;
}

// Opening and closing fences are on lines of their own with equally many backticks; an unclosed one ends with the text.
const FENCE = /^(`{3,})[^`\n]*\n([\s\S]*?)(?:^\1[ \t]*$\n?|(?![\s\S]))/gm;

/** Splits a message by its code fences. It has no other markup: messages are shown as they were typed. */
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
