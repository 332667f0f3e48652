import { sleep } from '../../client/sleep';
import { getTranscriptName } from './conversationIndex';
import type { ComposerFiles } from './files/composerFiles';
import type { DelayedFiles } from './files/delayedFiles';
import { getWaitMs, type Lease, type Leases } from './files/lease';
import type { QueueFiles } from './files/queueFiles';
import type { FileInfo, Storage } from './files/storage';
import { Replay, type StoredConversation } from './transcript/replay';
import { readForward } from './transcript/transcriptReader';

const EXTENSION = '.deleted';
/** Marks a deletion that was undone, but whose file couldn't be renamed back yet. */
const UNDONE_EXTENSION = '.undone';
/** Age at which a deletion that the service can't be told of is completed here. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export const getDeletedName = (id: string) => `${id}${EXTENSION}`;

/** Returns the ID of the conversation that this file was, or undefined for other files. */
export function parseDeletedName(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

interface Parts {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly drafts: DelayedFiles;
  readonly composers: ComposerFiles;
  readonly queues: QueueFiles;
  readonly onError: (error: unknown) => void;
}

/**
 * Deletions of conversations: the file is renamed, and removed when Undo is no longer offered. Until then a lease
 * shows other windows that this one completes the deletion.
 */
export class Deletions {
  readonly #parts: Parts;
  /** The leases of the deletions in progress in this window. */
  readonly #running = new Map<string, Lease | undefined>();
  readonly #seen = new Set<string>();
  readonly #closing = new AbortController();

  /** `onError` receives failures to complete single deletions, and to remove a lease. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** IDs of the conversations whose deletion this window has seen, and whose remains it hasn't removed yet. */
  get seen(): readonly string[] {
    return [...this.#seen];
  }

  /** Returns whether a conversation was deleted, and can still be restored. */
  async isPending(id: string): Promise<boolean> {
    return (await this.#parts.storage.statFile(getDeletedName(id))) !== undefined;
  }

  /** IDs of the conversations whose deletion is in progress in this window. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /**
   * Returns a conversation whose deletion can still be undone, with what other windows wrote last, or undefined if a newer
   * version wrote it. Throws file system errors.
   */
  async readDeleted(id: string): Promise<StoredConversation | undefined> {
    const info = await this.#parts.storage.statFile(getDeletedName(id));
    return info && this.#read(id, info);
  }

  /**
   * Hides a conversation until its deletion is undone or completed. Returns false if it has no file, or a deletion of it is
   * in progress already. Throws file system errors, and changes nothing then.
   */
  async start(id: string): Promise<boolean> {
    const { storage } = this.#parts;
    if (this.#running.has(id)) return false;
    let isStarted = false;
    try {
      // Another window that has the lease but hasn't renamed the file, or no longer, leaves the deletion to this one. A full
      // disk refuses a lease, but has room again once something is deleted.
      await this.#acquire(id).catch(this.#parts.onError);
      if (!(await this.#isThere(id))) return false;
      await storage.removeFile(`${id}${UNDONE_EXTENSION}`);
      await storage.touchFile(getTranscriptName(id));
      isStarted = await storage.renameFile(getTranscriptName(id), getDeletedName(id));
      return isStarted;
    } finally {
      if (!isStarted) await this.#release(id);
    }
  }

  /**
   * Restores the conversation, unless there is one with its ID again. Returns false if there is none: another window has
   * completed the deletion. Throws file system errors; a later start restores it then.
   */
  async undo(id: string): Promise<boolean> {
    let keepsLease = false;
    try {
      return await this.#restore(id);
    } catch (error) {
      await this.#parts.storage.createFile(`${id}${UNDONE_EXTENSION}`, new Uint8Array()).catch((reason) => {
        // Without the lease, the next window that starts would complete the deletion.
        keepsLease = true;
        throw reason;
      });
      throw error;
    } finally {
      if (!keepsLease) await this.#release(id);
    }
  }

  /**
   * Removes the conversation's files; the other files belong to the conversation with its ID, if there is one again. Throws
   * file system errors; a later start removes the rest then.
   */
  async complete(id: string): Promise<void> {
    try {
      if (!(await this.#isThere(id))) await this.#removeOtherFiles(id);
      await this.#parts.storage.removeFile(getDeletedName(id));
    } finally {
      await this.#release(id);
    }
  }

  /** Notes that a conversation's deletion was seen: a transcript that is only missing isn't deleted. */
  noteSeen(id: string): void {
    this.#seen.add(id);
  }

  /** Removes what this window stored of a conversation whose deletion another one has completed. Throws file system errors. */
  async removeRemains(id: string): Promise<void> {
    // The other window completes deletions that can still be undone; one may be undone between two looks.
    if (!this.#seen.has(id) || (await this.isPending(id))) return;
    const isThere = await this.#isThere(id);
    // It may have been renamed between the two looks.
    if (await this.isPending(id)) return;
    if (!isThere) await this.#removeOtherFiles(id);
    this.#seen.delete(id);
  }

  /**
   * Completes the deletions that no window is going to complete, and restores what couldn't be restored when a deletion was
   * undone. `deleteRemote` deletes a conversation on the service; if it throws, the deletion is completed at a later start,
   * or without the service after a day. Waits for the lease of a window that was killed just now. Reports the errors of
   * each deletion; throws file system errors of the list.
   */
  async completeAbandoned(deleteRemote: (conversation: StoredConversation) => Promise<void>): Promise<void> {
    const held = await this.#completeEach(await this.#list(), deleteRemote);
    if (held.length === 0) return;
    await sleep(getWaitMs(this.#parts.leases.times), this.#closing.signal).catch(() => undefined);
    if (!this.#closing.signal.aborted) await this.#completeEach(held, deleteRemote);
  }

  dispose(): void {
    this.#closing.abort();
  }

  async #removeOtherFiles(id: string): Promise<void> {
    const { drafts, composers, queues } = this.#parts;
    await Promise.all([drafts.remove(id), composers.remove(id), queues.remove(id)]);
  }

  /** Returns whether the conversation is there now. */
  async #restore(id: string): Promise<boolean> {
    const { storage } = this.#parts;
    const isThere =
      (await this.#isThere(id)) || (await storage.renameFile(getDeletedName(id), getTranscriptName(id)));
    await storage.removeFile(`${id}${UNDONE_EXTENSION}`);
    return isThere;
  }

  async #list(): Promise<string[]> {
    const names = await this.#parts.storage.listNames();
    return names.flatMap((name) => parseDeletedName(name) ?? []).filter((id) => !this.#running.has(id));
  }

  /**
   * Returns whether there is a conversation with this ID: an older version imported it again, or a file system didn't
   * finish the renaming.
   */
  async #isThere(id: string): Promise<boolean> {
    return (await this.#parts.storage.statFile(getTranscriptName(id))) !== undefined;
  }

  /** Returns the deletions whose lease another window has. */
  async #completeEach(
    ids: readonly string[],
    deleteRemote: (conversation: StoredConversation) => Promise<void>,
  ): Promise<readonly string[]> {
    const held: string[] = [];
    for (const id of ids) {
      try {
        if (!(await this.#tryComplete(id, deleteRemote))) held.push(id);
      } catch (error) {
        // A later start tries it again.
        this.#parts.onError(error);
      }
    }
    return held;
  }

  /** Completes a deletion if it is abandoned; returns false if another window has its lease. Throws file system errors. */
  async #tryComplete(
    id: string,
    deleteRemote: (conversation: StoredConversation) => Promise<void>,
  ): Promise<boolean> {
    if (this.#running.has(id)) return true;
    const { storage } = this.#parts;
    try {
      if (!(await this.#acquire(id))) return false;
      const info = await storage.statFile(getDeletedName(id));
      if (await storage.statFile(`${id}${UNDONE_EXTENSION}`)) await this.#restore(id);
      else if (info && (await this.#deleteRemote(id, info, deleteRemote))) await this.complete(id);
      return true;
    } finally {
      await this.#release(id);
    }
  }

  /** Returns whether the deletion is to be completed here. */
  async #deleteRemote(
    id: string,
    info: FileInfo,
    deleteRemote: (conversation: StoredConversation) => Promise<void>,
  ): Promise<boolean> {
    const deleted = await this.#read(id, info);
    const found = await this.#parts.storage.statFile(getTranscriptName(id));
    const other = found && (await this.#read(id, found));
    // Only the newer version knows what it stored about the service.
    if (!deleted || (found && !other)) return false;
    // The service's conversation still belongs to the one that is there.
    if (other && other.remote?.id === deleted.remote?.id) return true;
    try {
      await deleteRemote(deleted);
      return true;
    } catch (error) {
      this.#parts.onError(error);
      // Over the browser's database the time may be unknown, which is 0.
      return info.mtime > 0 && Date.now() - info.mtime > MAX_AGE_MS;
    }
  }

  /** Returns undefined if a newer version wrote the transcript. */
  async #read(id: string, { name, size, mtime }: FileInfo): Promise<StoredConversation | undefined> {
    const replay = new Replay();
    for await (const { records, isNewerVersion } of readForward(this.#parts.storage, name, 0, size, false)) {
      if (isNewerVersion) return undefined;
      replay.apply(records);
    }
    return replay.toConversation({ id, createdAt: mtime }, false);
  }

  /** Acquires the lease of a deletion; returns false if another window has it. */
  async #acquire(id: string): Promise<boolean> {
    this.#running.set(id, undefined);
    const lease = await this.#parts.leases.acquire(getDeletedName(id));
    if ('heldBy' in lease) return false;
    this.#running.set(id, lease);
    return true;
  }

  /** Leaves a deletion to the next start, if it isn't completed. */
  async #release(id: string): Promise<void> {
    const lease = this.#running.get(id);
    this.#running.delete(id);
    // A file that can't be removed expires: no reason to fail what was done with it.
    await lease?.release().catch(this.#parts.onError);
  }
}
