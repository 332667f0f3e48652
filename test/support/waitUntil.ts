import { setTimeout as sleep } from 'node:timers/promises';

/** How often a condition is looked at, in ms. */
const POLL_MS = 20;
/** How long a slow machine may take, in ms. */
const DEFAULT_LIMIT_MS = 60_000;

/**
 * Resolves once the condition holds: to what it returned, which is neither false nor undefined.
 * Rejects with an Error that names `what` after `limitMs`.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  limitMs = DEFAULT_LIMIT_MS,
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const result = await condition();
    if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`Still not true after ${limitMs / 1000} s: ${what}`);
    await sleep(POLL_MS);
  }
}
