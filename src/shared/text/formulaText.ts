import { NEED_MORE, type NeedMore } from './needMore';

// Finds the formulas in a Markdown text: in the page, and in an exported document.

/** The start mark of a formula. */
export type MathMark = '$' | '$$' | '\\(' | '\\[';

export const MATH_ENDS: Readonly<Record<MathMark, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' };
/** Maximum length of a display formula, in characters. */
const MAX_DISPLAY_LENGTH = 10_000;
/** Maximum length in characters: text without an end mark is settled after that. */
const MAX_LENGTH: Readonly<Record<MathMark, number>> = {
  $: 500,
  $$: MAX_DISPLAY_LENGTH,
  '\\(': 500,
  '\\[': MAX_DISPLAY_LENGTH,
};
/** Maximum length in characters at which an unfinished formula is shown as one. */
const MAX_UNFINISHED_LENGTH = 300;

/** Typical of formulas and rare in prose. */
const SIGN = /\\[A-Za-z,;!{|]|[\^_={}<>+]/;
const LONG_WORD = /\p{L}{3}/u;
// Scripts written without spaces don't have any around a formula.
const WORD = '(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}])[\\p{L}\\p{N}]';
const WORD_HERE = new RegExp(WORD, 'uy');
const WORD_END = new RegExp(`${WORD}$`, 'u');
/** Letters that may directly follow a formula: the $n$th, all $x$s. */
const ORDINAL = new RegExp(`(?:th|st|nd|rd|s)(?!${WORD})`, 'uy');
const ORDINAL_START = /^(?:t|th|s|st|n|nd|r|rd)$/;

/** Returns the mark of a formula that may start here. */
export function scanMathMark(text: string, position: number): MathMark | undefined {
  let mark: MathMark;
  if (text[position] === '$') {
    const run = /^\$+/.exec(text.slice(position, position + 3))?.[0];
    if (run !== '$' && run !== '$$') return undefined;
    mark = run;
  } else {
    const start = text.slice(position, position + 2);
    if (start !== '\\(' && start !== '\\[') return undefined;
    mark = start;
  }
  return WORD_END.test(text.slice(Math.max(0, position - 2), position)) ? undefined : mark;
}

/**
 * Scans the formula from `mark` to its end and returns its source with the marks. A dollar sign counts only if it isn't a
 * price or a shell variable, and an escaped bracket only around unmistakable math.
 */
export function scanFormula(
  text: string,
  position: number,
  mark: MathMark,
  open: boolean,
): { readonly value: string; readonly end: number } | NeedMore | undefined {
  const start = position + mark.length;
  if (mark === '$' && /\s/.test(text.charAt(start))) return undefined;
  const limit = Math.min(text.length, start + MAX_LENGTH[mark]);
  const close = MATH_ENDS[mark];
  let at = start;
  for (; at < limit && !text.startsWith(close, at); at++) {
    // A second start mark before the end: the first one wasn't a formula.
    if (text.startsWith(mark, at) || (mark === '$' && text[at] === '`')) return undefined;
    if (text[at] === '\\') at++;
  }
  if (at >= limit) return open && limit === text.length ? NEED_MORE : undefined;
  const end = at + close.length;
  const tex = text.slice(start, at);
  if (tex.trim() === '' || !isFormula(tex, mark)) return undefined;
  if (mark === '$') {
    const follows = canEndFormula(text, end, tex, open);
    if (follows !== true) return follows || undefined;
  }
  return { value: text.slice(position, end), end };
}

/** Returns whether unfinished text after a mark is shown as the source of a formula. */
export function looksLikeFormula(tex: string, mark: MathMark): boolean {
  if (!SIGN.test(tex) || !isFormula(tex, mark)) return false;
  return mark === '$$' || mark === '\\[' || (tex.length < MAX_UNFINISHED_LENGTH && !tex.includes('\n'));
}

export function isDisplay(source: string): boolean {
  return source.startsWith('$$') || source.startsWith('\\[');
}

/** Returns the formula without its marks. */
export function getTex(source: string): string {
  const length = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
  return source.slice(length, -length).trim();
}

/** Returns whether a line starts a display formula that continues on the next lines. */
export function opensDisplay(line: string): boolean {
  if (line.startsWith('$$')) return line[2] !== '$' && !line.includes('$$', 2);
  return line.startsWith('\\[') && !line.includes('\\]') && SIGN.test(line.slice(2));
}

export function closesDisplay(line: string): boolean {
  return line.includes('$$') || line.includes('\\]');
}

function isFormula(tex: string, mark: MathMark): boolean {
  if (mark === '\\[') return SIGN.test(tex);
  if (mark !== '$') return SIGN.test(tex) || !LONG_WORD.test(tex);
  if (/\\[A-Za-z]/.test(tex)) return true;
  // Three words in a row, or an amount and a word, are prose between two dollar signs.
  if (/(?:\s\p{L}{2,}){3}/u.test(tex)) return false;
  return SIGN.test(tex) || !/^\d[\d.,]*\s+\p{L}{2,}/u.test(tex);
}

/** Returns whether a dollar sign can end a formula, judging by both sides of it. */
function canEndFormula(text: string, end: number, tex: string, open: boolean): boolean | NeedMore {
  if (/\s$/.test(tex)) return false;
  const after = text.slice(end, end + 3);
  if (open && (after === '' || (end + after.length === text.length && ORDINAL_START.test(after)))) {
    return NEED_MORE;
  }
  // `$a$$b$`, `${A}/${B}` and `$(a)$(b)` aren't formulas.
  if (after.startsWith('$') || (/^[({]/.test(tex) && after[0] === tex[0])) return false;
  ORDINAL.lastIndex = WORD_HERE.lastIndex = end;
  return !WORD_HERE.test(text) || ORDINAL.test(text);
}
