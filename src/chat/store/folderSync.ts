import { type ConversationIndex, getTranscriptName, parseTranscriptName } from './conversationIndex';
import { parseDeletedName } from './deletions';
import { type Leases, parseLeaseName } from './files/lease';
import type { LeaseWatcher } from './files/leaseWatcher';
import { parseQueueName } from './files/queueFiles';
import type { Storage, StorageWatcher } from './files/storage';
import type { StoreEvent } from './storeEvents';
import type { TranscriptFile } from './transcript/transcriptFile';

interface Parts {
  readonly storage: Storage;
  readonly index: ConversationIndex;
  /** The transcripts that are read and written in this window, by their conversations' IDs. */
  readonly files: ReadonlyMap<string, TranscriptFile>;
  readonly leases: Leases;
  readonly leaseWatcher: LeaseWatcher;
  readonly fire: (event: StoreEvent) => void;
  /** Called when the file of a deleted conversation appears or is removed. */
  readonly onDeletion: (id: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Fewer than Node.js's threads for files, so that reads that the user waits for aren't queued behind these. */
const MAX_CONCURRENT_CHECKS = 3;

/** Brings the index and the open transcripts up to date when files of the folder change. */
export class FolderSync {
  readonly #parts: Parts;
  #watcher: StorageWatcher | undefined;
  #isStopped = false;

  /** `onError` receives harmless errors, such as a watcher that stopped. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts watching the folder, once. Resolves when no later change will be missed. */
  watch(): Promise<void> {
    const { storage, leases, leaseWatcher, fire, onDeletion, onError } = this.#parts;
    this.#watcher ??= storage.watch((name) => {
      const id = parseTranscriptName(name);
      if (id !== undefined) void this.refreshFile(id);
      const deletedId = parseDeletedName(name);
      if (deletedId !== undefined) {
        onDeletion(deletedId);
        // In case the transcript couldn't be checked when it was renamed.
        void this.refreshFile(deletedId);
      }
      const queuedId = parseQueueName(name);
      if (queuedId !== undefined) fire({ type: 'queue', id: queuedId });
      const leasedId = parseLeaseName(name);
      // The lease of a queue, such as `ID.queue.lease`, has no transcript and no writer to follow.
      if (leasedId === undefined || leasedId.includes('.')) return;
      void leases.check(leasedId).catch(onError);
      // Report the writer's last records before reporting that it is gone.
      void this.refreshFile(leasedId)
        .then(() => leaseWatcher.checkLeaseFile(leasedId))
        .catch(onError);
    }, onError);
    return this.#watcher.started;
  }

  /** Checks all files for changes that the watcher may have missed. Throws file system errors of the folder. */
  async refreshAll(): Promise<void> {
    const { storage, index, files, fire } = this.#parts;
    const [names] = await Promise.all([storage.listNames(), index.load()]);
    // The queue of an open one may have been removed.
    for (const id of new Set([...files.keys(), ...names.flatMap((name) => parseQueueName(name) ?? [])]))
      fire({ type: 'queue', id });
    const stored = names.flatMap((name) => parseTranscriptName(name) ?? []);
    await this.refreshFiles([...index.ids, ...files.keys(), ...stored]);
  }

  /** Refreshes several files, as `refreshFile`. */
  async refreshFiles(ids: readonly string[]): Promise<void> {
    const left = new Set(ids).values();
    const worker = async () => {
      for (const id of left) {
        if (this.#isStopped) return;
        await this.refreshFile(id);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, worker));
  }

  /** Refreshes a file that may have changed. Refreshes of a file run one at a time; a failed one is reported. */
  refreshFile(id: string): Promise<void> {
    const { index, onError } = this.#parts;
    return index.runInTurn(id, () => this.#refreshFileNow(id)).catch(onError);
  }

  stopWatching(): void {
    this.#isStopped = true;
    this.#watcher?.dispose();
  }

  async #refreshFileNow(id: string): Promise<void> {
    const { storage, index, files, leaseWatcher, fire } = this.#parts;
    await index.load();
    const isKnown = () => index.has(id) || files.get(id)?.isWatched === true;
    const wasKnown = isKnown();
    // Stat before reading, so that anything written in between counts as a new change.
    const info = await storage.statFile(getTranscriptName(id));
    if (!info) {
      if (!isKnown()) return;
      // One that was listed or written since then has a file, or had one.
      if (!wasKnown) return this.#refreshFileNow(id);
      index.removeSummary(id);
      leaseWatcher.unwatch(id);
      void files.get(id)?.stopWatching();
      fire({ type: 'deleted', id });
      return;
    }
    await files.get(id)?.readChanges(info);
    // What is written next is reported as well.
    if (index.isUnwritten(id, info)) return;
    const before = index.getSummary(id);
    const summary = await index.readSummary(id, info);
    if (!summary || summary === before || JSON.stringify(summary) === JSON.stringify(before)) return;
    fire({ type: before ? 'changed' : 'created', summary });
  }
}
