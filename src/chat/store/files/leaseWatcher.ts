import { getWaitMs, type LeaseHolder, type Leases } from './lease';

interface LeaseEvents {
  /** Reads what other windows wrote to a conversation: the end of a reply is written before the lease is released. */
  readChanges(id: string): Promise<void>;
  /**
   * Called when another window starts or stops to write. `isBack`: it only seemed to be gone, as a window on a busy machine
   * that sends no heartbeats for a while.
   */
  onChange(id: string, heldBy: LeaseHolder | undefined, isBack: boolean): void;
  /** Called when no window has held the lease for the stale timeout. */
  onQuiet(id: string): void;
  onError(error: unknown): void;
}

/**
 * Tracks which conversations another window is writing, of those that are open or streaming; runs a timer only while a window
 * writes, and once after that.
 */
export class LeaseWatcher {
  readonly #leases: Leases;
  readonly #events: LeaseEvents;
  readonly #holders = new Map<string, LeaseHolder | undefined>();
  /** The last holders of the leases that no window holds as far as this one knows. */
  readonly #previousHolders = new Map<string, LeaseHolder>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #isDisposed = false;

  constructor(leases: Leases, events: LeaseEvents) {
    this.#leases = leases;
    this.#events = events;
  }

  /** Starts watching a conversation and resolves to its current writer. */
  async createClosed(id: string): Promise<LeaseHolder | undefined> {
    const holder = await this.#leases.findOtherHolder(id);
    this.#set(id, holder);
    return holder;
  }

  /** Starts watching a conversation that was created here, unless it is already watched. */
  addUnlocked(id: string): void {
    if (!this.#holders.has(id)) this.#holders.set(id, undefined);
  }

  /**
   * Checks a lease again after its file changed or should have changed. `reportsAlways`: reports the holder, or that there is
   * none, even if that hasn't changed. `refusedBy`: who holds it if the file doesn't say so, such as a window that was about
   * to take it over.
   */
  async checkLeaseFile(id: string, reportsAlways = false, refusedBy?: LeaseHolder): Promise<void> {
    if (!this.#holders.has(id)) return;
    const holder = (await this.#leases.findOtherHolder(id)) ?? refusedBy;
    if (!holder) await this.#events.readChanges(id);
    if (!this.#holders.has(id)) return;
    const before = this.#holders.get(id);
    const isBack = !before && holder !== undefined && isSame(holder, this.#previousHolders.get(id));
    this.#set(id, holder);
    if (!isSame(before, holder) || reportsAlways) this.#events.onChange(id, holder, isBack);
    if (!before || holder) return;
    this.#previousHolders.set(id, before);
    this.expectQuiet(id);
  }

  /** Checks after the stale timeout whether a window holds the lease. One that works without it acquires it before then. */
  expectQuiet(id: string): void {
    if (this.#holders.has(id)) this.#setTimer(id, () => this.#checkQuiet(id));
  }

  unwatch(id: string): void {
    this.#holders.delete(id);
    this.#previousHolders.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const id of [...this.#holders.keys()]) this.unwatch(id);
  }

  #set(id: string, holder: LeaseHolder | undefined): void {
    this.#holders.set(id, holder);
    // A crashed writer causes no more file events, so check after the timeout.
    if (holder) this.#setTimer(id, () => this.checkLeaseFile(id));
  }

  async #checkQuiet(id: string): Promise<void> {
    // Otherwise it is checked when the lease is released.
    if (this.#leases.isHeldHere(id)) return;
    await this.checkLeaseFile(id);
    if (this.#holders.has(id) && !this.#holders.get(id)) this.#events.onQuiet(id);
  }

  #setTimer(id: string, check: () => Promise<void>): void {
    if (this.#isDisposed) return;
    clearTimeout(this.#timers.get(id));
    const run = () =>
      check().catch((error) => {
        this.#events.onError(error);
        // Otherwise a crashed writer would never be gone.
        if (this.#timers.get(id) === timer) this.#setTimer(id, check);
      });
    const timer = setTimeout(run, getWaitMs(this.#leases.times));
    this.#timers.set(id, timer);
  }
}

function isSame(one: LeaseHolder | undefined, other: LeaseHolder | undefined): boolean {
  return one?.owner === other?.owner && one?.at === other?.at;
}
