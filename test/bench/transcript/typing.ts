import type { Page } from 'playwright-core';
import { TaskTrace } from './tasks';

/** Set by the functions that run in the page, when what is measured starts. */
const MARK_NAME = 'measured';

/** Returns the CPU time of the longest task of a page's main thread since `act` has set the mark, in ms. */
export async function measureLongestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const trace = new TaskTrace(session);
  await trace.start();
  await act();
  const longest = await trace.getLongestAfter(MARK_NAME);
  await session.detach();
  return longest;
}

export function formatMs(ms: number | undefined): string {
  return ms === undefined ? '' : `${ms.toFixed(1)} ms`;
}
