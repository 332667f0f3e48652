import { NEED_MORE, type NeedMore } from '../../../text/needMore';
import { decodeReference } from './characterReference';

/** A value found in the text, and its end. */
export interface Scanned<T> {
  readonly value: T;
  readonly end: number;
}

export interface LinkTarget {
  readonly destination: string;
  readonly title: string | undefined;
  /** Characters left for the uses of all references in a text. Undefined for what has only one use. */
  readonly room?: { left: number };
}

const ESCAPABLE = '[!"#$%&\'()*+,./:;<=>?@[\\\\\\]^_`{|}~-]';
const ENTITY = '&(?:#x[a-f0-9]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,31});';
const ESCAPE_OR_ENTITY = new RegExp(`\\\\${ESCAPABLE}|${ENTITY}`, 'gi');
const ENTITY_HERE = new RegExp(ENTITY, 'iy');
const SPACES = /[ \t]*(?:\n[ \t]*)?/y;
/** In characters, with the brackets. */
const MAX_LABEL_LENGTH = 1001;
/** The marks around a title. */
const TITLE_ENDS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' };

/** Limit for nested parentheses in a destination. */
const MAX_PARENTHESES = 32;

/** Runs a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/**
 * Returns the position of the first of these characters that isn't escaped by a backslash; `limit` or more if there is none
 * before it. A regular expression that repeats a group would overflow the stack over several MB.
 */
function findUnescaped(text: string, from: number, characters: string, limit = text.length): number {
  let at = from;
  while (at < limit && at < text.length && !characters.includes(text.charAt(at)))
    at += text[at] === '\\' ? 2 : 1;
  return at;
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
  if (text[position] !== '[') return undefined;
  const limit = position + MAX_LABEL_LENGTH;
  const end = findUnescaped(text, position + 1, '[]', limit);
  if (end >= limit) return undefined;
  if (text[end] === ']') return { value: text.slice(position + 1, end), end: end + 1 };
  return open && end >= text.length ? NEED_MORE : undefined;
}

/** Scans a link's destination, unescaped and encoded. */
export function scanDestination(
  text: string,
  position: number,
  open: boolean,
): Scanned<string> | NeedMore | undefined {
  if (text[position] === '<') {
    const end = findUnescaped(text, position + 1, '<>\n');
    const value = text.slice(position + 1, end);
    // A line break can't be escaped.
    if (value.includes('\n')) return undefined;
    if (text[end] === '>') return { value: encodeUri(unescapeText(value)), end: end + 1 };
    return open && end >= text.length ? NEED_MORE : undefined;
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
  const close = TITLE_ENDS[text.charAt(position)];
  if (close === undefined) return undefined;
  const end = findUnescaped(text, position + 1, close === ')' ? '()' : close);
  if (text[end] === close) return { value: unescapeText(text.slice(position + 1, end)), end: end + 1 };
  return open && end >= text.length ? NEED_MORE : undefined;
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
