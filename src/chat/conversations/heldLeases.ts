import type { Lease } from '../store/lease';
import type { ConversationStore } from '../store/store';

/** Acquires leases and tracks which conversations this window may write. */
export class HeldLeases {
  readonly #store: ConversationStore;
  readonly #onError: (error: unknown) => void;
  readonly #leases = new Map<string, Set<Lease>>();

  constructor(store: ConversationStore, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Returns whether this window holds a lease of the conversation. */
  has(id: string): boolean {
    return this.#leases.has(id);
  }

  /** Acquires the lease; returns undefined if another window holds it. `force` takes it over. */
  async acquire(id: string, { force = false } = {}): Promise<Lease | undefined> {
    try {
      const lease = await (force ? this.#store.takeOver(id) : this.#store.acquire(id));
      return 'heldBy' in lease ? undefined : this.#track(id, lease);
    } catch (error) {
      // A disk that can't be written must not keep the user from chatting.
      this.#onError(error);
      return this.#track(id, { lost: new AbortController().signal, release: async () => undefined });
    }
  }

  /** Records that this window holds the lease until it is released or lost. */
  #track(id: string, lease: Lease): Lease {
    const leases = this.#leases.get(id) ?? new Set();
    this.#leases.set(id, leases.add(lease));
    const drop = () => {
      leases.delete(lease);
      if (leases.size === 0 && this.#leases.get(id) === leases) this.#leases.delete(id);
    };
    lease.lost.addEventListener('abort', drop, { once: true });
    const release = () => {
      // From here on another window may write.
      drop();
      return lease.release();
    };
    return { lost: lease.lost, release };
  }
}
