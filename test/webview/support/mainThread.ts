import type { Page } from 'playwright-core';

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
