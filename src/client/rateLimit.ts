import { readRetryAfter } from './httpError';

/** Rate limits count a minute (service-notes): a reset that is said to be later comes from a clock that is wrong. */
const MAX_DELAY_MS = 60_000;
/** The part of the limit that is left to the person's own requests. */
const RESERVED_SHARE = 0.1;
/** As many uploads ask at the same moment, and all leave where one may. */
const MIN_RESERVED = 3;

/**
 * What the service says of its rate limit (service-notes: `x-ratelimit-*`, 429), and how long a request that can wait
 * should: uploads and polling stop before the last requests of a minute are used up.
 */
export class RateLimit {
  /** Requests that are out, and not counted in what the last answer said. */
  #underWay = 0;
  #limit = 0;
  #remaining = Number.POSITIVE_INFINITY;
  /** ms since the epoch, by this machine's clock. */
  #resetAt = 0;
  #refusedUntil = 0;

  /** Counts a request that leaves; the function that is returned takes it back once its answer is there. */
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
   * Takes in what an answer says, once `countRequest` no longer counts its request. `now` and the same by the service's
   * clock in ms since the epoch.
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

  /** How long a request that can wait should, in ms from `now`; 0 where it may go at once. */
  getDelay(now: number): number {
    const reserved = Math.max(Math.min(MIN_RESERVED, this.#limit / 2), this.#limit * RESERVED_SHARE);
    const until = this.#remaining <= reserved ? this.#resetAt : 0;
    return Math.max(0, until - now, this.#refusedUntil - now);
  }
}

function readCount(header: string | null): number | undefined {
  return header !== null && /^\s*\d{1,15}\s*$/.test(header) ? Number(header) : undefined;
}
