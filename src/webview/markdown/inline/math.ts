import { NEED_MORE, type NeedMore } from '../base/needMore';
import type { Scanned } from './linkScan';

/** What a formula stands between. */
export type MathMark = '$' | '$$' | '\\(' | '\\[';

export const MATH_ENDS: Readonly<Record<MathMark, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' };
/** How far away (characters) the end may be: a text without one is settled from there on. */
const REACH: Readonly<Record<MathMark, number>> = { $: 500, $$: 10_000, '\\(': 500, '\\[': 10_000 };
/** How long (characters) what may be a formula is shown as one before its end has come. */
const SHOWN_REACH = 300;

/** What formulas have and prose hardly. */
const SIGN = /\\[A-Za-z,;!{|]|[\^_={}<>+]/;
const LONG_WORD = /\p{L}{3}/u;
/** Scripts that are written without spaces leave none around a formula. */
const WORD = '(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}])[\\p{L}\\p{N}]';
const WORD_HERE = new RegExp(WORD, 'uy');
const WORD_END = new RegExp(`${WORD}$`, 'u');
/** What may stand directly after a formula though it is a letter: the $n$th, all $x$s. */
const ORDINAL = new RegExp(`(?:th|st|nd|rd|s)(?!${WORD})`, 'uy');
const ORDINAL_START = /^(?:t|th|s|st|n|nd|r|rd)$/;

/** The mark of a formula that may begin here. */
export function mathMark(text: string, position: number): MathMark | undefined {
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
 * The formula between `mark` here and its end: its source, the marks included. A dollar is one only where that is
 * no price and no variable of a shell, an escaped bracket only around what is unmistakable.
 */
export function scanFormula(
  text: string,
  position: number,
  mark: MathMark,
  open: boolean,
): Scanned<string> | NeedMore | undefined {
  const start = position + mark.length;
  if (mark === '$' && /\s/.test(text.charAt(start))) return undefined;
  const limit = Math.min(text.length, start + REACH[mark]);
  const close = MATH_ENDS[mark];
  let at = start;
  for (; at < limit && !text.startsWith(close, at); at++) {
    // Another beginning before the end: the first was none.
    if (text.startsWith(mark, at) || (mark === '$' && text[at] === '`')) return undefined;
    if (text[at] === '\\') at++;
  }
  if (at >= limit) return open && limit === text.length ? NEED_MORE : undefined;
  const end = at + close.length;
  const tex = text.slice(start, at);
  if (tex.trim() === '' || !isFormula(tex, mark)) return undefined;
  if (mark === '$') {
    const follows = mayFollow(text, end, tex, open);
    if (follows !== true) return follows || undefined;
  }
  return { value: text.slice(position, end), end };
}

/** Whether what has come of a text after a mark is shown as the source of a formula. */
export function looksLikeFormula(tex: string, mark: MathMark): boolean {
  if (!SIGN.test(tex) || !isFormula(tex, mark)) return false;
  return mark === '$$' || mark === '\\[' || (tex.length < SHOWN_REACH && !tex.includes('\n'));
}

export function isDisplay(source: string): boolean {
  return source.startsWith('$$') || source.startsWith('\\[');
}

/** The formula without its marks. */
export function getTex(source: string): string {
  const length = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
  return source.slice(length, -length).trim();
}

/** Whether a line begins a formula for display that lines below it go on. */
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
  // Three words in a row, or an amount and a word, stand between two dollars of prose.
  if (/(?:\s\p{L}{2,}){3}/u.test(tex)) return false;
  return SIGN.test(tex) || !/^\d[\d.,]*\s+\p{L}{2,}/u.test(tex);
}

/** Whether a dollar that ends here ends a formula, by what is on both sides of it. */
function mayFollow(text: string, end: number, tex: string, open: boolean): boolean | NeedMore {
  if (/\s$/.test(tex)) return false;
  const after = text.slice(end, end + 3);
  if (open && (after === '' || (end + after.length === text.length && ORDINAL_START.test(after)))) {
    return NEED_MORE;
  }
  // `$a$$b$`, `${A}/${B}` and `$(a)$(b)` are no formulas.
  if (after.startsWith('$') || (/^[({]/.test(tex) && after[0] === tex[0])) return false;
  ORDINAL.lastIndex = WORD_HERE.lastIndex = end;
  return !WORD_HERE.test(text) || ORDINAL.test(text);
}
