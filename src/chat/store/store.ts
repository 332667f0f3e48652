import { Emitter } from '../base/emitter';
import { type About, FORMAT, type TranscriptRecord } from '../model/record';
import { ConversationIndex, fileName, idOfFile, type Summary } from './conversationIndex';
import { Drafts } from './drafts';
import {
  DEFAULT_LEASE_TIMES,
  idOfLease,
  isAlive,
  isClaim,
  type Lease,
  type LeaseHolder,
  Leases,
  leaseName,
} from './lease';
import { LeaseWatcher } from './leaseWatcher';
import type { Damage } from './parseLines';
import { idOfQueue, QueueFiles } from './queueFiles';
import { Replay, type StoredConversation, settle } from './replay';
import type { FileInfo, Storage } from './storage';
import type { FutureFile, Listing, OpenedConversation, StoreEvent } from './storeEvents';
import { TranscriptFile, type TranscriptFileEvents } from './transcriptFile';
import { readEnd, readForward } from './transcriptReader';

/** Turns that are read before the others. */
const LAST_TURNS = 20;
const DELETED = '.deleted';
/** ms after which a deletion that was neither undone nor completed is completed. */
const DELETED_KEPT = 24 * 60 * 60 * 1000;

/** All conversations in a folder, shared with other windows. Ids are what file names may be: letters, digits, `-`, `_`. */
export class ConversationStore {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #index: ConversationIndex;
  readonly #leases: Leases;
  readonly #files = new Map<string, TranscriptFile>();
  readonly #writers: LeaseWatcher;
  readonly #looks = new Map<string, Promise<void>>();
  readonly #events = new Emitter<StoreEvent>();
  readonly onEvent = this.#events.on;
  readonly drafts: Drafts;
  readonly queues: QueueFiles;
  #watcher: { dispose(): void } | undefined;

  /** `owner`: what other windows call this one; `onError` hears of what harms nothing: a lost index, a watcher that ended. */
  constructor(
    storage: Storage,
    owner: string,
    onError: (error: unknown) => void,
    leaseTimes = DEFAULT_LEASE_TIMES,
  ) {
    this.#storage = storage;
    this.#onError = onError;
    this.#index = new ConversationIndex(storage, onError);
    this.#leases = new Leases(storage, owner, leaseTimes);
    const onWriter = (id: string, heldBy: LeaseHolder | undefined) =>
      this.#events.fire({ type: 'writer', id, ...(heldBy && { heldBy }) });
    this.#writers = new LeaseWatcher(this.#leases, onWriter, onError);
    this.drafts = new Drafts(storage, onError);
    this.queues = new QueueFiles(storage, this.#leases, onError);
  }

  async list(): Promise<Listing> {
    this.#watch();
    const infos = await this.#storage.list();
    await this.#index.update(infos);
    const held = new Set(
      infos.flatMap(({ name, mtime }) => (isAlive(mtime, this.#leases.times) ? [name] : [])),
    );
    const summaries = this.#index.ids.map(
      (id) => this.#index.get(id) ?? { kind: 'future' as const, name: fileName(id) },
    );
    const conversations = summaries
      .flatMap((each) => ('kind' in each ? [] : [each]))
      .map((each) => ({ ...each, streaming: each.openReply !== undefined && held.has(leaseName(each.id)) }))
      .sort((one, other) => other.at - one.at);
    await this.#tidy(infos);
    return { conversations, future: summaries.flatMap((each) => ('kind' in each ? [each] : [])) };
  }

  /** Looks for what the folder's watcher may have missed: when the window gets the focus, say. */
  async refresh(): Promise<void> {
    const infos = new Map((await this.#storage.list()).map((info) => [info.name, info]));
    await this.#index.load();
    const ids = new Set([...this.#index.ids, ...[...infos.keys()].flatMap((name) => idOfFile(name) ?? [])]);
    for (const id of ids) {
      const info = infos.get(fileName(id));
      if (!info || !this.#index.isFresh(id, info)) await this.#look(id);
    }
  }

  /** Begins a conversation; its file is made with the first record. */
  create(id: string, createdAt: number): void {
    this.#watch();
    const events = this.#fileEvents(id);
    this.#files.set(
      id,
      new TranscriptFile(this.#storage, fileName(id), events, { parley: FORMAT, id, createdAt }),
    );
  }

  /** The last screen of a conversation, and from here on what other windows add to it. Undefined where there is none. */
  async open(id: string): Promise<OpenedConversation | FutureFile | undefined> {
    this.#watch();
    const name = fileName(id);
    const file = this.#file(id);
    // What the disk doesn't take was told.
    await file.flush().catch(() => undefined);
    await this.#index.load();
    const [info, draft] = await Promise.all([this.#storage.stat(name), this.drafts.get(id)]);
    if (!info) return;
    const summary = await this.#index.refresh(id, info);
    if (!summary) return { kind: 'future', name };
    const heldBy = await this.#writers.add(id);
    const read = await readEnd(this.#storage, name, info.size, LAST_TURNS, !heldBy);
    if (!read) return;
    const { replay, whole, end } = read;
    const { turns } = replay;
    file.addKnownTurns(turns.map((turn) => turn.id));
    file.watchFrom(end);
    return {
      kind: 'conversation',
      conversation: { ...replay.conversation(summary, heldBy !== undefined, toAbout(summary)), draft },
      whole,
      ...(heldBy && { heldBy }),
      earlier: () => this.#earlier(id, turns[0]?.id),
    };
  }

  /**
   * Hands over a record to be written: a chunk within half a second, others at once. Whoever calls holds the lease.
   * A failure is told by `writeFailed`, and by `flush`.
   */
  append(id: string, record: TranscriptRecord): void {
    this.#file(id).append(record);
  }

  /**
   * Resolves once all that was handed over is on the disk, messages and endings durably; throws AppendError. Drafts too,
   * or a message that was sent would come back as one.
   */
  async flush(id: string): Promise<void> {
    await Promise.all([this.#files.get(id)?.flush(), this.drafts.flush()]);
  }

  /** Takes the right to write a conversation for as long as something is written; who has it, where another window does. */
  async acquire(id: string): Promise<Lease | { readonly heldBy: LeaseHolder }> {
    this.#writers.addUnheld(id);
    const lease = await this.#leases.acquire(id);
    // Also of a window that died, whose lease no watcher reports: that it ends is reported then.
    if ('heldBy' in lease) await this.#writers.refresh(id);
    return lease;
  }

  /** Takes the right to write from whoever has it. */
  takeOver(id: string): Promise<Lease | { readonly heldBy: LeaseHolder }> {
    return this.#leases.acquire(id, true);
  }

  /** Reads what other windows have added to a conversation, instead of waiting for the folder's watcher. */
  async follow(id: string): Promise<void> {
    await this.#files.get(id)?.follow();
  }

  /** Ends following a conversation, once everything of it is written. */
  async close(id: string): Promise<void> {
    await this.#files.get(id)?.dispose();
    this.#files.delete(id);
    this.#writers.remove(id);
  }

  /** Takes a conversation away from all windows; `undelete` brings it back until `purge`. */
  async delete(id: string): Promise<void> {
    await this.close(id);
    await this.#storage.touch(fileName(id));
    await this.#storage.rename(fileName(id), `${id}${DELETED}`);
    await this.#look(id);
  }

  async undelete(id: string): Promise<void> {
    await this.#storage.rename(`${id}${DELETED}`, fileName(id));
    await this.#look(id);
  }

  async purge(id: string): Promise<void> {
    this.drafts.set(id, '');
    await Promise.all([this.drafts.flush(), this.queues.write(id, [])]);
    await this.#storage.remove(`${id}${DELETED}`);
  }

  /** Every conversation with all its turns, newest first, read one after the other: for search and export. */
  async *scan(signal?: AbortSignal): AsyncGenerator<StoredConversation> {
    for (const summary of (await this.list()).conversations) {
      signal?.throwIfAborted();
      const { replay } = await this.#read(summary.id);
      yield replay.conversation(summary, summary.streaming, toAbout(summary));
    }
  }

  /** Writes what waits, gives leases back, leaves no timer. */
  async dispose(): Promise<void> {
    this.#watcher?.dispose();
    this.#writers.dispose();
    await Promise.all([...this.#files.keys()].map((id) => this.close(id)));
    await Promise.all(this.#looks.values());
    await Promise.all([this.#leases.dispose(), this.drafts.flush(), this.#index.dispose()]);
    this.#events.dispose();
  }

  #file(id: string): TranscriptFile {
    let file = this.#files.get(id);
    if (!file) {
      file = new TranscriptFile(this.#storage, fileName(id), this.#fileEvents(id));
      this.#files.set(id, file);
    }
    return file;
  }

  #fileEvents(id: string): TranscriptFileEvents {
    if (!/^[\w-]{1,100}$/.test(id)) throw new Error('Not an id that a file can be named after');
    return {
      onRecords: (records) => this.#events.fire({ type: 'records', id, records }),
      onWriteFailed: (error) => this.#events.fire({ type: 'writeFailed', id, error }),
      onWriteRecovered: () => this.#events.fire({ type: 'writeRecovered', id }),
    };
  }

  async #earlier(id: string, first: string | undefined): ReturnType<OpenedConversation['earlier']> {
    const { replay, damage } = await this.#read(id);
    const all = replay.turns;
    const turns = all
      .slice(
        0,
        Math.max(
          0,
          all.findIndex((turn) => turn.id === first),
        ),
      )
      .map(settle);
    this.#file(id).addKnownTurns(turns.map((turn) => turn.id));
    return { turns, damage };
  }

  async #read(id: string): Promise<{ readonly replay: Replay; readonly damage: readonly Damage[] }> {
    const name = fileName(id);
    const info = await this.#storage.stat(name);
    const replay = new Replay();
    const damage: Damage[] = [];
    for await (const stretch of readForward(this.#storage, name, 0, info?.size ?? 0, true)) {
      replay.apply(stretch.records);
      damage.push(...stretch.damage);
    }
    return { replay, damage };
  }

  #watch(): void {
    this.#watcher ??= this.#storage.watch((name) => {
      const id = idOfFile(name);
      if (id !== undefined) void this.#look(id);
      const queued = idOfQueue(name);
      if (queued !== undefined) this.#events.fire({ type: 'queue', id: queued });
      const leased = idOfLease(name);
      if (leased === undefined) return;
      void this.#leases.check(leased).catch(this.#onError);
      // What a writer wrote last comes before the word that it is gone.
      void this.#look(leased)
        .then(() => this.#writers.refresh(leased))
        .catch(this.#onError);
    }, this.#onError);
  }

  /** Looks at a file once it may have changed; one look at a time, and one more where it changed meanwhile. */
  #look(id: string): Promise<void> {
    const look = (this.#looks.get(id) ?? Promise.resolve())
      .then(() => this.#lookNow(id))
      .catch(this.#onError)
      .finally(() => {
        if (this.#looks.get(id) === look) this.#looks.delete(id);
      });
    this.#looks.set(id, look);
    return look;
  }

  async #lookNow(id: string): Promise<void> {
    await this.#index.load();
    // Before what is read of it, so that what is written meanwhile counts as new.
    const info = await this.#storage.stat(fileName(id));
    await this.#files.get(id)?.follow();
    const before = this.#index.get(id);
    if (!info) {
      const known = this.#index.ids.includes(id);
      this.#index.forget(id);
      if (known) this.#events.fire({ type: 'deleted', id });
      return;
    }
    const summary = await this.#index.refresh(id, info);
    if (!summary || JSON.stringify(summary) === JSON.stringify(before)) return;
    this.#events.fire({ type: before ? 'changed' : 'created', summary });
  }

  /** Removes what a crash left behind: deletions that nobody undid, files that were never put in place. */
  async #tidy(infos: readonly FileInfo[]): Promise<void> {
    for (const { name, mtime } of infos) {
      const left = name.endsWith(DELETED) || name.endsWith('.tmp') || isClaim(name);
      if (left && Date.now() - mtime > DELETED_KEPT) await this.#storage.remove(name);
    }
  }
}

function toAbout({ name, bot, remote, unread, pinned }: Summary): About {
  return { name, ...(bot && { bot }), ...(remote && { remote }), unread, pinned };
}
