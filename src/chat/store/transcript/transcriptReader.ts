import type { Storage } from '../files/storage';
import { type Damage, parseLines, type Segment } from './parseLines';
import { Replay } from './replay';
import { WordFilter } from './wordFilter';

/** Bytes per read; other work runs between two reads. */
const BLOCK_BYTES = 1024 * 1024;
/** Size of the first read from the end, small so that the last turns show soon. */
const END_BLOCK_BYTES = 64 * 1024;

/** Reads a file's lines from a byte offset on, block by block. `settled`: no window is writing it. */
export async function* readForward(
  storage: Storage,
  name: string,
  from: number,
  to: number,
  settled: boolean,
): AsyncGenerator<Segment> {
  for (let blockBytes = BLOCK_BYTES; from < to; ) {
    const last = from + blockBytes >= to;
    const bytes = await storage.readFile(name, from, Math.min(to, from + blockBytes));
    if (!bytes) return;
    const segment = parseLines(bytes, from, settled && last);
    yield segment;
    if (last || segment.isNewerVersion) return;
    // The line is longer than the block.
    if (segment.end === from) blockBytes *= 2;
    from = segment.end;
  }
}

/** Reads a file to find out whether it may have a turn with all the words, which are folded. */
export async function mayContainWords(
  storage: Storage,
  name: string,
  size: number,
  words: readonly string[],
): Promise<boolean> {
  const filter = new WordFilter(words);
  const decoder = new TextDecoder();
  let rest = '';
  for (let from = 0; from < size && !filter.isDecided; from += BLOCK_BYTES) {
    const bytes = await storage.readFile(name, from, Math.min(size, from + BLOCK_BYTES));
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf('\n');
    filter.add(text.slice(0, Math.max(0, end)));
    rest = text.slice(end + 1);
  }
  filter.add(rest);
  return filter.isCandidate;
}

export interface FileEnd {
  readonly replay: Replay;
  /** Whether this is the whole file. */
  readonly whole: boolean;
  /** Byte offset up to which the file was read. */
  readonly end: number;
}

/**
 * Reads backwards from the end of a file of `size` bytes until it has at least `turns` turns, or the whole
 * file.
 */
export async function readEnd(
  storage: Storage,
  name: string,
  size: number,
  turns: number,
  settled: boolean,
): Promise<FileEnd | undefined> {
  for (let length = END_BLOCK_BYTES; ; length *= 2) {
    const from = Math.max(0, size - length);
    const bytes = await storage.readFile(name, from, size);
    if (!bytes) return;
    // The first line is probably incomplete.
    const start = from === 0 ? 0 : bytes.indexOf(10);
    if (start < 0) continue;
    const { records, end } = parseLines(bytes.subarray(start), from + start, settled);
    const replay = new Replay(from > 0).apply(records);
    if (from === 0 || replay.size >= turns) return { replay, whole: from === 0, end };
  }
}

/** Reads a whole file, or its beginning up to a byte offset. An incomplete last line counts as damage. */
export async function readWhole(
  storage: Storage,
  name: string,
  to?: number,
): Promise<{ readonly replay: Replay; readonly damage: readonly Damage[] }> {
  const size = to ?? (await storage.statFile(name))?.size ?? 0;
  const replay = new Replay();
  const damage: Damage[] = [];
  for await (const segment of readForward(storage, name, 0, size, true)) {
    replay.apply(segment.records);
    for (const part of segment.damage) damage.push(part);
  }
  return { replay, damage };
}
