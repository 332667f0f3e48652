import { readRetryAfter } from './httpError';

/** Rate limits count per minute (docs/service.md: Rules for every operation): a later reset comes from a wrong clock. */
const MAX_DELAY_MS = 60_000;
/** The share of the limit that is reserved for the user's own requests. */
const RESERVED_FRACTION = 0.1;
/** Concurrent uploads ask at the same time, and all of them start when one may. */
const MIN_RESERVED_REQUESTS = 3;

/**
 * Tracks the service's rate limit (docs/service.md: Rules for every operation) and how long low-priority requests
 * should wait: uploads and polling stop before the last requests of a minute are used up.
 */
export class RateLimit {
  /** Requests in progress, which the last response didn't count. */
  #underWay = 0;
  #limit = 0;
  #remaining = Number.POSITIVE_INFINITY;
  /** ms since the epoch on this machine's clock. */
  #resetAt = 0;
  #refusedUntil = 0;

  /** Counts a request that is being sent; call the returned function when its response has arrived. */
  countRequest(): () => void {
    this.#underWay++;
    this.#remaining--;
    let isOut = true;
    return () => {
      if (isOut) this.#underWay--;
      isOut = false;
    };
  }

  /**
   * Reads the headers of a response whose request is no longer counted by `countRequest`. `now` and
   * `serviceNow` are the time on this machine's and on the service's clock, in ms since the epoch.
   */
  update({ status, headers }: Response, now: number, serviceNow = now): void {
    if (status === 429) {
      const retryAfterMs = readRetryAfter(headers.get('retry-after'), now) ?? 0;
      this.#refusedUntil = Math.max(this.#refusedUntil, now + Math.min(retryAfterMs, MAX_DELAY_MS));
    }
    const remaining = readCount(headers.get('x-ratelimit-remaining'));
    const reset = readCount(headers.get('x-ratelimit-reset'));
    if (remaining === undefined || reset === undefined) return;
    this.#limit = readCount(headers.get('x-ratelimit-limit')) ?? 0;
    this.#remaining = remaining - this.#underWay;
    this.#resetAt = now + Math.min(Math.max(reset * 1000 - serviceNow, 0), MAX_DELAY_MS);
  }

  /** Returns how long a low-priority request should wait from `now`, in ms; 0 if it may start now. */
  getDelay(now: number): number {
    const reserved = Math.max(
      Math.min(MIN_RESERVED_REQUESTS, this.#limit / 2),
      this.#limit * RESERVED_FRACTION,
    );
    const until = this.#remaining <= reserved ? this.#resetAt : 0;
    return Math.max(0, until - now, this.#refusedUntil - now);
  }
}

function readCount(header: string | null): number | undefined {
  return header !== null && /^\s*\d{1,15}\s*$/.test(header) ? Number(header) : undefined;
}
