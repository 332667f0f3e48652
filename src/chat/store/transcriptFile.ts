import { readLines, type Stretch } from './lines';
import { Mutex } from './mutex';
import type { Header, TranscriptRecord } from './record';
import { AppendError, type Storage } from './storage';

/** ms for which the chunks of a reply are gathered before they are written. */
const GATHER = 500;
/** ms between tries while the disk takes nothing. */
const RETRY = 5000;
/** Characters that wait in memory at most while the disk takes nothing. */
const MAX_WAITING = 32 * 1024 * 1024;

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
 * in order, and is tried again with the next record and every five seconds.
 */
export class TranscriptFile {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #events: TranscriptFileEvents;
  readonly #turns = new Set<string>();
  #waiting: (TranscriptRecord | Header)[] = [];
  #size = 0;
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
  knows(turnIds: Iterable<string>): void {
    for (const id of turnIds) this.#turns.add(id);
  }

  /** From this byte on, what others write is told. */
  followFrom(offset: number): void {
    this.#offset = offset;
  }

  /** Hands over a record to be written: chunks within half a second, all else at once. */
  append(record: TranscriptRecord): void {
    const last = this.#waiting.at(-1);
    const length = record.type === 'chunk' ? record.text.length : JSON.stringify(record).length;
    if (this.#size + length > MAX_WAITING) return;
    this.#size += length;
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

  async #write(): Promise<void> {
    // A new conversation's header alone makes no file.
    if (this.#waiting.length === (this.#new ? 1 : 0) && this.#failed === undefined) return;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    // Each begins with a newline, so that a last line that was torn never swallows the next.
    const lines = batch.map((record) => encoder.encode(`\n${JSON.stringify(record)}`));
    if (this.#new && lines[0]) lines[0] = lines[0].subarray(1);
    const bytes = concat(lines);
    const durable = this.#failed !== undefined || batch.some(mustLast);
    let size: number | undefined;
    try {
      await this.#checkVersion();
      // Where another window deleted the conversation, there is nothing to write to, and nothing to be told.
      size = (await this.#storage.append(this.#name, bytes, { durable, create: this.#new }))?.size;
    } catch (error) {
      this.#keep(batch, lines, error);
      return;
    }
    this.#new = false;
    if (size !== undefined) await this.#passOver(bytes, size);
    if (this.#failed === undefined) return;
    this.#failed = undefined;
    if (this.#waiting.length === 0) this.#events.onWriteRecovered();
  }

  /** A later version's file is never touched. */
  async #checkVersion(): Promise<void> {
    if (this.#checked) return;
    const start = await this.#storage.read(this.#name, 0, HEADER_BYTES);
    if (start && readLines(start, 0, false).future) throw new Error(`${this.#name} is of a later version`);
    this.#checked = true;
  }

  /** What is not on the disk waits before what came meanwhile; a line that is there in part is written again. */
  #keep(batch: (TranscriptRecord | Header)[], lines: readonly Uint8Array[], error: unknown): void {
    let written = error instanceof AppendError ? error.written : 0;
    if (written > 0) this.#new = false;
    const rest = lines.findIndex((line) => {
      written -= line.length;
      return written < 0;
    });
    this.#waiting = rest < 0 ? this.#waiting : [...batch.slice(rest), ...this.#waiting];
    this.#size = this.#waiting.reduce((size, record) => size + JSON.stringify(record).length, 0);
    const first = this.#failed === undefined;
    this.#failed = error;
    this.#timer ??= setTimeout(() => void this.#tryWrite(), RETRY);
    if (first) this.#events.onWriteFailed(error);
  }

  async #passOver(ours: Uint8Array, size: number): Promise<void> {
    if (this.#offset === undefined) return;
    if (this.#offset + ours.length === size) this.#offset = size;
    else {
      await this.#readOn(ours).catch(() => {
        // What others added is read when the conversation is opened again; what we wrote must not come back as theirs.
        this.#offset = size;
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
    const before = this.#take(readLines(bytes.subarray(0, Math.max(0, at)), from, true));
    const stretch = readLines(bytes.subarray(after), from + after, false);
    this.#offset = stretch.end;
    const records = [...before, ...this.#take(stretch)];
    if (records.length > 0) this.#events.onRecords(records);
  }

  #take({ records }: Stretch): readonly TranscriptRecord[] {
    this.knows(records.flatMap((record) => (record.type === 'turn' ? [record.turn.id] : [])));
    return records;
  }
}

/** What the person said, and how a reply ended, are worth waiting for the disk. */
function mustLast(record: TranscriptRecord | Header): boolean {
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
