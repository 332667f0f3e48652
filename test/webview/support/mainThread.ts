import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { doKnownWork, isWithinKnownWork } from '../../support/knownWork';

/**
 * Measures how long (ms) a page's main thread has worked: returns a function for the time since its last call. Work of
 * other processes doesn't count, so that a busy machine changes nothing.
 */
export async function watchMainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  let last = 0;
  const measure = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const total = (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000;
    const since = total - last;
    last = total;
    return since;
  };
  await measure();
  return measure;
}

/** Resolves to how long (ms) a page's main thread works for the known work. `worked` comes from `watchMainThread`. */
export async function measureKnownWork(page: Page, worked: () => Promise<number>): Promise<number> {
  await worked();
  await page.evaluate(doKnownWork);
  return await worked();
}

/**
 * Fails if a time that a page's main thread has worked, in ms, is more than that of `limit` pieces of known work in the same
 * page, now. `worked` comes from `watchMainThread`.
 */
export async function assertShort(
  page: Page,
  worked: () => Promise<number>,
  { ms, limit, what }: { readonly ms: number; readonly limit: number; readonly what: string },
): Promise<void> {
  const isShort = await isWithinKnownWork(ms, limit, () => measureKnownWork(page, worked));
  assert.ok(isShort, `${what}: ${ms.toFixed()} ms, more than ${limit} pieces of known work`);
}
