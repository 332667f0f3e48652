import * as v from 'valibot';
import { type About, aboutProperties, time } from '../model/record';
import type { Segment } from './parseLines';
import type { FileInfo, Storage } from './storage';
import { readForward } from './transcriptReader';

/** What a list shows of a conversation. */
export interface Summary extends About {
  readonly id: string;
  /** ms since the epoch, as `at`: the time of its last turn, or of its making. */
  readonly createdAt: number;
  readonly at: number;
  /** How many it has. */
  readonly turns: number;
  /** The reply that has no ending yet. */
  readonly openReply?: string;
  /** How many parts of the file could not be read; they are still there. */
  readonly damaged: number;
}

interface Entry {
  readonly size: number;
  readonly mtime: number;
  /** Bytes, up to where the summary knows the file. */
  readonly read: number;
  /** Missing where a later version wrote the file. */
  readonly summary?: Summary;
}

const INDEX = 'index.json';
const EXTENSION = '.jsonl';
/** ms after a change; losing the index only costs time. */
const SAVE_DELAY = 2000;
const AT_ONCE = 16;

export const fileName = (id: string) => `${id}${EXTENSION}`;

/** The conversation whose file this is; undefined for other files. */
export function idOfFile(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** Summaries of all files, each kept with its file's size and time: what changed since is read from where the summary ends. */
export class ConversationIndex {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  #entries = new Map<string, Entry>();
  #loading: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get(id: string): Summary | undefined {
    return this.#entries.get(id)?.summary;
  }

  get ids(): string[] {
    return [...this.#entries.keys()];
  }

  forget(id: string): void {
    if (this.#entries.delete(id)) this.#saveLater();
  }

  isFresh(id: string, { size, mtime }: FileInfo): boolean {
    const entry = this.#entries.get(id);
    return entry?.size === size && entry.mtime === mtime;
  }

  /** The summary of a file as it is now; undefined where a later version wrote it. Reads only what was added. */
  async refresh(id: string, info: FileInfo): Promise<Summary | undefined> {
    let entry = this.#entries.get(id);
    if (entry && this.isFresh(id, info)) return entry.summary;
    // A file that didn't grow was written anew.
    if (entry && entry.size >= info.size) entry = undefined;
    let read = entry?.read ?? 0;
    let summary = entry?.summary;
    let future = entry !== undefined && !summary;
    for await (const stretch of readForward(this.#storage, info.name, read, info.size, false)) {
      future ||= stretch.future;
      summary = addTo(summary ?? emptySummary(id, stretch, info), stretch);
      read = stretch.end;
    }
    summary = future ? undefined : (summary ?? emptySummary(id, undefined, info));
    this.#entries.set(id, { size: info.size, mtime: info.mtime, read, ...(summary && { summary }) });
    this.#saveLater();
    return summary;
  }

  /** Makes the index what the listing says. */
  async update(infos: readonly FileInfo[]): Promise<void> {
    await this.load();
    const files = new Map(infos.flatMap((info) => toEntries(idOfFile(info.name), info)));
    for (const id of this.ids) if (!files.has(id)) this.forget(id);
    const stale = [...files].filter(([id, info]) => !this.isFresh(id, info)).values();
    const worker = async () => {
      for (const [id, info] of stale) {
        await this.refresh(id, info).catch(this.#onError);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async dispose(): Promise<void> {
    if (this.#timer !== undefined) await this.#save();
  }

  #saveLater(): void {
    this.#timer ??= setTimeout(() => void this.#save(), SAVE_DELAY);
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(this.#entries)));
    await this.#storage.replace(INDEX, bytes).catch(this.#onError);
  }

  async #load(): Promise<void> {
    try {
      const bytes = await this.#storage.read(INDEX);
      if (!bytes) return;
      const entries = v.parse(indexSchema, JSON.parse(new TextDecoder().decode(bytes)));
      // Without its summary an entry would say that a later version wrote the file: the file itself is asked again.
      const own = Object.entries(entries).filter(([id, { summary }]) => summary?.id === id);
      // What was refreshed meanwhile is newer.
      this.#entries = new Map([...own, ...this.#entries]);
    } catch (error) {
      // It is built anew.
      this.#onError(error);
    }
  }
}

function toEntries(id: string | undefined, info: FileInfo): [string, FileInfo][] {
  return id === undefined ? [] : [[id, info]];
}

function emptySummary(id: string, stretch: Segment | undefined, info: FileInfo): Summary {
  const createdAt = stretch?.header?.createdAt ?? Math.floor(info.mtime);
  return { id, name: '', unread: false, pinned: false, createdAt, at: createdAt, turns: 0, damaged: 0 };
}

function addTo(summary: Summary, { records, damage }: Segment): Summary {
  const { openReply, ...rest } = summary;
  let open = openReply;
  const next: { -readonly [K in keyof typeof rest]: (typeof rest)[K] } = { ...rest };
  next.damaged += damage.length;
  for (const record of records) {
    if (record.type === 'about') {
      const { type: _type, ...about } = record;
      Object.assign(next, about);
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

const summarySchema: v.GenericSchema<unknown, Summary> = v.object({
  id: v.string(),
  ...aboutProperties,
  name: v.string(),
  pinned: v.boolean(),
  unread: v.boolean(),
  createdAt: time,
  at: time,
  turns: v.number(),
  openReply: v.exactOptional(v.string()),
  damaged: v.number(),
});

const indexSchema = v.record(
  v.string(),
  v.object({
    size: v.number(),
    mtime: v.number(),
    read: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    summary: v.exactOptional(summarySchema),
  }),
);
