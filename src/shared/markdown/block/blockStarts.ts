import { NEED_MORE, type NeedMore } from '../../text/needMore';
import type { LineCursor } from '../base/lineCursor';

export interface ListMarker {
  /** `-`, `+`, `*`, or the delimiter of a number, `.` or `)`: items with a different one start another list. */
  readonly mark: string;
  /** First number of an ordered list. */
  readonly start: number | undefined;
}

export interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

/** Reads `#` to `######`; returns the level or 0. The cursor is left at the heading's text. */
export function readHeadingStart(cursor: LineCursor): number | NeedMore {
  const marker = /^#{1,6}(?![^ \t])/.exec(cursor.trimmed)?.[0];
  if (marker === undefined) return 0;
  if (!cursor.complete && cursor.next + marker.length === cursor.line.length) return NEED_MORE;
  cursor.consume(marker.length);
  return marker.length;
}

export function readFenceStart(cursor: LineCursor): Fence | NeedMore | undefined {
  const { trimmed, complete, indent } = cursor;
  const run = /^(?:`+|~+)/.exec(trimmed)?.[0];
  if (run === undefined) return undefined;
  const info = trimmed.slice(run.length);
  const mark = run.charAt(0);
  if (!complete && (info === '' || (run.length >= 3 && !(mark === '`' && info.includes('`')))))
    return NEED_MORE;
  if (run.length < 3 || (mark === '`' && info.includes('`'))) return undefined;
  return { mark, length: run.length, indent, info: info.trim() };
}

/** Returns whether the line ends the fence. */
export function isFenceEnd(cursor: LineCursor, fence: Fence): boolean | NeedMore {
  if (cursor.indent >= 4 || cursor.line[cursor.next] !== fence.mark) return false;
  const { trimmed } = cursor;
  const run = /^(?:`+|~+)/.exec(trimmed)?.[0].length ?? 0;
  if (trimmed.slice(run).trim() !== '') return false;
  return cursor.complete ? run >= fence.length : NEED_MORE;
}

export function isThematicBreak(cursor: LineCursor): boolean | NeedMore {
  const { trimmed, complete } = cursor;
  if (!/^(?:[*\t ]+|[_\t ]+|[-\t ]+)$/.test(trimmed)) return false;
  if (!complete) return NEED_MORE;
  return /^\S[ \t]*\S[ \t]*\S/.test(trimmed);
}

/** Returns the level of the heading if the line underlines the paragraph above, otherwise 0. */
export function readSetextUnderline(cursor: LineCursor): number | NeedMore {
  const { trimmed, complete } = cursor;
  if (!/^(?:=+|-+)[ \t]*$/.test(trimmed)) return 0;
  if (!complete) return NEED_MORE;
  return trimmed.startsWith('=') ? 1 : 2;
}

/** Reads the marker of a list item; the cursor is left at its content, `width` columns from where it was. */
export function readListItemStart(
  cursor: LineCursor,
  interruptsParagraph: boolean,
): { marker: ListMarker; width: number } | NeedMore | undefined {
  const { trimmed, complete, indent } = cursor;
  const match = /^(?:[-+*]|(\d{1,9})([.)]?))/.exec(trimmed);
  if (!match) return undefined;
  const [marker, digits, delimiter] = match;
  const after = trimmed.slice(marker.length);
  if (!complete && after.trim() === '') return NEED_MORE;
  if (delimiter === '' || !/^(?:[ \t]|$)/.test(after)) return undefined;
  const start = digits === undefined ? undefined : Number(digits);
  const empty = after.trim() === '';
  if (interruptsParagraph && (empty || (start !== undefined && start !== 1))) return undefined;
  cursor.consume(marker.length);
  // Content indented by five columns or more is code, which starts one column after the marker.
  const padding = empty || cursor.indent > 4 ? 1 : cursor.indent;
  cursor.advance(padding);
  return { marker: { mark: delimiter ?? marker, start }, width: indent + marker.length + padding };
}
