import type { ServiceClient } from '../../client/serviceClient';
import { sleep } from '../../client/sleep';
import type { Capabilities } from './capabilities';

/** The service for one request: everything may be replaced when the base URL changes. */
export interface Service {
  readonly baseUrl: string;
  readonly client: ServiceClient;
  readonly capabilities: Capabilities;
}

/** Waits while the service's rate limit is nearly used up, before a background request. */
export async function waitForRateLimit({ client }: Service, signal: AbortSignal): Promise<void> {
  for (;;) {
    const delayMs = client.rateLimit.getDelay(Date.now());
    if (delayMs === 0) return;
    await sleep(delayMs, signal);
  }
}
