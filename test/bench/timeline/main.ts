/**
 * Measures the timeline in Chromium with the page's production bundle, in a conversation of 5,000 turns: the
 * longest task of the page's thread when it opens, and while its filter is typed.
 * Usage: npm run bench -- timeline [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { createConversation } from '../transcript/conversation';
import { openPage, PARLEY_NAME } from '../transcript/pages';
import { formatMs, measureLongestTask, typeKeys } from '../transcript/typing';

const TURN_COUNT = 5000;
const MAX_TASK_MS = 16;
/** The time after opening and between two keys: longer than either takes. */
const INTERVAL_MS = 400;
/** Typed key by key: a word of every question, a rare one, and one that doesn't occur. */
const FILTERS = ['question', '1234', 'nowhere'];

/** The CPU time of the longest task of the page's thread, in ms, by what was measured. */
type Results = Readonly<Record<string, number>>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const rounds: Results[] = [];
    for (let round = 0; round < Number(values.rounds); round++) rounds.push(await measureTimeline(browser));
    console.log(`Goal for ${TURN_COUNT} turns: opening, and each key, under ${MAX_TASK_MS} ms`);
    const results = Object.keys(rounds[0] ?? {}).map((name) => {
      const tasks = rounds.flatMap((round) => round[name] ?? []).toSorted((one, other) => one - other);
      return { name, longestTask: tasks[Math.floor(tasks.length / 2)] };
    });
    console.table(results.map(({ name, longestTask }) => ({ name, 'longest task': formatMs(longestTask) })));
    if (values.json) writeFileSync(values.json, `${JSON.stringify({ results }, null, 2)}\n`);
  } finally {
    await browser.close();
  }
}

/** Opens a conversation, its timeline twice, and types the filters. */
async function measureTimeline(browser: Browser): Promise<Results> {
  const page = await openPage(browser, PARLEY_NAME);
  try {
    await page.evaluate(post, { type: 'snapshot', seq: 0, state: createConversation(TURN_COUNT) } as const);
    await page.waitForFunction(
      (count) => document.getElementsByTagName('article').length === count,
      TURN_COUNT,
    );
    const results: Record<string, number> = { 'opened first': await measureOpening(page) };
    await page.keyboard.press('Escape');
    results['opened again'] = await measureOpening(page);
    for (const text of FILTERS) {
      await page.locator('.timeline .list-filter').fill('');
      results[`filter: ${text}`] = await measureLongestTask(page, () =>
        page.evaluate(typeKeys, { selector: '.timeline .list-filter', text, intervalMs: INTERVAL_MS }),
      );
    }
    return results;
  } finally {
    await page.close();
  }
}

function measureOpening(page: Page): Promise<number> {
  return measureLongestTask(page, async () => {
    // Not by a locator, which takes longer to look for the element than the page takes to render it.
    const isOpen = await page.evaluate(openTimeline, INTERVAL_MS);
    if (!isOpen) throw new Error('The timeline did not open.');
  });
}

/** Runs in the page: opens the timeline as the host does, and waits. Returns whether its filter has the focus then. */
async function openTimeline(intervalMs: number): Promise<boolean> {
  const wait = () => new Promise((resolve) => setTimeout(resolve, intervalMs));
  await wait();
  performance.mark('measured');
  window.postMessage({ type: 'showTimeline' }, '*');
  await wait();
  return document.activeElement?.matches('.timeline .list-filter') === true;
}

/** Runs in the page: posts a message as the host does. */
function post(message: unknown): void {
  window.postMessage(message, '*');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
