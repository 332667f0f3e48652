/**
 * Measures long conversations in Chromium with the page's production bundle: the time to open, scrolling, and
 * the cost of a chunk at the end, compared with plain elements that are all rendered at once.
 * Usage: npm run bench -- transcript [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { measureChunk, measureTextHeap, openAndScroll } from './measure';
import { type Name, PARLEY_NAME, PLAIN_NAME } from './pages';

const TURN_COUNTS = [10, 500, 5000];
/** The goal for the paint of the last screen of 5,000 turns. */
const MAX_LAST_SCREEN_MS = 300;

type Opened = Awaited<ReturnType<typeof openAndScroll>>;

interface Result extends Opened {
  readonly name: Name;
  readonly turns: number;
  readonly textHeap: number;
  /** CPU time of the main thread, in ms. */
  readonly chunkTime: number;
  /** Relative to an empty conversation. */
  readonly chunkRatio: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const rounds = Number(values.rounds);
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const results: Result[] = [];
    for (const name of [PARLEY_NAME, PLAIN_NAME] as const) {
      const empty = await measureMedian(rounds, () => measureChunk(browser, name, 0));
      for (const turns of TURN_COUNTS) results.push(await measure(browser, name, turns, rounds, empty));
    }
    print(results);
    if (values.json) writeFileSync(values.json, `${JSON.stringify({ results }, null, 2)}\n`);
  } finally {
    await browser.close();
  }
}

async function measure(
  browser: Browser,
  name: Name,
  turns: number,
  rounds: number,
  empty: number,
): Promise<Result> {
  const opened: Opened[] = [];
  for (let round = 0; round < rounds; round++) opened.push(await openAndScroll(browser, name, turns));
  const middle = opened.toSorted((a, b) => a.lastScreen - b.lastScreen)[Math.floor(rounds / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  const chunkTime = await measureMedian(rounds, () => measureChunk(browser, name, turns));
  const textHeap = await measureMedian(rounds, () => measureTextHeap(browser, name, turns));
  console.error(`${name}, ${turns} turns: measured`);
  return { name, turns, ...middle, textHeap, chunkTime, chunkRatio: chunkTime / empty };
}

async function measureMedian(rounds: number, run: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) all.push(await run());
  return all.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function print(results: readonly Result[]): void {
  console.log(
    `Goals: last screen of 5,000 turns under ${MAX_LAST_SCREEN_MS} ms, no missed frame, a chunk 1.0 × an empty conversation's`,
  );
  console.table(
    results.map(
      ({
        name,
        turns,
        lastScreen,
        all,
        longestTask,
        heapPerText,
        textHeap,
        scrolling,
        chunkTime,
        chunkRatio,
      }) => ({
        transcript: name,
        turns,
        'last screen': formatMs(lastScreen),
        'all drawn': formatMs(all),
        'longest task meanwhile': formatMs(longestTask),
        'heap / text, with what is drawn': heapPerText.toFixed(2),
        '… of the text alone': textHeap.toFixed(2),
        'scrolling: frames': scrolling.frames,
        missed: scrolling.missed,
        'longest frame': formatMs(scrolling.longestFrame),
        'longest task': formatMs(scrolling.longestTask),
        chunk: `${chunkTime.toFixed(2)} ms`,
        '× empty': chunkRatio.toFixed(2),
      }),
    ),
  );
}

function formatMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
