import { type Header, type Line, parseLine, type TranscriptRecord } from '../model/record';

/** A part of a file that could not be read; it stays where it is. Bytes. */
export interface Damage {
  readonly offset: number;
  readonly length: number;
}

/** What a stretch of a conversation's file says. */
export interface Segment {
  readonly records: readonly TranscriptRecord[];
  readonly header?: Header;
  /** It begins with the header of a later version of the format: nothing of it is to be understood, or changed. */
  readonly future: boolean;
  readonly damage: readonly Damage[];
  /** Up to where the file was understood: the beginning of a last line that isn't whole yet. */
  readonly end: number;
}

const NEWLINE = 10;
const NUL = 0;
const decoder = new TextDecoder();

/**
 * Reads bytes that stand at `offset` of a file and begin with a line. A last line without a newline is read where it is whole;
 * where it isn't, it is damage if the file is `settled`, and left for later if somebody may still be writing it.
 */
export function parseLines(bytes: Uint8Array, offset: number, settled: boolean): Segment {
  const records: TranscriptRecord[] = [];
  const damage: Damage[] = [];
  let header: Header | undefined;
  let future = false;
  let end = offset;

  const take = (line: Line) => {
    if (line.kind === 'record') records.push(line.record);
    else if (line.kind === 'header') header ??= line.header;
    else future = true;
  };
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const stop = newline < 0 ? bytes.length : newline;
    const next = newline < 0 ? stop : newline + 1;
    const line = stop > start ? parseLine(decoder.decode(bytes.subarray(start, stop))) : undefined;
    if (line) take(line);
    else if (stop > start) {
      if (newline < 0 && !settled) break;
      if (!isRepeated(bytes, start, stop)) {
        for (const saved of betweenNuls(bytes, start, stop)) take(saved);
        damage.push({ offset: offset + start, length: stop - start });
      }
    }
    start = next;
    end = offset + next;
  }
  return { records, ...(header && { header }), future, damage, end };
}

/** A write that broke off and was made again: the next line begins with all that is here. Nothing is missing, then. */
function isRepeated(bytes: Uint8Array, start: number, stop: number): boolean {
  const length = stop - start;
  if (stop + 1 + length > bytes.length) return false;
  for (let index = 0; index < length; index++) {
    if (bytes[start + index] !== bytes[stop + 1 + index]) return false;
  }
  return true;
}

/** A loss of power may leave NULs where bytes had been, newlines too: what is whole between them is a line. */
function* betweenNuls(bytes: Uint8Array, start: number, stop: number): Generator<Line> {
  if (!bytes.subarray(start, stop).includes(NUL)) return;
  for (const part of decoder.decode(bytes.subarray(start, stop)).split(/\0+/)) {
    const line = part === '' ? undefined : parseLine(part);
    if (line) yield line;
  }
}
