import type { ServiceClient } from '../../client/serviceClient';
import { sleep } from '../../client/sleep';
import type { Capabilities } from './capabilities';

/** A service that is set up, for one request: everything may be replaced when the settings change. */
export interface Service {
  readonly baseUrl: string;
  readonly client: ServiceClient;
  readonly capabilities: Capabilities;
}

/**
 * Returns the service with a base URL, or without one the first service: the same object until it is removed. Throws
 * ServiceError `serviceMissing` if it isn't set up, `keyMissing` if none is.
 */
export type Connect = (baseUrl?: string) => Service;

/** Waits while the service's rate limit is nearly used up, before a background request. */
export async function waitForRateLimit(
  { client }: Pick<Service, 'client'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const delayMs = client.rateLimit.getDelay(Date.now());
    if (delayMs === 0) return;
    await sleep(delayMs, signal);
  }
}
