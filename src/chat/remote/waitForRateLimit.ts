import { sleep } from '../../client/sleep';
import type { Service } from './service';

/** Waits while the service's rate limit is nearly used up, before a background request. */
export async function waitForRateLimit({ client }: Service, signal: AbortSignal): Promise<void> {
  for (;;) {
    const delayMs = client.rateLimit.getDelay(Date.now());
    if (delayMs === 0) return;
    await sleep(delayMs, signal);
  }
}
