import { ServiceError } from '../../client/serviceError';
import { sleep } from '../../client/sleep';
import type { Service } from '../remote/service';

/** The longest `Retry-After` that is waited for; a longer one is shown to the user as a failure. */
export const MAX_PAUSE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 2000;
/** The longest pause if the service doesn't say how long to wait. */
const MAX_DEFAULT_PAUSE_MS = 60_000;

interface Waiting {
  readonly signal: AbortSignal;
  /** The longest time that is waited in all after refusals. */
  readonly maxWaitMs: () => number;
  /** Receives the time until which the request waits, and undefined when it goes on. */
  readonly onWait?: (until: number | undefined) => void;
}

/**
 * Runs a request that uploads need: waits before the rate limit is used up, and after a status of 429, which means that nothing
 * was done. `service` limits the request; undefined for the storage, which has no such limit. Throws ServiceError.
 */
export async function runWithinRateLimit<T>(
  service: Service | undefined,
  request: () => Promise<T>,
  { signal, maxWaitMs, onWait }: Waiting,
): Promise<T> {
  const pause = async (ms: number) => {
    onWait?.(Date.now() + ms);
    // A timer may end a millisecond early, and the request would wait once more.
    await sleep(ms + 1, signal);
    onWait?.(undefined);
  };
  let waited = 0;
  for (let refusals = 0; ; refusals++) {
    for (;;) {
      const delayMs = service?.client.rateLimit.getDelay(Date.now()) ?? 0;
      if (delayMs === 0) break;
      await pause(delayMs);
    }
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'rateLimited' || signal.aborted) throw error;
      const pauseMs = error.retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** refusals, MAX_DEFAULT_PAUSE_MS);
      waited += pauseMs;
      if (pauseMs > MAX_PAUSE_MS || waited > maxWaitMs()) throw error;
      await pause(pauseMs);
    }
  }
}
