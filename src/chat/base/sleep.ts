import type { Service } from '../remote/service';

/** Waits; rejects with the signal's reason where that comes first. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Waits while the service's rate limit is all but used up, before a request that nobody waits for. */
export async function waitForRateLimit({ client }: Service, signal: AbortSignal): Promise<void> {
  for (;;) {
    const delayMs = client.rateLimit.getDelay(Date.now());
    if (delayMs === 0) return;
    await sleep(delayMs, signal);
  }
}
