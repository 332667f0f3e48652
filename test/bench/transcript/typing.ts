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

/** Runs in the page: types a text key by key, each in a task of its own. */
export async function typeKeys(options: {
  readonly selector: string;
  readonly text: string;
  readonly intervalMs: number;
}): Promise<void> {
  const { selector, text, intervalMs } = options;
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error(`There is no ${selector}.`);
  const wait = () => new Promise((resolve) => setTimeout(resolve, intervalMs));
  await wait();
  performance.mark('measured');
  for (let length = 1; length <= text.length; length++) {
    await wait();
    input.value = text.slice(0, length);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  await wait();
}

export function formatMs(ms: number | undefined): string {
  return ms === undefined ? '' : `${ms.toFixed(1)} ms`;
}
