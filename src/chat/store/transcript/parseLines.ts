import { type Header, type Line, parseLine, type TranscriptRecord } from '../../model/record';

/** An unreadable part of a file, in bytes; it stays in the file. */
export interface Damage {
  readonly offset: number;
  readonly length: number;
}

/** The contents of one segment of a conversation's file. */
export interface Segment {
  readonly records: readonly TranscriptRecord[];
  readonly header?: Header;
  /**
   * Whether it has the header of a newer format version: the file must be neither interpreted nor changed.
   */
  readonly isNewerVersion: boolean;
  readonly damage: readonly Damage[];
  /** Byte offset up to which the file was parsed: where an incomplete last line starts. */
  readonly end: number;
}

export const NEWLINE = 10;
const NUL = 0;
const decoder = new TextDecoder();

/**
 * Parses bytes that start a line at `offset` of a file. A complete last line needs no newline. An incomplete
 * one is damage if the file is `settled`; otherwise it is left for later, because a writer may still be
 * completing it.
 */
export function parseLines(bytes: Uint8Array, offset: number, settled: boolean): Segment {
  const records: TranscriptRecord[] = [];
  const damage: Damage[] = [];
  let header: Header | undefined;
  let isNewerVersion = false;
  let end = offset;

  const addLine = (line: Line) => {
    if (line.kind === 'record') records.push(line.record);
    else if (line.kind === 'header') header ??= line.header;
    else isNewerVersion = true;
  };
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const stop = newline < 0 ? bytes.length : newline;
    const next = newline < 0 ? stop : newline + 1;
    const line = stop > start ? parseLine(decoder.decode(bytes.subarray(start, stop))) : undefined;
    if (line) addLine(line);
    else if (stop > start) {
      if (newline < 0 && !settled) break;
      if (!isRepeated(bytes, start, stop)) {
        for (const recovered of parseBetweenNuls(bytes, start, stop)) addLine(recovered);
        damage.push({ offset: offset + start, length: stop - start });
      }
    }
    start = next;
    end = offset + next;
  }
  return { records, ...(header && { header }), isNewerVersion, damage, end };
}

/**
 * Returns whether a write was cut off and repeated: the next line starts with these bytes, so nothing is
 * lost.
 */
function isRepeated(bytes: Uint8Array, start: number, stop: number): boolean {
  const length = stop - start;
  if (stop + 1 + length > bytes.length) return false;
  for (let index = 0; index < length; index++) {
    if (bytes[start + index] !== bytes[stop + 1 + index]) return false;
  }
  return true;
}

/** Yields the complete lines between NULs: a power loss may replace bytes with NULs, including newlines. */
function* parseBetweenNuls(bytes: Uint8Array, start: number, stop: number): Generator<Line> {
  if (!bytes.subarray(start, stop).includes(NUL)) return;
  for (const part of decoder.decode(bytes.subarray(start, stop)).split(/\0+/)) {
    const line = part === '' ? undefined : parseLine(part);
    if (line) yield line;
  }
}
