/**
 * `Date` is truncated to seconds, and the response took time to arrive: a larger difference means that a
 * clock was set.
 */
const JITTER_MS = 3000;

/** Larger offsets don't come from a clock, and could lead to invalid dates. */
const MAX_OFFSET_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/** The service's clock, as far as its responses have a `Date`, which a browser may hide. */
export class ServiceClock {
  /** ms to add to this machine's time. */
  #offset: number | undefined;

  /** Reads the headers of a response that arrived at `now`, in ms since the epoch. */
  update(headers: Headers, now: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    const offset = date - now;
    if (!(Math.abs(offset) <= MAX_OFFSET_MS)) return;
    // The largest offset is the most accurate, and an offset that only grows keeps converted times in order.
    const isSetAnew = this.#offset !== undefined && offset < this.#offset - JITTER_MS;
    this.#offset = isSetAnew ? offset : Math.max(this.#offset ?? offset, offset);
  }

  /**
   * Converts this machine's time to the service's, both in ms since the epoch; accurate to a second or two.
   */
  toServiceTime(ms: number): number {
    return ms + (this.#offset ?? 0);
  }
}
