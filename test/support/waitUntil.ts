import { setTimeout as sleep } from 'node:timers/promises';

/** How often a condition is checked, in ms. */
const POLL_MS = 20;
/** The default time limit, suited to slow machines. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Polls until the condition returns a value other than false or undefined; resolves to that value. Rejects
 * with an Error that names `what` after `timeoutMs`.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`Still not true after ${timeoutMs / 1000} s: ${what}`);
    await sleep(POLL_MS);
  }
}
