import type { Lease } from '../store/files/lease';
import type { ConversationStore } from '../store/store';

/**
 * The right to write the messages and replies of one conversation, until it is released or lost. `leased`: no other
 * window writes it until one takes over. `unprotected`: the disk refused a lease, so other windows may write too.
 */
class WritePermission {
  readonly conversationId: string;
  readonly kind: 'leased' | 'unprotected';
  /** Aborted when another window takes over, which an unprotected permission never hears of. */
  readonly lost: AbortSignal;
  readonly #check: () => Promise<void>;
  readonly #release: () => Promise<void>;
  #isReleased = false;

  constructor(
    conversationId: string,
    lease: Lease | undefined,
    check: () => Promise<void>,
    release: () => Promise<void>,
  ) {
    this.conversationId = conversationId;
    this.kind = lease ? 'leased' : 'unprotected';
    this.lost = lease?.lost ?? new AbortController().signal;
    this.#check = check;
    this.#release = release;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Looks whether another window took over, which then aborts `lost`. Never rejects. */
  check(): Promise<void> {
    return this.#check();
  }

  /** Never rejects. */
  release(): Promise<void> {
    // From here on another window may write.
    this.#isReleased = true;
    return this.#release();
  }
}

// Only the type: `WritePermissions` alone makes them.
export type { WritePermission };

/** Acquires and tracks this window's permissions to write conversations. */
export class WritePermissions {
  readonly #store: ConversationStore;
  readonly #held = new Map<string, Set<WritePermission>>();

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  /** Returns whether this window may write the conversation. */
  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** Returns undefined if another window is writing the conversation. `force` takes its lease over. */
  async acquirePermission(id: string, { force = false } = {}): Promise<WritePermission | undefined> {
    try {
      const lease = await (force ? this.#store.takeOver(id) : this.#store.acquireLease(id));
      return 'heldBy' in lease ? undefined : this.#add(id, lease);
    } catch (error) {
      // A disk that can't be written must not keep the user from chatting.
      this.#store.reportError(error);
      return this.#add(id, undefined);
    }
  }

  #add(id: string, lease: Lease | undefined): WritePermission {
    const check = async () => lease && this.#store.checkLease(id).catch(this.#store.reportError);
    const forget = () => this.#remove(id, permission);
    const permission = new WritePermission(id, lease, check, async () => {
      // Others may share the lease.
      permission.lost.removeEventListener('abort', forget);
      forget();
      // A file that can't be removed expires: no reason to fail what was done with it.
      await lease?.release().catch(this.#store.reportError);
    });
    permission.lost.addEventListener('abort', forget, { once: true });
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
