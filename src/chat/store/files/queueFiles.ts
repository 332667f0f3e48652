import { type QueuedMessage, storedMessageSchema } from '../../model/queuedMessage';
import { areEqual } from './fileParts';
import type { Leases } from './lease';
import type { Storage } from './storage';
import {
  addUnknownItems,
  keepDamagedFile,
  parseItems,
  removeWithCopies,
  type UnknownItem,
} from './storedItems';

const EXTENSION = '.queue';

/** Returns the ID of the conversation whose queue this file holds, or undefined for other files. */
export function parseQueueName(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** The queued messages of each conversation: one file each, deleted when empty. Throws file system errors. */
export class QueueFiles {
  readonly #storage: Storage;
  readonly #leases: Leases;
  readonly #onError: (error: unknown) => void;
  readonly #onDamaged: (conversationId: string) => void;

  /**
   * `onError` receives damaged files, which count as empty, and leases that can't be removed, which expire. `onDamaged` is
   * called as well when a file is damaged; a copy of it was kept.
   */
  constructor(
    storage: Storage,
    leases: Leases,
    onError: (error: unknown) => void,
    onDamaged: (conversationId: string) => void,
  ) {
    this.#storage = storage;
    this.#leases = leases;
    this.#onError = onError;
    this.#onDamaged = onDamaged;
  }

  /**
   * Runs `work` while no other window changes the queue. If another window dies while changing it, waits
   * until its lease expires.
   */
  async runExclusively<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const lease = await this.#leases.waitFor(`${conversationId}${EXTENSION}`);
    return await work().finally(() => lease.release().catch(this.#onError));
  }

  async read(conversationId: string): Promise<readonly QueuedMessage[]> {
    return (await this.#read(conversationId)).known;
  }

  /** Keeps the messages of a newer version in the file. Resolves once the messages would survive a power loss. */
  async write(conversationId: string, messages: readonly QueuedMessage[]): Promise<void> {
    const name = `${conversationId}${EXTENSION}`;
    const { unknown } = await this.#read(conversationId);
    const all = addUnknownItems(messages, unknown);
    if (all.length === 0) {
      await this.#storage.removeFile(name);
      return;
    }
    const bytes = new TextEncoder().encode(JSON.stringify(all));
    try {
      await this.#storage.replaceFile(name, bytes);
    } catch (error) {
      // If only the answer was lost, a message that seems unsaved would be queued, and sent, twice.
      const stored = await this.#storage.readFile(name);
      if (!stored || !areEqual(stored, bytes)) throw error;
    }
  }

  /** Removes all messages, and what was kept of damaged files. */
  async remove(conversationId: string): Promise<void> {
    await removeWithCopies(this.#storage, `${conversationId}${EXTENSION}`);
  }

  async #read(
    conversationId: string,
  ): Promise<{ readonly known: readonly QueuedMessage[]; readonly unknown: readonly UnknownItem[] }> {
    const name = `${conversationId}${EXTENSION}`;
    const bytes = await this.#storage.readFile(name);
    if (!bytes) return { known: [], unknown: [] };
    try {
      const items: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (!Array.isArray(items)) throw new Error(`${name} has no list of messages`);
      return parseItems(items, storedMessageSchema);
    } catch (error) {
      const damaged = await keepDamagedFile(this.#storage, name, bytes, error);
      this.#onError(damaged);
      this.#onDamaged(conversationId);
      return { known: [], unknown: [] };
    }
  }
}
