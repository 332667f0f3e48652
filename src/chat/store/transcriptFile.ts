import { Mutex } from '../base/mutex';
import type { Header, TranscriptRecord } from '../model/record';
import { parseLines, type Segment } from './parseLines';
import { AppendError, type Storage } from './storage';

/** ms for which the chunks of a reply are gathered before they are written. */
const GATHER = 500;
/** ms between tries while the disk takes nothing. */
const RETRY = 5000;
/** Bytes of lines that are written at once, unless a single line is longer. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export interface TranscriptFileEvents {
  /** What another window wrote. */
  onRecords(records: readonly TranscriptRecord[]): void;
  /** Once, however often the disk refuses. */
  onWriteFailed(error: unknown): void;
  /** Everything that had waited is on the disk. */
  onWriteRecovered(): void;
}

/** The first line is shorter. */
const HEADER_BYTES = 4096;

const encoder = new TextEncoder();

/**
 * Writes one conversation's file, and follows what other windows add to it. What could not be written waits in memory,
 * in order, and is tried again with the next record and every five seconds. Nothing of it is ever dropped: the
 * conversation is in memory as well, so that it costs as much again at most.
 */
export class TranscriptFile {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #events: TranscriptFileEvents;
  readonly #turns = new Set<string>();
  #waiting: (TranscriptRecord | Header)[] = [];
  #new: boolean;
  #checked = false;
  #failed: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Up to where the file was read; undefined where nobody follows it. */
  #offset: number | undefined;
  /** Writing and following take turns, so that what we wrote is never taken for another window's. */
  readonly #mutex = new Mutex();

  /** `header`: of a conversation that has no file yet. It gets one with its first record. */
  constructor(storage: Storage, name: string, events: TranscriptFileEvents, header?: Header) {
    this.#storage = storage;
    this.#name = name;
    this.#events = events;
    this.#new = header !== undefined;
    if (header) {
      this.#waiting.push(header);
      this.#offset = 0;
    }
  }

  /** Says which turns the file has, as far as they were read. */
  addKnownTurns(turnIds: Iterable<string>): void {
    for (const id of turnIds) this.#turns.add(id);
  }

  /** From this byte on, what others write is told. */
  watchFrom(offset: number): void {
    this.#offset = offset;
  }

  /** Hands over a record to be written: chunks within half a second, all else at once. */
  append(record: TranscriptRecord): void {
    const last = this.#waiting.at(-1);
    if (record.type === 'chunk') {
      if (last && 'type' in last && last.type === 'chunk' && last.turnId === record.turnId) {
        this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + record.text };
      } else this.#waiting.push(record);
      this.#timer ??= setTimeout(() => void this.#tryWrite(), GATHER);
      return;
    }
    const replaces = record.type === 'turn' && this.#turns.has(record.turn.id);
    this.#waiting.push(replaces ? { ...record, replaces } : record);
    if (record.type === 'turn') this.#turns.add(record.turn.id);
    void this.#tryWrite();
  }

  /** Resolves once everything is on the disk, where endings and messages survive a loss of power; throws AppendError. */
  async flush(): Promise<void> {
    await this.#tryWrite();
    if (this.#failed !== undefined) throw this.#failed;
  }

  /** Reads what other windows wrote since the last time, and tells it. */
  follow(): Promise<void> {
    return this.#mutex.run(async () => {
      const info = await this.#storage.stat(this.#name);
      if (info && this.#offset !== undefined && info.size > this.#offset) await this.#readOn();
    });
  }

  /** Writes what waits; afterwards nothing is tried any more. */
  async dispose(): Promise<void> {
    await this.#tryWrite();
    clearTimeout(this.#timer);
  }

  #tryWrite(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#mutex.run(() => this.#write());
  }

  /** Writes what waits, in batches, unless the disk refuses. */
  async #write(): Promise<void> {
    // A new conversation's header alone makes no file.
    if (this.#waiting.length === (this.#new ? 1 : 0) && this.#failed === undefined) return;
    // Chunks that come meanwhile are gathered for the next time.
    let left = this.#waiting.length;
    do {
      const written = await this.#writeBatch();
      if (written === undefined) return;
      left -= written;
    } while (left > 0);
    if (this.#failed === undefined) return;
    this.#failed = undefined;
    this.#events.onWriteRecovered();
  }

  /** How many records were written, if only to make the last ones durable; undefined where the disk refuses. */
  async #writeBatch(): Promise<number | undefined> {
    const { batch, lines } = this.#takeBatch();
    const bytes = concat(lines);
    const durable = this.#failed !== undefined || batch.some(isDurable);
    let size: number | undefined;
    try {
      await this.#checkVersion();
      // Where another window deleted the conversation, there is nothing to write to, and nothing to be told.
      size = (await this.#storage.append(this.#name, bytes, { durable, create: this.#new }))?.size;
    } catch (error) {
      await this.#keep(batch, lines, error);
      return undefined;
    }
    this.#new = false;
    if (size !== undefined) await this.#skipOwnWrite(bytes, size);
    return batch.length;
  }

  /** Takes the first records that wait, and the lines that they make. */
  #takeBatch(): { readonly batch: (TranscriptRecord | Header)[]; readonly lines: Uint8Array[] } {
    const lines: Uint8Array[] = [];
    for (let bytes = 0; lines.length < this.#waiting.length && bytes < MAX_BATCH_BYTES; ) {
      // Each begins with a newline, so that a last line that was torn never swallows the next.
      const line = encoder.encode(`\n${JSON.stringify(this.#waiting[lines.length])}`);
      lines.push(this.#new && lines.length === 0 ? line.subarray(1) : line);
      bytes += line.length;
    }
    return { batch: this.#waiting.splice(0, lines.length), lines };
  }

  /** A later version's file is never touched. */
  async #checkVersion(): Promise<void> {
    if (this.#checked) return;
    const start = await this.#storage.read(this.#name, 0, HEADER_BYTES);
    if (start && parseLines(start, 0, false).future) throw new Error(`${this.#name} is of a later version`);
    this.#checked = true;
  }

  /** What is not on the disk waits before what came meanwhile; a line that is there in part is written again. */
  async #keep(
    batch: readonly (TranscriptRecord | Header)[],
    lines: readonly Uint8Array[],
    error: unknown,
  ): Promise<void> {
    const written = error instanceof AppendError ? error.written : 0;
    let left = written;
    const rest = lines.findIndex((line) => {
      left -= line.length;
      return left < 0;
    });
    if (rest >= 0) this.#waiting = [...batch.slice(rest), ...this.#waiting];
    const first = this.#failed === undefined;
    this.#failed = error;
    this.#timer ??= setTimeout(() => void this.#tryWrite(), RETRY);
    if (first) this.#events.onWriteFailed(error);
    if (written > 0) {
      this.#new = false;
      await this.#skipOwnWrite(concat(lines).subarray(0, written));
    }
  }

  /** Goes on behind what this window wrote. `size`: of the file since. */
  async #skipOwnWrite(ours: Uint8Array, size?: number): Promise<void> {
    if (this.#offset === undefined) return;
    const next = this.#offset + ours.length;
    if (next === size) this.#offset = next;
    else {
      await this.#readOn(ours).catch(() => {
        // What others added is read when the conversation is opened again; what we wrote must not come back as theirs.
        this.#offset = size ?? next;
      });
    }
  }

  /** Tells what was added to the file, except `ours`, which stands somewhere in it. */
  async #readOn(ours?: Uint8Array): Promise<void> {
    const from = this.#offset ?? 0;
    const bytes = await this.#storage.read(this.#name, from);
    if (!bytes) return;
    const at = ours ? indexOf(bytes, ours) : -1;
    const after = ours && at >= 0 ? at + ours.length : 0;
    const before = this.#take(parseLines(bytes.subarray(0, Math.max(0, at)), from, true));
    const stretch = parseLines(bytes.subarray(after), from + after, false);
    this.#offset = stretch.end;
    const records = [...before, ...this.#take(stretch)];
    if (records.length > 0) this.#events.onRecords(records);
  }

  #take({ records }: Segment): readonly TranscriptRecord[] {
    this.addKnownTurns(records.flatMap((record) => (record.type === 'turn' ? [record.turn.id] : [])));
    return records;
  }
}

/** What the person said, and how a reply ended, are worth waiting for the disk. */
function isDurable(record: TranscriptRecord | Header): boolean {
  if (!('type' in record)) return false;
  return record.type === 'ended' || (record.type === 'turn' && record.turn.kind === 'message');
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
