import { Emitter } from '../base/emitter';
import { type About, pickAbout } from '../model/conversation';
import { createHeader, type Header, type Recall, type TranscriptRecord } from '../model/record';
import { ConversationIndex, getTranscriptName, parseTranscriptName } from './conversationIndex';
import { Deletions, getDeletedName, parseDeletedName } from './deletions';
import { ComposerFiles } from './files/composerFiles';
import { DelayedFiles } from './files/delayedFiles';
import { DEFAULT_LEASE_TIMES, type Lease, type LeaseHolder, Leases } from './files/lease';
import { LeaseWatcher } from './files/leaseWatcher';
import { QueueFiles } from './files/queueFiles';
import type { FileInfo, Storage } from './files/storage';
import { FolderList } from './folderList';
import { FolderSync } from './folderSync';
import type { Listing, NewerVersionFile, OpenedConversation, StoreEvent } from './storeEvents';
import type { StoredConversation } from './transcript/replay';
import { TranscriptFile, type TranscriptFileEvents } from './transcript/transcriptFile';
import { readEnd, readWhole } from './transcript/transcriptReader';

/** Turns that are read before the rest. */
const INITIAL_TURNS = 20;
/** Of the lease that a window holds while it creates a conversation on the service, or begins to update a document. */
const CREATION_EXTENSION = '.creation';

/**
 * All conversations in a folder, shared with other windows. IDs must be valid in file names: letters, digits,
 * `-`, `_`.
 */
export class ConversationStore {
  readonly #storage: Storage;
  readonly #index: ConversationIndex;
  readonly #leases: Leases;
  readonly #files = new Map<string, TranscriptFile>();
  readonly #leaseWatcher: LeaseWatcher;
  readonly #folderSync: FolderSync;
  readonly #folderList: FolderList;
  #prepareRecall: (id: string) => Promise<Recall> = async () => () => undefined;
  #onTurnsSaved: (id: string) => void = () => undefined;
  #isClosing = false;
  readonly #events = new Emitter<StoreEvent>();
  readonly onStoreEvent = this.#events.on;
  /** Reports a failure of background work that nothing awaits. */
  readonly reportError: (error: unknown) => void;
  /** The text in each conversation's composer. */
  readonly drafts: DelayedFiles;
  readonly composers: ComposerFiles;
  readonly queues: QueueFiles;
  readonly deletions: Deletions;

  /**
   * `owner` is this window's name for other windows. `onError` receives harmless errors: a lost index, a
   * watcher that stopped.
   */
  constructor(
    storage: Storage,
    owner: string,
    onError: (error: unknown) => void,
    leaseTimes = DEFAULT_LEASE_TIMES,
  ) {
    this.#storage = storage;
    this.reportError = onError;
    this.#index = new ConversationIndex(storage, onError);
    this.#leases = new Leases(storage, owner, leaseTimes);
    const fire = (event: StoreEvent) => this.#events.fire(event);
    this.#leaseWatcher = new LeaseWatcher(this.#leases, {
      readChanges: (id) => this.readChanges(id),
      onChange: (id, heldBy, isBack) => fire({ type: 'writer', id, ...(heldBy && { heldBy, isBack }) }),
      onQuiet: (id) => fire({ type: 'quiet', id }),
      onError,
    });
    this.#folderSync = new FolderSync({
      storage,
      index: this.#index,
      files: this.#files,
      leases: this.#leases,
      leaseWatcher: this.#leaseWatcher,
      fire,
      onDeletion: (id) => {
        this.deletions.noteSeen(id);
        this.#files.get(id)?.noteDeletion();
        fire({ type: 'deletion', id });
      },
      onError,
    });
    this.#folderList = new FolderList({
      storage,
      index: this.#index,
      files: this.#files,
      folderSync: this.#folderSync,
      leaseTimes,
      onError,
    });
    this.drafts = new DelayedFiles(storage, '.draft', onError, {
      onSaved: (id, text) => fire({ type: 'draftSaved', id, text }),
    });
    const onDamaged = (id: string) => fire({ type: 'damaged', id });
    this.composers = new ComposerFiles(storage, this.drafts, onError, onDamaged);
    this.queues = new QueueFiles(storage, this.#leases, onError, onDamaged);
    this.deletions = new Deletions({
      storage,
      leases: this.#leases,
      drafts: this.drafts,
      composers: this.composers,
      queues: this.queues,
      onError,
    });
  }

  /** `prepare` is called when a conversation's file was lost, and resolves to what returns it from memory. */
  setRecall(prepare: (id: string) => Promise<Recall>): void {
    this.#prepareRecall = prepare;
  }

  /** `onTurnsSaved` is called after each write, unless messages or endings of the conversation still have to be written. */
  setOnTurnsSaved(onTurnsSaved: (id: string) => void): void {
    this.#onTurnsSaved = onTurnsSaved;
  }

  /** Lists all conversations. What the index missed about those that haven't changed recently is reported by events. */
  async listConversations(): Promise<Listing> {
    await this.#folderSync.watch();
    return await this.#folderList.list();
  }

  /**
   * Checks for changes that the folder's watcher may have missed, such as when the window regains focus: of one
   * conversation, or of all.
   */
  async readFolderChanges(id?: string): Promise<void> {
    if (id !== undefined) return this.#folderSync.refreshFile(id);
    // What this window couldn't remove of them before.
    for (const seen of this.deletions.seen) this.#events.fire({ type: 'deletion', id: seen });
    await this.#folderSync.refreshAll();
  }

  /** Starts a conversation; its file is created with the first record. */
  createTranscript(id: string, createdAt: number): void {
    void this.#folderSync.watch();
    this.#leaseWatcher.addUnlocked(id);
    this.#files.set(id, this.#createFile(id, createHeader(id, createdAt)));
  }

  /**
   * Reads the last turns of a conversation and starts watching it for changes by other windows. Returns
   * undefined if there is none.
   */
  async openTranscript(id: string): Promise<OpenedConversation | NewerVersionFile | undefined> {
    const name = getTranscriptName(id);
    const file = this.#getFile(id);
    // Otherwise what another window writes after the file is read could be missed.
    await this.#folderSync.watch();
    // A write failure has already been reported.
    await file.flush().catch(() => undefined);
    await this.#index.load();
    const [info, draft] = await Promise.all([this.#findTranscript(id), this.drafts.get(id)]);
    if (!info) return;
    const summary = await this.#index.readSummary(id, info);
    if (!summary) return { kind: 'newerVersion', name };
    const heldBy = await this.#leaseWatcher.createClosed(id);
    const read = await readEnd(this.#storage, name, info.size, INITIAL_TURNS, !heldBy);
    if (!read) return;
    const { replay, whole, end } = read;
    const { turns } = replay;
    file.addKnownTurnIds(turns.map((turn) => turn.id));
    const unsaved = await file.startWatching(end);
    replay.apply(unsaved);
    return {
      kind: 'conversation',
      conversation: {
        ...replay.toConversation(summary, heldBy !== undefined, pickAbout(summary)),
        draft,
        ...(unsaved.length > 0 && { unsaved: true }),
      },
      whole,
      ...(heldBy && { heldBy }),
      earlier: () => this.#readEarlier(id, turns[0]?.id, end, heldBy !== undefined),
    };
  }

  /**
   * Queues a record for writing: chunks are written within 200 ms, other records at once. The caller
   * must hold the lease. Failures are reported by `writeFailed` and by `flush`.
   */
  appendToTranscript(id: string, record: TranscriptRecord): void {
    this.#getFile(id).appendRecord(record);
  }

  /**
   * Resolves once all queued records are on disk, messages and endings durably; throws AppendError. Then also
   * saves the composers: otherwise a sent message could come back as a draft.
   */
  async flush(id: string): Promise<void> {
    try {
      await this.#files.get(id)?.flush();
    } finally {
      await Promise.all([this.drafts.flush(), this.composers.flush()]);
    }
  }

  /** Acquires the right to write a conversation, or returns the window that has it. */
  async acquireLease(id: string): Promise<Lease | { readonly heldBy: LeaseHolder }> {
    this.#leaseWatcher.addUnlocked(id);
    const lease = await this.#leases.acquire(id);
    // Watch a window that has died, too: no file watcher reports that its lease expires.
    if ('heldBy' in lease)
      await this.#leaseWatcher.checkLeaseFile(id, false, lease.heldBy).catch(this.reportError);
    return this.#expectQuietAfter(id, lease);
  }

  /** Reports by an event which other window writes the conversation, or that none does. */
  reportWriter(id: string): Promise<void> {
    return this.#leaseWatcher.checkLeaseFile(id, true);
  }

  /** Reports by events which other window writes a conversation that isn't open, now and whenever that changes. */
  watchWriter(id: string): Promise<void> {
    this.#leaseWatcher.addUnlocked(id);
    return this.reportWriter(id);
  }

  /** Takes over the right to write from another window. */
  async takeOver(id: string): Promise<Lease | { readonly heldBy: LeaseHolder }> {
    return this.#expectQuietAfter(id, await this.#leases.acquire(id, true));
  }

  /** Checks now whether another window took this one's lease over, instead of at the next heartbeat. */
  checkLease(id: string): Promise<void> {
    return this.#leases.check(id);
  }

  /**
   * Runs `work` while no other window runs work on this conversation: after reading the other windows' records, and with its
   * own on disk before they go on. `work` can read their records again. If the disk refuses the lease, runs it anyway.
   * Rejects with the signal's reason if aborted while waiting for another window.
   */
  async runExclusively<T>(
    id: string,
    work: (readChanges: () => Promise<void>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const onError = (error: unknown) => {
      signal?.throwIfAborted();
      this.reportError(error);
    };
    const lease = await this.#leases.waitFor(`${id}${CREATION_EXTENSION}`, signal).catch(onError);
    try {
      const readChanges = () => this.readChanges(id).catch(onError);
      await readChanges();
      const result = await work(readChanges);
      // A failure to write has already been reported.
      await this.#files
        .get(id)
        ?.flush()
        .catch(() => undefined);
      return result;
    } finally {
      await lease?.release().catch(this.reportError);
    }
  }

  /** Reads what other windows have added to a conversation, without waiting for the folder's watcher. */
  async readChanges(id: string): Promise<void> {
    await this.#files.get(id)?.readChanges();
  }

  /** Stops watching a conversation once all its records are written. */
  async closeTranscript(id: string): Promise<void> {
    // A write failure has already been reported.
    await this.#files
      .get(id)
      ?.dispose()
      .catch(() => undefined);
    this.#files.delete(id);
    this.#leaseWatcher.unwatch(id);
  }

  /** Adds a conversation without turns that isn't open in any window. Throws AppendError. */
  async add(id: string, createdAt: number, about: About): Promise<void> {
    await this.#appendClosed(id, about, createHeader(id, createdAt));
  }

  /** Changes properties of a conversation that isn't open in this window. Throws AppendError. */
  async updateClosed(id: string, about: Partial<About>): Promise<void> {
    await this.#appendClosed(id, about);
  }

  /** Reads a conversation with all its turns, without opening it. Throws file system errors. */
  async readTranscript(id: string): Promise<StoredConversation | undefined> {
    const info = await this.#findTranscript(id);
    const summary = info && (await this.#index.readSummary(id, info));
    if (!summary) return undefined;
    const { replay } = await readWhole(this.#storage, getTranscriptName(id));
    const live = (await this.#leases.findOtherHolder(id)) !== undefined;
    return replay.toConversation(summary, live, pickAbout(summary));
  }

  /**
   * Removes a conversation from all windows; `undelete` restores it until `purge`, with what can't be written yet. Returns
   * false if there is nothing to remove, or its deletion is in progress already. Throws file system errors, also if it has no
   * file since the disk refuses to write it; changes nothing then.
   */
  async deleteConversation(id: string): Promise<boolean> {
    let failure: unknown;
    await this.flush(id).catch((error: unknown) => {
      failure = error;
    });
    const isDeleted = await this.deletions.start(id);
    if (!isDeleted && failure !== undefined) throw failure;
    // What still waits for the disk must not create the file again.
    if (isDeleted) this.#files.get(id)?.noteDeletion();
    await this.#folderSync.refreshFile(id);
    return isDeleted;
  }

  /** Returns false if another window has completed the deletion. Throws file system errors. */
  async undelete(id: string): Promise<boolean> {
    const isRestored = await this.deletions.undo(id);
    await this.#folderSync.refreshFile(id);
    return isRestored;
  }

  /**
   * Returns the IDs of all transcripts but those that a crash or a full disk left empty, also of those whose deletion isn't
   * complete. Throws file system errors.
   */
  async getTakenIds(): Promise<ReadonlySet<string>> {
    const [names] = await Promise.all([this.#storage.listNames(), this.#index.load()]);
    const deleted = [...names.flatMap((name) => parseDeletedName(name) ?? []), ...this.deletions.running];
    const stored = names.flatMap((name) => parseTranscriptName(name) ?? []);
    const unknown = stored.filter((id) => !this.#index.has(id));
    const infos = await Promise.all(unknown.map((id) => this.#storage.statFile(getTranscriptName(id))));
    const unwritten = new Set(unknown.filter((_, index) => infos[index]?.size === 0));
    return new Set([...stored.filter((id) => !unwritten.has(id)), ...deleted]);
  }

  purge(id: string): Promise<void> {
    return this.deletions.complete(id);
  }

  /**
   * Reads every conversation with all its turns, newest first: for search and export. With `words`, which are folded,
   * it skips conversations without a turn that has all of them.
   */
  async *scan(signal?: AbortSignal, words: readonly string[] = []): AsyncGenerator<StoredConversation> {
    await this.#folderSync.watch();
    for await (const summary of this.#folderList.findCandidates(words)) {
      signal?.throwIfAborted();
      if (!summary) continue;
      const { replay } = await readWhole(this.#storage, getTranscriptName(summary.id));
      const isStreaming = await this.#folderList.isStreaming(summary);
      yield replay.toConversation(summary, isStreaming, pickAbout(summary));
    }
  }

  /** Returns the size of a conversation’s file in bytes; 0 if it has none. Throws file system errors. */
  async getSize(id: string): Promise<number> {
    return (await this.#storage.statFile(getTranscriptName(id)))?.size ?? 0;
  }

  /** Reads bytes of a conversation’s file, without opening it. Throws file system errors. */
  readTranscriptBytes(id: string, from: number, to: number): Promise<Uint8Array | undefined> {
    return this.#storage.readFile(getTranscriptName(id), from, to);
  }

  /** Writes queued records, releases all leases and clears all timers. What goes on after that starts none that repeats. */
  async dispose(): Promise<void> {
    this.#isClosing = true;
    this.#folderSync.stopWatching();
    this.deletions.dispose();
    this.#leaseWatcher.dispose();
    await Promise.all([...this.#files.keys()].map((id) => this.closeTranscript(id)));
    await this.#index.whenIdle();
    await Promise.all([this.#leases.dispose(), this.drafts.dispose(), this.composers.dispose()]);
    await this.#index.dispose();
    this.#events.dispose();
  }

  async #appendClosed(id: string, about: Partial<About>, header?: Header): Promise<void> {
    const file = this.#createFile(id, header);
    file.appendRecord({ type: 'about', ...about });
    await file.dispose();
    await this.#folderSync.refreshFile(id);
  }

  #getFile(id: string): TranscriptFile {
    let file = this.#files.get(id);
    if (!file) {
      file = this.#createFile(id);
      this.#files.set(id, file);
    }
    return file;
  }

  #expectQuietAfter<T extends Lease | { readonly heldBy: LeaseHolder }>(id: string, lease: T): T {
    if (!('release' in lease)) return lease;
    const release = () => lease.release().finally(() => this.#leaseWatcher.expectQuiet(id));
    return { ...lease, release };
  }

  #createFile(id: string, header?: Header): TranscriptFile {
    if (!/^[\w-]{1,100}$/.test(id)) throw new Error('Not an id that a file can be named after');
    const events: TranscriptFileEvents = {
      onRecords: (records) => this.#events.fire({ type: 'records', id, records }),
      onWriteFailed: (error) => this.#events.fire({ type: 'writeFailed', id, error }),
      onTurnsSaved: () => this.#onTurnsSaved(id),
      onWriteRecovered: () => this.#events.fire({ type: 'writeRecovered', id }),
      onDeleted: () => {
        this.deletions.noteSeen(id);
        void this.#folderSync.refreshFile(id);
      },
      recall: () => this.#prepareRecall(id),
      isClosing: () => this.#isClosing,
    };
    return new TranscriptFile(this.#storage, getTranscriptName(id), getDeletedName(id), events, header);
  }

  /**
   * Returns the state of a transcript, which a crashed or reloaded window may have left under a temporary name. One that was
   * created and not written counts as missing.
   */
  async #findTranscript(id: string): Promise<FileInfo | undefined> {
    const name = getTranscriptName(id);
    let found = await this.#storage.statFile(name);
    if (!found) {
      await this.#storage.listNames();
      found = await this.#storage.statFile(name);
    }
    return found && this.#index.isUnwritten(id, found) ? undefined : found;
  }

  /** Reads only up to `end`, where the first read ended: what comes after it is reported as another window's records. */
  async #readEarlier(
    id: string,
    first: string | undefined,
    end: number,
    live: boolean,
  ): ReturnType<OpenedConversation['earlier']> {
    const { replay, damage } = await readWhole(this.#storage, getTranscriptName(id), end);
    const all = replay.getTurns(live);
    const count = all.findIndex((turn) => turn.id === first);
    const turns = all.slice(0, Math.max(0, count));
    this.#getFile(id).addKnownTurnIds(turns.map((turn) => turn.id));
    return { turns, damage };
  }
}
