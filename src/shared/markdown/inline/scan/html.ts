import { NEED_MORE, type NeedMore } from '../../../text/needMore';
import type { LineCursor } from '../../base/lineCursor';
import { matchAt } from './linkScan';
import { scanTag } from './tag';

const HTML_STARTS: readonly RegExp[] = [
  /^<(?:script|pre|textarea|style)(?:[\s>]|$)/i,
  /^<!--/,
  /^<\?/,
  /^<![A-Za-z]/,
  /^<!\[CDATA\[/,
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i,
];
const HTML_ENDS = [/<\/(?:script|pre|textarea|style)>/i, /-->/, /\?>/, />/, /\]\]>/];

// Attributes are limited: a repeated group over several MB overflows the stack.
const TAG =
  /<(?:[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?){0,1000}\s*\/?|\/[A-Za-z][A-Za-z0-9-]*\s*)>/;
/** Text that may become a tag with more text. */
const TAG_PREFIX =
  /<(?:[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?){0,1000}(?:\s+[A-Za-z_:][\w.:-]*\s*=\s*(?:'[^']*|"[^"]*)?|\s*\/?)|\/(?:[A-Za-z][A-Za-z0-9-]*\s*)?)$/;
const WHOLE_TAG = new RegExp(`^(?:${TAG.source})`);
const WHOLE_TAG_PREFIX = new RegExp(`^(?:${TAG_PREFIX.source})`);
const TAG_HERE = new RegExp(TAG.source, 'y');
const TAG_PREFIX_HERE = new RegExp(TAG_PREFIX.source, 'y');
/** Comment, processing instruction, CDATA and declaration, each with its end. */
const DECLARATIONS: readonly (readonly [start: RegExp, end: string])[] = [
  [/<!--/y, '-->'],
  [/<\?/y, '?>'],
  [/<!\[CDATA\[/y, ']]>'],
  [/<![A-Za-z]/y, '>'],
];

/** Returns how the HTML block that starts here ends: at a pattern, or at a blank line for `blank`. */
export function readHtmlStart(
  cursor: LineCursor,
  afterParagraph: boolean,
): RegExp | 'blank' | NeedMore | undefined {
  const { trimmed, complete } = cursor;
  if (!trimmed.startsWith('<')) return undefined;
  // A name or the start of a declaration may continue.
  if (!complete && /^<(?:[/!?]?[A-Za-z0-9-]*|!-|!\[[A-Z]*)\/?$/.test(trimmed)) return NEED_MORE;
  // A known tag is part of a paragraph, except for an end tag that nothing comes before.
  const tag = scanTag(trimmed, 0)?.value;
  if (tag && (!tag.closes || afterParagraph)) return undefined;
  const kind = HTML_STARTS.findIndex((start) => start.test(trimmed));
  if (kind >= 0) return HTML_ENDS[kind] ?? 'blank';
  if (afterParagraph) return undefined;
  const whole = WHOLE_TAG.exec(trimmed)?.[0];
  if (whole !== undefined) {
    if (trimmed.slice(whole.length).trim() !== '') return undefined;
    return complete ? 'blank' : NEED_MORE;
  }
  return !complete && WHOLE_TAG_PREFIX.test(trimmed) ? NEED_MORE : undefined;
}

/**
 * Returns the end of the tag, comment or declaration that starts here. `missing` collects the ends that don't occur in
 * the rest of the text, so that no part of it is searched twice.
 */
export function scanRawHtml(
  text: string,
  position: number,
  open: boolean,
  missing: Set<string>,
): number | NeedMore | undefined {
  const tag = matchAt(TAG_HERE, text, position)?.[0];
  if (tag !== undefined) return position + tag.length;
  const end = DECLARATIONS.find(([start]) => matchAt(start, text, position))?.[1];
  if (end === undefined) return open && matchAt(TAG_PREFIX_HERE, text, position) ? NEED_MORE : undefined;
  const found = missing.has(end) ? -1 : text.indexOf(end, position + 2);
  if (found >= 0) return found + end.length;
  missing.add(end);
  return open ? NEED_MORE : undefined;
}
