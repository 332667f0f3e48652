import { NEED_MORE, type NeedMore } from '../../text/needMore';
import type { LineCursor } from '../base/lineCursor';
import { readHtmlStart } from '../inline/scan/html';
import * as starts from './blockStarts';
import { readDetailsStart } from './details';
import { type DisplayMark, readMathStart } from './mathBlock';
import type { Paragraph } from './paragraph';
import { parseDelimiterRow, splitRow } from './table';

/** Blocks opened by a line: containers, and possibly a leaf other than a paragraph. */
export type Start =
  | { readonly kind: 'quote' }
  | { readonly kind: 'item'; readonly marker: starts.ListMarker; readonly width: number }
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'fence'; readonly fence: starts.Fence }
  | { readonly kind: 'math'; readonly mark: DisplayMark }
  | { readonly kind: 'details'; readonly summary: string | undefined }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'html'; readonly end: RegExp | 'blank' }
  | { readonly kind: 'underline'; readonly level: number }
  | { readonly kind: 'table'; readonly columns: NonNullable<ReturnType<typeof parseDelimiterRow>> }
  | { readonly kind: 'rule' }
  | { readonly kind: 'code' };

export function matchQuote(cursor: LineCursor): boolean | NeedMore {
  if (cursor.indent >= 4 || cursor.line[cursor.next] !== '>') return false;
  // A space after the mark is part of it.
  if (!cursor.complete && cursor.next + 1 === cursor.line.length) return NEED_MORE;
  cursor.consume(1);
  if (cursor.atSpace) cursor.advance(1);
  return true;
}

/** Reads what starts here, in the order in which starts are tried. */
export function readStart(
  cursor: LineCursor,
  paragraph: Paragraph | undefined,
  afterParagraph: boolean,
): Start | NeedMore | undefined {
  const mark = cursor.line.charAt(cursor.next);
  if (!/[>#`~<=*_+|:$\\\d-]/.test(mark)) return undefined;
  const quote = matchQuote(cursor);
  if (quote) return quote === NEED_MORE ? NEED_MORE : { kind: 'quote' };
  const level = starts.readHeadingStart(cursor);
  if (level) return level === NEED_MORE ? NEED_MORE : { kind: 'heading', level };
  const fence = starts.readFenceStart(cursor);
  if (fence) return fence === NEED_MORE ? NEED_MORE : { kind: 'fence', fence };
  const math = readMathStart(cursor);
  if (math) return math === NEED_MORE ? NEED_MORE : { kind: 'math', mark: math };
  const details = readDetailsStart(cursor);
  if (details) return details === NEED_MORE ? NEED_MORE : { kind: 'details', summary: details[1] };
  const end = readHtmlStart(cursor, afterParagraph);
  if (end) return end === NEED_MORE ? NEED_MORE : { kind: 'html', end };
  const underline = paragraph ? starts.readSetextUnderline(cursor) : 0;
  if (underline === NEED_MORE) return NEED_MORE;
  if (underline && paragraph?.holdsText) return { kind: 'underline', level: underline };
  const rule = starts.isThematicBreak(cursor);
  if (rule) return rule === NEED_MORE ? NEED_MORE : { kind: 'rule' };
  const item = starts.readListItemStart(cursor, paragraph !== undefined);
  if (item) return item === NEED_MORE ? NEED_MORE : { kind: 'item', ...item };
  // A line that underlines a heading can't be a delimiter row.
  return paragraph && !underline ? readDelimiterRow(cursor, paragraph) : undefined;
}

function readDelimiterRow(cursor: LineCursor, paragraph: Paragraph): Start | NeedMore | undefined {
  const { trimmed, complete } = cursor;
  if (!complete) return /^[|: \t-]*$/.test(trimmed) ? NEED_MORE : undefined;
  const columns = parseDelimiterRow(trimmed);
  if (columns?.length !== splitRow(paragraph.lastText).length) return undefined;
  return { kind: 'table', columns };
}
