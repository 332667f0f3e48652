import * as v from 'valibot';
import { Mutex } from '../base/mutex';
import type { Storage } from '../store/files/storage';
import { type SyncRecord, SyncState, syncRecordSchema } from './syncState';

const EXTENSION = '.jsonl';
/** More bytes than the records of 10,000 documents with many versions have. Larger files aren't read. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A journal with this many more records than its state needs is written anew. */
const MAX_OBSOLETE_RECORDS = 2000;

/**
 * What was registered with a service, one record a line. Only appended while a sync runs, and read as far as it is whole, so that
 * a process that ends at any time leaves the records of everything it sent. Its lease decides who writes.
 */
export class SyncJournal {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #state: SyncState;
  readonly #mutex = new Mutex();

  private constructor(storage: Storage, name: string, state: SyncState) {
    this.#storage = storage;
    this.#name = name;
    this.#state = state;
  }

  /** Reads the journal to append to it: only with its lease. Throws the file system's error. */
  static async open(storage: Storage, id: string): Promise<SyncJournal> {
    const name = id + EXTENSION;
    const records = await readRecords(storage, name);
    const state = new SyncState(records);
    const needed = state.toRecords();
    // Atomically: after a crash the file has either all old records or all new ones.
    if (records.length > needed.length + MAX_OBSOLETE_RECORDS)
      await storage.replaceFile(name, encodeRecords(needed));
    return new SyncJournal(storage, name, state);
  }

  /** Reads the state, also while another window syncs. Throws the file system's error. */
  static async read(storage: Storage, id: string): Promise<SyncState> {
    return new SyncState(await readRecords(storage, id + EXTENSION));
  }

  get state(): SyncState {
    return this.#state;
  }

  /** Writes records; resolves once they would survive a power loss. Throws AppendError: then nothing may be sent. */
  append(...records: readonly SyncRecord[]): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#storage.appendFile(this.#name, encodeRecords(records), { durable: true, create: true });
      for (const record of records) this.#state.apply(record);
    });
  }
}

/** Returns the ID of the journal that a file belongs to; undefined for other files. */
export function parseJournalName(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** Begins with a line feed as well: the line before may not be whole, after a crash. */
function encodeRecords(records: readonly SyncRecord[]): Uint8Array {
  return new TextEncoder().encode(records.map((record) => `\n${JSON.stringify(record)}\n`).join(''));
}

async function readRecords(storage: Storage, name: string): Promise<SyncRecord[]> {
  const bytes = await storage.readFile(name, 0, MAX_BYTES);
  if (!bytes) return [];
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : parseRecord(line)));
}

function parseRecord(line: string): SyncRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // A line that a crash cut off: what it says had no consequence yet.
    return [];
  }
  const { success, output } = v.safeParse(syncRecordSchema, value);
  return success ? [output] : [];
}
