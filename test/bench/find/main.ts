/**
 * Measures Find in Conversation in Chromium with the page's production bundle, in a conversation of 5,000
 * turns: the time to the first match, and the longest task of the page's thread.
 * Usage: npm run bench -- find [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { createConversation } from '../transcript/conversation';
import { openPage, PARLEY_NAME } from '../transcript/pages';
import { formatMs, measureLongestTask, typeKeys } from '../transcript/typing';

const TURN_COUNT = 5000;
const MAX_FIRST_MATCH_MS = 50;
const MAX_KEY_MS = 16;
/** The time between two keys: longer than a search takes. */
const KEY_INTERVAL_MS = 400;
/** Typed key by key: a word in every reply, a rare one, and one that doesn't occur. */
const QUERIES = ['hands', 'Answer 7 ends', 'nowhere'];

interface Result {
  readonly query: string;
  /** From the last key to the first match, in ms; undefined without a match. */
  readonly firstMatch: number | undefined;
  /** The CPU time of the longest task of the page's thread, in ms. */
  readonly longestTask: number;
}

declare global {
  interface Window {
    firstMatch: number | undefined;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const rounds: (readonly Result[])[] = [];
    for (let round = 0; round < Number(values.rounds); round++) rounds.push(await measureQueries(browser));
    const results = QUERIES.flatMap((_, index) => {
      const all = rounds.flatMap((round) => round[index] ?? []);
      const middle = all.toSorted((one, other) => one.longestTask - other.longestTask)[
        Math.floor(all.length / 2)
      ];
      return middle ?? [];
    });
    console.log(
      `Goals for ${TURN_COUNT} turns: first match under ${MAX_FIRST_MATCH_MS} ms, each key under ${MAX_KEY_MS} ms`,
    );
    console.table(
      results.map(({ query, firstMatch, longestTask }) => ({
        query,
        'first match': formatMs(firstMatch),
        'longest task': formatMs(longestTask),
      })),
    );
    if (values.json) writeFileSync(values.json, `${JSON.stringify({ results }, null, 2)}\n`);
  } finally {
    await browser.close();
  }
}

/** Opens a conversation and types the queries, one after the other. */
async function measureQueries(browser: Browser): Promise<readonly Result[]> {
  const page = await openPage(browser, PARLEY_NAME);
  try {
    await page.evaluate(post, { type: 'snapshot', seq: 0, state: createConversation(TURN_COUNT) } as const);
    await page.waitForFunction(
      (count) => document.getElementsByTagName('article').length === count,
      TURN_COUNT,
    );
    await page.evaluate(post, { type: 'find' });
    await page.locator('.find-input:focus').waitFor();
    await page.evaluate(recordFirstMatch);
    const results: Result[] = [];
    for (const query of QUERIES) {
      // Until all turns are read, and searched for something else.
      await page.locator('.find-input').fill('no such text');
      await page.locator('.find-status').getByText('No results').waitFor();
      const longestTask = await measureLongestTask(page, () =>
        page.evaluate(typeKeys, { selector: '.find-input', text: query, intervalMs: KEY_INTERVAL_MS }),
      );
      results.push({ query, longestTask, firstMatch: await page.evaluate(() => window.firstMatch) });
    }
    return results;
  } finally {
    await page.close();
  }
}

/** Runs in the page: posts a message as the host does. */
function post(message: unknown): void {
  window.postMessage(message, '*');
}

/** Runs in the page: records when the first match of the last query was marked. */
function recordFirstMatch(): void {
  let start = 0;
  document.addEventListener(
    'input',
    () => {
      start = performance.now();
      window.firstMatch = undefined;
    },
    true,
  );
  const { highlights } = CSS;
  const set = highlights.set.bind(highlights);
  highlights.set = (name, highlight) => {
    if (name === 'find-current') window.firstMatch ??= performance.now() - start;
    return set(name, highlight);
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
