import type { Lease } from '../store/files/lease';
import type { ConversationStore } from '../store/store';

/**
 * Permission to write a conversation, until it is released. `leased`: no other window writes it, until one takes
 * over and `lost` is aborted; `check` looks whether one did. `unprotected`: the disk refused a lease, so other windows may
 * write too. `release` and `check` never reject.
 */
export type WritePermission =
  | { readonly kind: 'leased'; readonly lost: AbortSignal; check(): Promise<void>; release(): Promise<void> }
  | { readonly kind: 'unprotected'; release(): Promise<void> };

/** Acquires and tracks this window's permissions to write conversations. */
export class WritePermissions {
  readonly #store: ConversationStore;
  readonly #onError: (error: unknown) => void;
  readonly #held = new Map<string, Set<WritePermission>>();

  constructor(store: ConversationStore, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Returns whether this window may write the conversation. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Returns undefined if another window is writing the conversation. `force` takes its lease over. */
  async acquire(id: string, { force = false } = {}): Promise<WritePermission | undefined> {
    try {
      const lease = await (force ? this.#store.takeOver(id) : this.#store.acquire(id));
      return 'heldBy' in lease ? undefined : this.#addLeased(id, lease);
    } catch (error) {
      // A disk that can't be written must not keep the user from chatting.
      this.#onError(error);
      return this.#addUnprotected(id);
    }
  }

  #addLeased(id: string, lease: Lease): WritePermission {
    const permission: WritePermission = {
      kind: 'leased',
      lost: lease.lost,
      check: () => this.#store.checkLease(id).catch(this.#onError),
      release: () => {
        // From here on another window may write.
        this.#remove(id, permission);
        // A file that can't be removed expires: no reason to fail what was done with it.
        return lease.release().catch(this.#onError);
      },
    };
    lease.lost.addEventListener('abort', () => this.#remove(id, permission), { once: true });
    return this.#add(id, permission);
  }

  #addUnprotected(id: string): WritePermission {
    const permission: WritePermission = {
      kind: 'unprotected',
      release: async () => this.#remove(id, permission),
    };
    return this.#add(id, permission);
  }

  #add(id: string, permission: WritePermission): WritePermission {
    const held = this.#held.get(id) ?? new Set();
    this.#held.set(id, held.add(permission));
    return permission;
  }

  #remove(id: string, permission: WritePermission): void {
    const held = this.#held.get(id);
    held?.delete(permission);
    if (held?.size === 0) this.#held.delete(id);
  }
}
