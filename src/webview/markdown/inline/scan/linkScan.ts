import { NEED_MORE, type NeedMore } from '../../../../shared/text/needMore';
import { decodeReference } from './characterReference';

/** A value found in the text, and its end. */
export interface Scanned<T> {
  readonly value: T;
  readonly end: number;
}

export interface LinkTarget {
  readonly destination: string;
  readonly title: string | undefined;
}

const ESCAPABLE = '[!"#$%&\'()*+,./:;<=>?@[\\\\\\]^_`{|}~-]';
const ENTITY = '&(?:#x[a-f0-9]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,31});';
const ESCAPE_OR_ENTITY = new RegExp(`\\\\${ESCAPABLE}|${ENTITY}`, 'gi');
const ENTITY_HERE = new RegExp(ENTITY, 'iy');
const SPACES = /[ \t]*(?:\n[ \t]*)?/y;
const LABEL = /\[((?:[^\\[\]]|\\[\s\S])*)\]/y;
const LABEL_START = /\[(?:[^\\[\]]|\\[\s\S])*\\?$/y;
const TITLE = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|\(((?:[^()\\]|\\[\s\S])*)\)/y;
const TITLE_START = /"(?:[^"\\]|\\[\s\S])*\\?$|'(?:[^'\\]|\\[\s\S])*\\?$|\((?:[^()\\]|\\[\s\S])*\\?$/y;
const ANGLE_DESTINATION = /<((?:[^<>\n\\]|\\.)*)>/y;
const ANGLE_DESTINATION_START = /<(?:[^<>\n\\]|\\.)*\\?$/y;

/** Limit for nested parentheses in a destination. */
const MAX_PARENTHESES = 32;

/** Runs a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** Decodes a character reference such as `&amp;`; returns undefined if there is none. */
export function scanEntity(text: string, position: number): Scanned<string> | undefined {
  const entity = matchAt(ENTITY_HERE, text, position)?.[0];
  if (entity === undefined) return undefined;
  const value = decodeReference(entity);
  return value === undefined ? undefined : { value, end: position + entity.length };
}

/** Resolves backslash escapes and character references. */
export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(ESCAPE_OR_ENTITY, (match) =>
    match[0] === '\\' ? match.slice(1) : (decodeReference(match) ?? match),
  );
}

/** Percent-encodes characters that aren't valid in a URL, leaving escape sequences alone. */
export function encodeUri(uri: string): string {
  return uri
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/%(?![0-9a-fA-F]{2})|[^%\w;/?:@&=+$,\-.!~*'()#]/gu, encodeURIComponent);
}

/** Returns the start of the next word, at most one line break away. */
export function skipSpaces(text: string, position: number): number {
  return position + (matchAt(SPACES, text, position)?.[0].length ?? 0);
}

/** Scans a label in brackets. `open`: its end may still arrive. */
export function scanLabel(
  text: string,
  position: number,
  open: boolean,
): Scanned<string> | NeedMore | undefined {
  const match = matchAt(LABEL, text, position);
  if (match && match[0].length <= 1001) return { value: match[1] ?? '', end: position + match[0].length };
  return open && !match && matchAt(LABEL_START, text, position) ? NEED_MORE : undefined;
}

/** Scans a link's destination, unescaped and encoded. */
export function scanDestination(
  text: string,
  position: number,
  open: boolean,
): Scanned<string> | NeedMore | undefined {
  if (text[position] === '<') {
    const match = matchAt(ANGLE_DESTINATION, text, position);
    if (match) return { value: encodeUri(unescapeText(match[1] ?? '')), end: position + match[0].length };
    return open && matchAt(ANGLE_DESTINATION_START, text, position) ? NEED_MORE : undefined;
  }
  let end = position;
  let depth = 0;
  for (; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(end + 1))) end++;
    else if (character === '(' && ++depth > MAX_PARENTHESES) return undefined;
    else if (character === ')' && --depth < 0) break;
    else if (character <= ' ' || character === '\x7f') break;
  }
  if (open && end >= text.length) return NEED_MORE;
  if (depth > 0 || (end === position && text[end] !== ')')) return undefined;
  return { value: encodeUri(unescapeText(text.slice(position, end))), end };
}

/** Scans a link's title in quotes or parentheses. */
export function scanTitle(
  text: string,
  position: number,
  open: boolean,
): Scanned<string> | NeedMore | undefined {
  const match = matchAt(TITLE, text, position);
  if (match) {
    return { value: unescapeText(match[1] ?? match[2] ?? match[3] ?? ''), end: position + match[0].length };
  }
  return open && matchAt(TITLE_START, text, position) ? NEED_MORE : undefined;
}

/** Scans a link's target in parentheses: `(destination "title")`. */
export function scanInlineTarget(
  text: string,
  position: number,
  open: boolean,
): Scanned<LinkTarget> | NeedMore | undefined {
  if (text[position] !== '(') return undefined;
  const destination = scanDestination(text, skipSpaces(text, position + 1), open);
  if (typeof destination !== 'object') return destination;
  const start = skipSpaces(text, destination.end);
  let title: Scanned<string> | NeedMore | undefined;
  if (start > destination.end) title = scanTitle(text, start, open);
  if (title === NEED_MORE) return NEED_MORE;
  const end = skipSpaces(text, title?.end ?? start);
  if (text[end] === ')')
    return { value: { destination: destination.value, title: title?.value }, end: end + 1 };
  return open && end >= text.length ? NEED_MORE : undefined;
}
