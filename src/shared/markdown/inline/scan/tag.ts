import { matchAt, type Scanned } from './linkScan';

/** The elements that a tag creates. Raw HTML is text, also these tags with an attribute. */
const TAG_NAMES = ['sub', 'sup', 'kbd', 'mark', 'u', 'ins', 'del', 'details', 'summary'] as const;
export type TagName = (typeof TAG_NAMES)[number];

export interface Tag {
  readonly name: TagName | 'br';
  readonly closes: boolean;
}

const TAG = new RegExp(`<(?:(/?)(${TAG_NAMES.join('|')})|br ?/?)>`, 'iy');
const UNSAFE_COMMENT = /^-?>|<!--|--!>|<!-$/;
/** In characters. A longer comment is text, so a missing end hides no more than that. */
export const MAX_COMMENT_LENGTH = 10_000;

/** Scans a tag without attributes. The element is named by the list above, never by the text. */
export function scanTag(text: string, position: number): Scanned<Tag> | undefined {
  const match = matchAt(TAG, text, position);
  if (!match) return undefined;
  const [source, slash, written] = match;
  const name = TAG_NAMES.find((known) => known === written?.toLowerCase()) ?? 'br';
  return { value: { name, closes: slash === '/' }, end: position + source.length };
}

/**
 * Returns the content of a comment from its source. One that HTML would end elsewhere is text: copied as HTML, its
 * content could become elements.
 */
export function parseComment(source: string): string | undefined {
  if (!source.startsWith('<!--') || source.length < 7 || source.length > MAX_COMMENT_LENGTH) return undefined;
  const content = source.slice(4, -3);
  return UNSAFE_COMMENT.test(content) ? undefined : content;
}
