import * as v from 'valibot';
import { sleep } from '../../../client/sleep';
import { type QueuedMessage, queuedMessageSchema } from '../../model/queue';
import type { Leases } from './lease';
import type { Storage } from './storage';

const EXTENSION = '.queue';
/** Interval between two attempts to lock a queue that another window is changing. */
const LOCK_RETRY_MS = 20;

/** Returns the id of the conversation whose queue this file holds, or undefined for other files. */
export function parseQueueName(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** The queued messages of each conversation: one file each, deleted when empty. Throws file system errors. */
export class QueueFiles {
  readonly #storage: Storage;
  readonly #leases: Leases;
  readonly #onError: (error: unknown) => void;

  /** `onError` receives damaged files, which count as empty, and leases that can't be removed, which expire. */
  constructor(storage: Storage, leases: Leases, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#leases = leases;
    this.#onError = onError;
  }

  /**
   * Runs `work` while no other window changes the queue. If another window dies while changing it, waits
   * until its lease expires.
   */
  async runExclusively<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const name = `${conversationId}${EXTENSION}`;
    for (;;) {
      const lease = await this.#leases.acquire(name);
      if ('heldBy' in lease) await sleep(LOCK_RETRY_MS);
      else return await work().finally(() => lease.release().catch(this.#onError));
    }
  }

  async read(conversationId: string): Promise<readonly QueuedMessage[]> {
    const bytes = await this.#storage.read(`${conversationId}${EXTENSION}`);
    if (!bytes) return [];
    try {
      return v.parse(fileSchema, JSON.parse(new TextDecoder().decode(bytes)), { abortEarly: true });
    } catch (error) {
      this.#onError(error);
      return [];
    }
  }

  /** Resolves once the messages would survive a power loss. */
  async write(conversationId: string, messages: readonly QueuedMessage[]): Promise<void> {
    const name = `${conversationId}${EXTENSION}`;
    if (messages.length === 0) await this.#storage.remove(name);
    else await this.#storage.replace(name, new TextEncoder().encode(JSON.stringify(messages)));
  }
}

const fileSchema = v.array(queuedMessageSchema);
