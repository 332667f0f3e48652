import * as v from 'valibot';
import { type Infer, size, time } from '../../shared/conversation/conversationSchemas';
import { aboutProperties, mergeAbout } from '../model/conversation';
import type { FileInfo, Storage } from './files/storage';
import { encodeWithDigest, parseWithDigest } from './jsonWithDigest';
import type { Segment } from './transcript/parseLines';
import { readForward } from './transcript/transcriptReader';

/** A conversation as shown in the list. */
const summarySchema = v.object({
  id: v.string(),
  ...aboutProperties,
  createdAt: time,
  /** Time of the last turn, or of creation if there is none. */
  at: time,
  /** The number of turns. */
  turns: v.number(),
  /** ID of the reply that is still streaming. */
  openReply: v.exactOptional(v.string()),
  /** The number of unreadable parts of the file; they stay in the file. */
  damaged: v.number(),
});

export type Summary = Infer<typeof summarySchema>;

const entrySchema = v.object({
  size: v.number(),
  mtime: v.number(),
  /** Byte offset up to which the summary covers the file. */
  read: size,
  /** Missing if a newer version of Parley wrote the file. */
  summary: v.exactOptional(summarySchema),
});

type Entry = Infer<typeof entrySchema>;

/** To be increased when a function of the schema (`check`, `transform`) changes: older files are then checked again. */
const INDEX_VERSION = 1;

const indexSchema = { schema: v.record(v.string(), entrySchema), version: INDEX_VERSION };

const INDEX_FILE = 'index.json';
const EXTENSION = '.jsonl';
/** Delay after a change; losing the index only costs time. */
const SAVE_DELAY_MS = 2000;
const MAX_CONCURRENT_READS = 16;

export const getTranscriptName = (id: string) => `${id}${EXTENSION}`;

/** Returns the ID of the conversation stored in this file, or undefined for other files. */
export function parseTranscriptName(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/**
 * Summaries of all files, each stored with its file's size and time. If a file has grown, only the part after
 * the summary's end is read.
 */
export class ConversationIndex {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  #entries = new Map<string, Entry>();
  readonly #turns = new Map<string, Promise<void>>();
  #loading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  getSummary(id: string): Summary | undefined {
    return this.#entries.get(id)?.summary;
  }

  get ids(): string[] {
    return [...this.#entries.keys()];
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Returns the size that a file had when it was read last. */
  getSize(id: string): number {
    return this.#entries.get(id)?.size ?? 0;
  }

  /** Returns the summaries of all files, newest first. */
  getSummaries(): Summary[] {
    const summaries = [...this.#entries.values()].flatMap(({ summary }) => (summary ? [summary] : []));
    return summaries.sort((one, other) => other.at - one.at);
  }

  removeSummary(id: string): void {
    if (this.#entries.delete(id)) this.#scheduleSave();
  }

  /** Returns whether a file was created, but nothing has been written to it yet: it has no name to be listed with. */
  isUnwritten(id: string, { size }: FileInfo): boolean {
    return size === 0 && !this.#entries.has(id);
  }

  isFresh(id: string, { size, mtime }: FileInfo): boolean {
    const entry = this.#entries.get(id);
    return entry?.size === size && entry.mtime === mtime;
  }

  /**
   * Returns the up-to-date summary of a file, reading only what was added; undefined if a newer version wrote
   * it.
   */
  async readSummary(id: string, info: FileInfo): Promise<Summary | undefined> {
    let entry = this.#entries.get(id);
    if (entry && this.isFresh(id, info)) return entry.summary;
    // A file that changed without growing was rewritten.
    if (entry && entry.size >= info.size) entry = undefined;
    let read = entry?.read ?? 0;
    let summary = entry?.summary;
    let isNewerVersion = entry !== undefined && !summary;
    for await (const segment of readForward(this.#storage, info.name, read, info.size, false)) {
      isNewerVersion ||= segment.isNewerVersion;
      summary = addRecords(summary ?? createSummary(id, segment, info), segment);
      read = segment.end;
    }
    summary = isNewerVersion ? undefined : (summary ?? createSummary(id, undefined, info));
    this.#entries.set(id, { size: info.size, mtime: info.mtime, read, ...(summary && { summary }) });
    this.#scheduleSave();
    return summary;
  }

  /**
   * Runs `work`, which looks at a file and then reads its summary, once what ran before for the same file has settled: what is
   * older never replaces what is newer.
   */
  runInTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const turn = result
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#turns.get(id) === turn) this.#turns.delete(id);
      });
    this.#turns.set(id, turn);
    return result;
  }

  /** Resolves when nothing runs that waited for its turn. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.#turns.values());
  }

  /** Updates the entries of these files; returns the IDs of those that are missing. */
  async updateSummaries(ids: readonly string[]): Promise<readonly string[]> {
    const left = ids.values();
    const missing: string[] = [];
    const worker = async () => {
      for (const id of left) {
        const isThere = await this.runInTurn(id, () => this.#update(id)).catch(this.#onError);
        if (isThere === false) missing.push(id);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, worker));
    return missing;
  }

  async dispose(): Promise<void> {
    if (this.#timer !== undefined) this.#save();
    await this.#saving;
  }

  /** Returns false if the file is missing. */
  async #update(id: string): Promise<boolean> {
    const info = await this.#storage.statFile(getTranscriptName(id));
    if (info && !this.isFresh(id, info) && !this.isUnwritten(id, info)) await this.readSummary(id, info);
    return info !== undefined;
  }

  #scheduleSave(): void {
    this.#timer ??= setTimeout(() => this.#save(), SAVE_DELAY_MS);
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = Object.fromEntries(this.#entries);
    this.#saving = this.#saving
      .then(async () => this.#storage.replaceFile(INDEX_FILE, await encodeWithDigest(entries, indexSchema)))
      .catch(this.#onError);
  }

  async #load(): Promise<void> {
    try {
      const bytes = await this.#storage.readFile(INDEX_FILE);
      if (!bytes) return;
      const entries = await parseWithDigest(bytes, indexSchema);
      // Skip entries without a summary, which would mean that a newer version wrote the file: check the file
      // again.
      const validEntries = Object.entries(entries).filter(([id, { summary }]) => summary?.id === id);
      // Entries refreshed in the meantime are newer.
      this.#entries = new Map([...validEntries, ...this.#entries]);
    } catch (error) {
      // The index is rebuilt.
      this.#onError(error);
    }
  }
}

function createSummary(id: string, segment: Segment | undefined, info: FileInfo): Summary {
  const createdAt = segment?.header?.createdAt ?? Math.floor(info.mtime);
  return { id, name: '', unread: false, pinned: false, createdAt, at: createdAt, turns: 0, damaged: 0 };
}

function addRecords(summary: Summary, { records, damage }: Segment): Summary {
  const { openReply, ...rest } = summary;
  let open = openReply;
  let next: { -readonly [K in keyof typeof rest]: (typeof rest)[K] } = { ...rest };
  next.damaged += damage.length;
  for (const record of records) {
    if (record.type === 'about') {
      const { type: _type, ...about } = record;
      next = mergeAbout(next, about);
    } else if (record.type === 'turn') {
      const { turn } = record;
      if (!record.replaces) {
        next.turns++;
        if (record.before === undefined) next.at = turn.at;
      }
      if (turn.kind === 'reply') open = turn.ending === undefined ? turn.id : undefined;
    } else if (record.type === 'turnRemoved') {
      next.turns--;
      if (open === record.turnId) open = undefined;
    } else if (record.type === 'ended' && open === record.turn.id) open = undefined;
  }
  return open === undefined ? next : { ...next, openReply: open };
}
