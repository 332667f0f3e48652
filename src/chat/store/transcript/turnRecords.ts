import { TimeSlice } from '../../base/timeSlice';
import { parseLine, type TranscriptRecord } from '../../model/record';

/** Bytes per read; a longer line is read as a whole. */
const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 10;
/** Most of a transcript: the text of replies as it was streamed. */
const CHUNK_START = new TextEncoder().encode('{"type":"chunk"');
const decoder = new TextDecoder();

export interface TurnRecords {
  readonly records: readonly TranscriptRecord[];
  /** Byte offset up to which the file was read: a last line that isn’t whole yet comes after it. */
  readonly end: number;
}

/**
 * Reads what a transcript of `size` bytes has from a byte offset on, except the chunks of replies, which aren’t even decoded. Other work
 * runs every few milliseconds. Damaged lines are skipped; of a file by a newer version, nothing is returned.
 */
export async function* readTurnRecords(
  read: (from: number, to: number) => Promise<Uint8Array | undefined>,
  from: number,
  size: number,
): AsyncGenerator<TurnRecords> {
  const slice = new TimeSlice();
  for (let blockBytes = BLOCK_BYTES; from < size; ) {
    const to = Math.min(size, from + blockBytes);
    const bytes = await read(from, to);
    if (!bytes) return;
    slice.restart();
    const records: TranscriptRecord[] = [];
    let end = 0;
    while (end < bytes.length) {
      if (slice.isOver) await slice.rest();
      const newline = bytes.indexOf(NEWLINE, end);
      const isLast = newline < 0;
      const stop = isLast ? bytes.length : newline;
      if (isLast && to < size) break;
      if (startsWithChunk(bytes, end)) {
        if (isLast) break;
      } else if (stop > end) {
        const line = parseLine(decoder.decode(bytes.subarray(end, stop)));
        if (line?.kind === 'newerVersion') return;
        if (line?.kind === 'record') records.push(line.record);
        if (!line && isLast) break;
      }
      end = isLast ? stop : newline + 1;
    }
    from += end;
    yield { records, end: from };
    if (to === size) return;
    // The line is longer than the block.
    blockBytes = end === 0 ? blockBytes * 2 : BLOCK_BYTES;
  }
}

function startsWithChunk(bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < CHUNK_START.length; index++) {
    if (bytes[at + index] !== CHUNK_START[index]) return false;
  }
  return true;
}
