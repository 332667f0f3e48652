import { getWaitMs, type LeaseHolder, type Leases } from './lease';

/** Tracks which open conversations another window is writing; runs a timer only while one does. */
export class LeaseWatcher {
  readonly #leases: Leases;
  readonly #onChange: (id: string, heldBy: LeaseHolder | undefined) => void;
  readonly #onError: (error: unknown) => void;
  readonly #holders = new Map<string, LeaseHolder | undefined>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(
    leases: Leases,
    onChange: (id: string, heldBy: LeaseHolder | undefined) => void,
    onError: (error: unknown) => void,
  ) {
    this.#leases = leases;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Starts watching a conversation and resolves to its current writer. */
  async add(id: string): Promise<LeaseHolder | undefined> {
    const holder = await this.#leases.heldElsewhere(id);
    this.#set(id, holder);
    return holder;
  }

  /** Starts watching a conversation that was created here, unless it is already watched. */
  addUnlocked(id: string): void {
    if (!this.#holders.has(id)) this.#holders.set(id, undefined);
  }

  /** Checks a lease again after its file changed or should have changed. */
  async refresh(id: string): Promise<void> {
    if (!this.#holders.has(id)) return;
    const holder = await this.#leases.heldElsewhere(id);
    if (!this.#holders.has(id)) return;
    const before = this.#holders.get(id);
    this.#set(id, holder);
    if (before?.owner !== holder?.owner || before?.at !== holder?.at) this.#onChange(id, holder);
  }

  remove(id: string): void {
    this.#holders.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  dispose(): void {
    for (const id of [...this.#holders.keys()]) this.remove(id);
  }

  #set(id: string, holder: LeaseHolder | undefined): void {
    this.remove(id);
    this.#holders.set(id, holder);
    // A crashed writer causes no more file events, so check after the timeout.
    if (holder)
      this.#timers.set(
        id,
        setTimeout(() => this.refresh(id).catch(this.#onError), getWaitMs(this.#leases.times)),
      );
  }
}
