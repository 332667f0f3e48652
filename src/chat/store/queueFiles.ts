import * as v from 'valibot';
import { sleep } from '../base/sleep';
import { chipSchema } from '../model/chipSchema';
import type { QueuedMessage } from '../model/queue';
import { id } from '../model/record';
import type { Leases } from './lease';
import type { Storage } from './storage';

const EXTENSION = '.queue';
/** Between two looks at a queue that another window changes, in ms. */
const LOCK_RETRY_MS = 20;

/** The conversation whose queue this file holds; undefined for other files. */
export function idOfQueue(name: string): string | undefined {
  return name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : undefined;
}

/** The queued messages of each conversation: one file each, as long as there are any. Throws what the file system says. */
export class QueueFiles {
  readonly #storage: Storage;
  readonly #leases: Leases;
  readonly #onError: (error: unknown) => void;

  /** `onError` hears of damaged files, which count as empty. */
  constructor(storage: Storage, leases: Leases, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#leases = leases;
    this.#onError = onError;
  }

  /** Runs `work` while no other window changes the queue. A window that died holds it up for as long as its lease lasts. */
  async runExclusively<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    const name = `${conversationId}${EXTENSION}`;
    for (;;) {
      const lease = await this.#leases.acquire(name);
      if ('heldBy' in lease) await sleep(LOCK_RETRY_MS, new AbortController().signal);
      else return await work().finally(() => lease.release());
    }
  }

  async read(conversationId: string): Promise<readonly QueuedMessage[]> {
    const bytes = await this.#storage.read(`${conversationId}${EXTENSION}`);
    if (!bytes) return [];
    try {
      return v.parse(fileSchema, JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      this.#onError(error);
      return [];
    }
  }

  /** Resolves once the messages would survive a loss of power. */
  async write(conversationId: string, messages: readonly QueuedMessage[]): Promise<void> {
    const name = `${conversationId}${EXTENSION}`;
    if (messages.length === 0) await this.#storage.remove(name);
    else await this.#storage.replace(name, new TextEncoder().encode(JSON.stringify(messages)));
  }
}

const fileSchema: v.GenericSchema<unknown, readonly QueuedMessage[]> = v.array(
  v.object({
    id,
    text: v.string(),
    context: v.array(chipSchema),
    webSearch: v.exactOptional(v.literal(true)),
    documents: v.exactOptional(v.array(id)),
    serviceDocuments: v.exactOptional(v.array(v.string())),
    sending: v.exactOptional(v.literal(true)),
  }),
);
