import { Mutex } from '../../base/mutex';
import { type Header, orderBefore, type Recall, type TranscriptRecord } from '../../model/record';
import { AppendError, type FileInfo, type Storage } from '../files/storage';
import { NEWLINE, parseLines, type Segment } from './parseLines';

/** Time for which chunks of a reply are collected before they are written. */
const CHUNK_DELAY_MS = 200;
/** Interval between retries while the disk can't be written. */
const RETRY_INTERVAL_MS = 5000;
/** Maximum size of one write, unless a single line is longer. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export interface TranscriptFileEvents {
  /** Called with what another window wrote. */
  onRecords(records: readonly TranscriptRecord[]): void;
  /** Called after each write, unless messages or endings still have to be written. */
  onTurnsSaved(): void;
  /** Called once, however often writing fails. */
  onWriteFailed(error: unknown): void;
  /** Called when all pending records are on disk. */
  onWriteRecovered(): void;
  /** Called after writing to the file of a deletion that can be undone. */
  onDeleted(): void;
  /** Called if the file is missing. Resolves to what returns it from memory; may throw file system errors. */
  recall(): Promise<Recall>;
  /** Returns whether the window is closing: nothing is retried any more. */
  isClosing(): boolean;
}

/** A single write of this window. */
interface OwnWrite {
  readonly records: readonly (TranscriptRecord | Header)[];
  readonly bytes: Uint8Array;
}

/** More than the length of the first line. */
const MAX_HEADER_BYTES = 4096;

const encoder = new TextEncoder();

/**
 * Writes one conversation's file and reads what other windows add to it. Records that can't be written stay
 * pending in memory, in order, and are retried with the next record and every five seconds. They are never
 * dropped: the conversation is in memory as well, so this at most doubles its cost.
 */
export class TranscriptFile {
  readonly #storage: Storage;
  readonly #name: string;
  /** The file's name while its deletion can be undone. */
  readonly #deletedName: string;
  readonly #events: TranscriptFileEvents;
  readonly #knownTurnIds = new Set<string>();
  #pending: (TranscriptRecord | Header)[] = [];
  /** How many of them are from a failed write. They are repeated unchanged, because part of it may have succeeded. */
  #restored = 0;
  #isNew: boolean;
  #wasTried = false;
  /** Whether a deletion was seen since the file was. */
  #isDeleted = false;
  #isVersionChecked = false;
  #lastError: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Byte offset up to which the file was read; undefined if it isn't watched. */
  #offset: number | undefined;
  /** What this window wrote after it, in order. */
  #ownWrites: OwnWrite[] = [];
  /** Serializes writing and reading, so that our own records are never taken for another window's. */
  readonly #mutex = new Mutex();

  /** `header` is for a conversation that has no file yet: the file is created with the first record. */
  constructor(
    storage: Storage,
    name: string,
    deletedName: string,
    events: TranscriptFileEvents,
    header?: Header,
  ) {
    this.#storage = storage;
    this.#name = name;
    this.#deletedName = deletedName;
    this.#events = events;
    this.#isNew = header !== undefined;
    if (header) {
      this.#pending.push(header);
      this.#offset = 0;
    }
  }

  /** Adds turns that are known to be in the file. */
  addKnownTurnIds(turnIds: Iterable<string>): void {
    for (const id of turnIds) this.#knownTurnIds.add(id);
  }

  /** Whether it was written, and changes are reported. */
  get isWatched(): boolean {
    return this.#offset !== undefined && !this.#isNew;
  }

  /** Starts reporting what other windows write from this byte offset on; resolves to the records that still wait for the disk. */
  startWatching(offset: number): Promise<readonly TranscriptRecord[]> {
    return this.#mutex.run(async () => {
      this.#watchFrom(offset);
      return this.#pending.filter((record) => 'type' in record);
    });
  }

  /** A file that is missing from now on isn't written again. One that was never written isn't the one that was deleted. */
  noteDeletion(): void {
    if (!this.#isNew || this.#wasTried) this.#isDeleted = true;
  }

  /** Stops reporting changes; what is pending is still written. */
  stopWatching(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#offset = undefined;
    });
  }

  /** Queues a record for writing: chunks within 200 ms, everything else at once. */
  appendRecord(record: TranscriptRecord): void {
    const last = this.#pending.at(-1);
    if (record.type === 'chunk') {
      const isFailed = this.#pending.length <= this.#restored;
      if (!isFailed && last && 'type' in last && last.type === 'chunk' && last.turnId === record.turnId) {
        this.#pending[this.#pending.length - 1] = { ...last, text: last.text + record.text };
      } else this.#pending.push(record);
      this.#timer ??= setTimeout(() => void this.#runWrite(), CHUNK_DELAY_MS);
      return;
    }
    const replaces = record.type === 'turn' && this.#knownTurnIds.has(record.turn.id);
    this.#pending.push(replaces ? { ...record, replaces } : record);
    if (record.type === 'turn') this.#knownTurnIds.add(record.turn.id);
    void this.#runWrite();
  }

  /**
   * Resolves once everything is on disk, with messages and endings safe from a power loss. Throws
   * AppendError.
   */
  async flush(): Promise<void> {
    await this.#runWrite();
    if (this.#lastError !== undefined) throw this.#lastError;
  }

  /** Reads and reports what other windows wrote since the last read. `found`: the file's state, if it was just read. */
  readChanges(found?: FileInfo): Promise<void> {
    return this.#mutex.run(async () => {
      const info = found ?? (await this.#storage.statFile(this.#name));
      if (info && this.#offset !== undefined && info.size > this.#offset) await this.#readAdditions();
    });
  }

  /** Writes pending records; after that nothing is retried. Throws AppendError. */
  async dispose(): Promise<void> {
    await this.flush().finally(() => clearTimeout(this.#timer));
  }

  #runWrite(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#mutex.run(() => this.#writePending());
  }

  /** Writes pending records in batches until a write fails. */
  async #writePending(): Promise<void> {
    // Don't create a file for the header alone.
    if (this.#pending.length === (this.#isNew ? 1 : 0) && this.#lastError === undefined) return;
    // Chunks that arrive in the meantime are left for the next write.
    let left = this.#pending.length;
    do {
      const written = await this.#writeBatch();
      if (written === undefined) return;
      // If the file was missing, it is written from its beginning.
      left = this.#isNew ? this.#pending.length : left - written;
    } while (left > 0);
    if (!this.#pending.some(isDurable)) this.#events.onTurnsSaved();
    if (this.#lastError === undefined) return;
    this.#lastError = undefined;
    this.#events.onWriteRecovered();
  }

  /**
   * Writes one batch and returns its number of records, or undefined if writing failed. A batch may be empty:
   * that makes the last records durable.
   */
  async #writeBatch(): Promise<number | undefined> {
    const { batch, lines } = this.#takeBatch();
    const bytes = concatBytes(lines);
    const durable = this.#lastError !== undefined || batch.some(isDurable);
    let size: number | undefined;
    let recall: Recall | undefined;
    try {
      await this.#checkVersion();
      size = (await this.#append(bytes, durable))?.size;
      if (size === undefined && !this.#isDeleted) recall = await this.#events.recall();
    } catch (error) {
      await this.#restorePending(batch, lines, error);
      return undefined;
    }
    this.#isNew = false;
    if (size !== undefined) await this.#skipOwnWrite({ records: batch, bytes }, size);
    else this.#writeAgain(recall);
    return batch.length;
  }

  /** Returns undefined if the file is missing, and isn't one whose deletion can be undone. Throws AppendError. */
  async #append(bytes: Uint8Array, durable: boolean): Promise<FileInfo | undefined> {
    this.#wasTried = true;
    // The deletion may be undone between the first two.
    for (const name of [this.#name, this.#deletedName, this.#name]) {
      const wasDeleted = this.#isDeleted;
      const info = await this.#storage.appendFile(name, bytes, {
        durable,
        create: this.#isNew && !wasDeleted,
      });
      if (info && name === this.#deletedName) this.#events.onDeleted();
      // The deletion was undone, unless it came meanwhile.
      else if (info && wasDeleted) this.#isDeleted = false;
      if (info) return info;
    }
    return undefined;
  }

  /**
   * Prepares to write a missing file from its beginning, with all that was to be written since. If the conversation isn't
   * open any more, there is nothing to write to and nothing to report.
   */
  #writeAgain(recall: Recall | undefined): void {
    // What is appended from here on isn't in it.
    const recalled = recall?.();
    if (!recalled) return;
    const [header, ...records] = recalled;
    this.#isNew = true;
    this.#pending = [header, ...records];
    this.#restored = 0;
    this.#knownTurnIds.clear();
    for (const record of records) if (record.type === 'turn') this.#knownTurnIds.add(record.turn.id);
    if (this.#offset !== undefined) this.#watchFrom(0);
  }

  /** Removes the first pending records and returns them with their lines. */
  #takeBatch(): { readonly batch: (TranscriptRecord | Header)[]; readonly lines: Uint8Array[] } {
    const lines: Uint8Array[] = [];
    for (let bytes = 0; lines.length < this.#pending.length && bytes < MAX_BATCH_BYTES; ) {
      // Each line starts with a newline, so that it never merges with the last one, which may be torn. Even a new file's: another
      // window may have created the file meanwhile.
      const line = encoder.encode(`\n${JSON.stringify(this.#pending[lines.length])}`);
      lines.push(line);
      bytes += line.length;
    }
    this.#restored = Math.max(0, this.#restored - lines.length);
    return { batch: this.#pending.splice(0, lines.length), lines };
  }

  /** Throws for a file of a newer version, which must never be changed. */
  async #checkVersion(): Promise<void> {
    if (this.#isVersionChecked) return;
    const start = await this.#storage.readFile(this.#name, 0, MAX_HEADER_BYTES);
    if (start && parseLines(start, 0, false).isNewerVersion)
      throw new Error(`${this.#name} was written by a newer version`);
    this.#isVersionChecked = true;
  }

  /** Puts unwritten records back before newer ones; a partly written line is written again. */
  async #restorePending(
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
    if (rest >= 0) {
      const restored = batch.slice(rest);
      this.#pending = [...restored, ...this.#pending];
      this.#restored += restored.length;
    }
    const first = this.#lastError === undefined;
    this.#lastError = error;
    if (!this.#events.isClosing()) this.#timer ??= setTimeout(() => void this.#runWrite(), RETRY_INTERVAL_MS);
    if (first) this.#events.onWriteFailed(error);
    if (written > 0) {
      this.#isNew = false;
      await this.#skipOwnWrite({ records: batch, bytes: concatBytes(lines).subarray(0, written) });
    }
  }

  /** Moves the offset past what this window wrote. `size` is the file's size after the write. */
  async #skipOwnWrite(own: OwnWrite, size?: number): Promise<void> {
    if (this.#offset === undefined) return;
    this.#ownWrites.push(own);
    const next = this.#ownWrites.reduce((end, { bytes }) => end + bytes.length, this.#offset);
    if (next === size) this.#watchFrom(next);
    // What can't be read now is read with the next change.
    else await this.#readAdditions().catch(() => undefined);
  }

  /** Reports what was added to the file, except what this window wrote, which is somewhere in it. */
  async #readAdditions(): Promise<void> {
    const from = this.#offset ?? 0;
    const bytes = await this.#storage.readFile(this.#name, from);
    if (!bytes) return;
    let additions: readonly TranscriptRecord[] = [];
    let start = 0;
    for (const own of this.#ownWrites) {
      const at = findWrite(bytes, own.bytes, start);
      if (at < 0) continue;
      const before = this.#acceptRecords(parseLines(bytes.subarray(start, at), from + start, true));
      additions = orderBefore([...additions, ...before], own.records);
      start = at + own.bytes.length;
    }
    const segment = parseLines(bytes.subarray(start), from + start, false);
    this.#watchFrom(segment.end);
    const records = orderBefore([...additions, ...this.#acceptRecords(segment)], this.#pending);
    if (records.length > 0) this.#events.onRecords(records);
  }

  #watchFrom(offset: number): void {
    this.#offset = offset;
    this.#ownWrites = [];
  }

  #acceptRecords({ records }: Segment): readonly TranscriptRecord[] {
    this.addKnownTurnIds(records.flatMap((record) => (record.type === 'turn' ? [record.turn.id] : [])));
    return records;
  }
}

/** Messages and endings of replies are worth waiting for the disk. */
function isDurable(record: TranscriptRecord | Header): boolean {
  if (!('type' in record)) return false;
  return record.type === 'ended' || (record.type === 'turn' && record.turn.kind === 'message');
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Returns where a write begins at or after an index; -1 if it isn't there. Another window's line may begin
 * like a write that was cut off, but goes on after these bytes.
 */
function findWrite(bytes: Uint8Array, write: Uint8Array, from: number): number {
  const [first = 0] = write;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    const next = bytes[at + write.length] ?? NEWLINE;
    if (next === NEWLINE && write.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
