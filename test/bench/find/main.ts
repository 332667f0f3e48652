/**
 * Measures Find in Conversation in Chromium with the page's production bundle, in a conversation of 5,000
 * turns: the time to the first match, and the main thread's longest task per key.
 * Usage: npm run bench -- find [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { createConversation } from '../transcript/conversation';
import { openPage, PARLEY_NAME } from '../transcript/pages';

const TURN_COUNT = 5000;
const MAX_FIRST_MATCH_MS = 50;
const MAX_KEY_MS = 16;
/** The time between two keys: longer than a search takes. */
const KEY_INTERVAL_MS = 400;
/** Typed key by key: a word in every reply, a rare one, and one that doesn't occur. */
const QUERIES = ['hands', 'Answer 7 ends', 'nowhere'];

interface Result {
  readonly query: string;
  /** From the last key to the paint of the first match, in ms; undefined without a match. */
  readonly firstMatch: number | undefined;
  /** From the last key to the number of all matches, in ms; undefined if it's the same as before. */
  readonly all: number | undefined;
  /** The longest time that a key blocked the main thread, in ms. */
  readonly longestKey: number;
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
      const middle = all.toSorted((one, other) => one.longestKey - other.longestKey)[
        Math.floor(all.length / 2)
      ];
      return middle ?? [];
    });
    console.log(
      `Goals for ${TURN_COUNT} turns: first match under ${MAX_FIRST_MATCH_MS} ms, each key under ${MAX_KEY_MS} ms`,
    );
    console.table(
      results.map(({ query, firstMatch, all, longestKey }) => ({
        query,
        'first match': formatMs(firstMatch),
        'all matches': formatMs(all),
        'longest key': formatMs(longestKey),
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
    const results: Result[] = [];
    for (const query of QUERIES) {
      // Until all turns are read, and searched for something else.
      await page.locator('.find-input').fill('no such text');
      await page.locator('.find-status').getByText('No results').waitFor();
      results.push({ query, ...(await page.evaluate(typeQuery, { query, keyMs: KEY_INTERVAL_MS })) });
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

/** Runs in the page: types a query key by key. */
async function typeQuery({ query, keyMs }: { query: string; keyMs: number }) {
  const input = document.querySelector<HTMLInputElement>('.find-input');
  if (!input) throw new Error('There is no find widget.');
  const nextTask = () =>
    new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => resolve();
      port1.postMessage(undefined);
    });
  const status = document.querySelector('.find-status');
  let longestKey = 0;
  let firstMatch: number | undefined;
  let all: number | undefined;
  for (let length = 1; length <= query.length; length++) {
    CSS.highlights.delete('find-current');
    firstMatch = all = undefined;
    const start = performance.now();
    const observer = new MutationObserver(() => {
      all = performance.now() - start;
    });
    if (status) observer.observe(status, { childList: true, characterData: true, subtree: true });
    input.value = query.slice(0, length);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    for (let last = start, now = start; now - start < keyMs; last = now) {
      await nextTask();
      now = performance.now();
      longestKey = Math.max(longestKey, now - last);
      if (CSS.highlights.has('find-current')) firstMatch ??= now - start;
    }
    observer.disconnect();
  }
  return { firstMatch, all, longestKey };
}

function formatMs(ms: number | undefined): string {
  return ms === undefined ? '' : `${ms.toFixed(1)} ms`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
