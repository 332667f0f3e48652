import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS, Wait } from '../service/hang';

/** How often a condition is checked, in ms. */
const POLL_MS = 20;

/**
 * Polls until the condition returns a value other than false or undefined; resolves to that value. Rejects
 * with an Error that names `what` when nothing has moved for `hangMs`; a function can name what was found last.
 */
export async function waitUntil<T>(
  what: string | (() => string),
  condition: () => T | Promise<T>,
  hangMs = HANG_MS,
): Promise<Exclude<T, false | undefined>> {
  const wait = new Wait(hangMs);
  for (;;) {
    const result = await condition();
    if (result !== false && result !== undefined) return result as Exclude<T, false | undefined>;
    if (wait.isInVain) {
      const awaited = typeof what === 'string' ? what : what();
      throw new Error(`Still not true, and nothing moves: ${awaited}`);
    }
    await sleep(POLL_MS);
  }
}
