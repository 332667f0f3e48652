/** ms. `Date` is cut to whole seconds, and the answer was under way: by more than this a clock has been set anew. */
const JITTER_MS = 3000;

/** The service's clock, as far as its answers tell the time (`Date`), which a browser may hide. */
export class ServiceClock {
  /** ms to add to this machine's time. */
  #offset: number | undefined;

  /** Takes in an answer that came at `now`, in ms since the epoch. */
  update(headers: Headers, now: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(date)) return;
    const offset = date - now;
    // The largest is the nearest, and one that only grows keeps the order of what was timed by it.
    const isSetAnew = this.#offset !== undefined && offset < this.#offset - JITTER_MS;
    this.#offset = isSetAnew ? offset : Math.max(this.#offset ?? offset, offset);
  }

  /** This machine's time as the service tells it, both in ms since the epoch; to a second or two. */
  toServiceTime(ms: number): number {
    return ms + (this.#offset ?? 0);
  }
}
