/**
 * Measures syntax coloring of a block of TypeScript while it streams in updates of 64 characters, compared
 * with the same lines as plain text and with highlighters that color the whole block each time.
 * Usage: npx tsx test/bench/highlight/main.ts [--json FILE] [--all]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { grammarAsText } from '../../../scripts/esbuild/grammarAsText';
import { scriptAsText } from '../../../scripts/esbuild/scriptAsText';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { measureLongestTask } from './longestTask';
import type * as pageScript from './page';

declare const bench: typeof pageScript;

const root = path.join(__dirname, '../../..');
const LIMIT_NAME = 'plain text (the limit)';
const PARLEY_NAME = 'Parley';
/** Shows the renderer's share of Parley's time. */
const PLAIN_NAME = 'Parley, no colours';
const PEER_NAMES = ['highlight.js, whole block', 'Shiki, whole block'];
const LINE_COUNTS = [500, 5000];
const CHUNK_LENGTH = 64;
const ROUNDS = 5;
/** The goal for the time, as a multiple of the limit. */
const MAX_RATIO = 3;
/** The goal for the longest task, in ms: a frame. */
const MAX_TASK_MS = 16;

interface LongestTask {
  readonly lines: number;
  /** Whether the browser has already compiled the grammar. */
  readonly warm: boolean;
  readonly ms: number;
}

interface Measured {
  readonly name: string;
  readonly lines: number;
  /** The time of the main thread, including layout and frames; undefined if not run. */
  readonly ms: number | undefined;
  /** Script and layout of the longest update, in ms. */
  readonly longest: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'string' }, all: { type: 'boolean' } },
    allowPositionals: true,
  });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const longestTasks = await measureTasks(browser);
    const { page, session } = await openPage(browser);
    const results = await measureAll(page, session, values.all === true);
    const exponent = print(results, longestTasks);
    if (values.json) {
      writeFileSync(values.json, `${JSON.stringify({ results, exponent, longestTasks }, null, 2)}\n`);
    }
  } finally {
    await browser.close();
  }
}

/**
 * Runs in a separate page, because tracing takes time. The first run includes the compilation of the grammar.
 */
async function measureTasks(browser: Browser): Promise<LongestTask[]> {
  const { page, session } = await openPage(browser);
  const measured: LongestTask[] = [];
  for (const [warm, lines] of [
    [false, 500] as const,
    ...LINE_COUNTS.map((count) => [true, count] as const),
  ]) {
    measured.push({
      warm,
      lines,
      ms: await measureLongestTask(session, () => run(page, PARLEY_NAME, lines, true)),
    });
  }
  await page.close();
  return measured;
}

async function measureAll(page: Page, session: CDPSession, all: boolean): Promise<Measured[]> {
  const results: Measured[] = [];
  // The first time, the browser compiles the grammar's expressions.
  for (const name of [LIMIT_NAME, PARLEY_NAME, PLAIN_NAME, ...PEER_NAMES])
    await measure(page, session, name, 50);
  for (const lines of LINE_COUNTS) {
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of [LIMIT_NAME, PARLEY_NAME, PLAIN_NAME])
        rounds.push(await measure(page, session, name, lines));
    }
    for (const name of [LIMIT_NAME, PARLEY_NAME, PLAIN_NAME])
      results.push(findMedian(rounds.filter((result) => result.name === name)));
    for (const name of PEER_NAMES) {
      const skipped = lines > 500 && !all;
      results.push(
        skipped ? { name, lines, ms: undefined, longest: 0 } : await measure(page, session, name, lines),
      );
    }
  }
  return results;
}

async function measure(page: Page, session: CDPSession, name: string, lines: number): Promise<Measured> {
  await session.send('HeapProfiler.collectGarbage');
  const before = await readTaskTime(session);
  const { longest } = await run(page, name, lines);
  const ms = (await readTaskTime(session)) - before;
  process.stderr.write(`${name}: ${lines} lines: ${ms.toFixed(0)} ms\n`);
  return { name, lines, ms, longest };
}

async function run(page: Page, name: string, lines: number, apart = false): Promise<{ longest: number }> {
  return await page.evaluate(([who, text, chunk, alone]) => bench.run(who, text, chunk, alone), [
    name,
    createCode(lines),
    CHUNK_LENGTH,
    apart,
  ] as const);
}

async function openPage(browser: Browser): Promise<{ page: Page; session: CDPSession }> {
  const page = await browser.newPage({ viewport: { width: 480, height: 900 } });
  await page.setContent('<!doctype html><body></body>');
  const files = ['src/webview/markdown/blocks.css', 'src/webview/markdown/markdown.css'];
  const styles = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const own = `body { margin: 0; font: 13px/1.5 sans-serif } .scroller { height: 900px; overflow-y: auto }
    .closed { content-visibility: auto; contain-intrinsic-height: auto ${50 * 18}px }`;
  await page.addStyleTag({ content: `${styles}\n${own}` });
  for (const [file, globalName] of [
    ['page.ts', 'bench'],
    ['peers.mjs', 'peers'],
  ] as const) {
    const { outputFiles } = await build({
      entryPoints: [path.join(__dirname, file)],
      bundle: true,
      write: false,
      outdir: __dirname,
      minify: true,
      format: 'iife',
      globalName,
      target: 'es2024',
      plugins: [grammarAsText, scriptAsText],
    });
    await page.addScriptTag({ content: outputFiles.find((file) => file.path.endsWith('.js'))?.text ?? '' });
  }
  const session = await page.context().newCDPSession(page);
  // Thread ticks exclude the time of other processes.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, session };
}

async function readTaskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** Creates TypeScript with this many lines by repeating files of this repository's host. */
function createCode(lines: number): string {
  const files = ['panel/panel.ts', 'service/setupGuide.ts', 'panel/page/hostPage.ts'];
  const source = files.flatMap((file) =>
    readFileSync(path.join(root, 'src/host', file), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  return Array.from({ length: lines }, (_, index) => `${source[index % source.length]}\n`).join('');
}

function findMedian(all: readonly Measured[]): Measured {
  const sorted = all.toSorted((one, other) => (one.ms ?? 0) - (other.ms ?? 0));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}

/** Prints the results; returns the growth exponent. */
function print(results: readonly Measured[], longestTasks: readonly LongestTask[]): number {
  const limit = (lines: number) =>
    results.find((result) => result.name === LIMIT_NAME && result.lines === lines)?.ms ?? Number.NaN;
  const rows = results.map(({ name, lines, ms, longest }) => ({
    name,
    lines,
    time: ms === undefined ? 'not run' : `${ms.toFixed(0)} ms`,
    '× limit': ms === undefined ? '' : (ms / limit(lines)).toFixed(2),
    'longest update': ms === undefined ? '' : `${longest.toFixed(1)} ms`,
  }));
  console.table(rows);
  for (const { warm, lines, ms } of longestTasks) {
    const when = warm ? '' : ', the first block ever';
    console.log(
      `Longest task at ${lines} lines${when}: ${ms.toFixed(1)} ms; the goal is ${MAX_TASK_MS} ms at most.`,
    );
  }
  const ours = results.filter(({ name }) => name === PARLEY_NAME);
  const [small, large] = [ours[0], ours.at(-1)];
  if (!small?.ms || !large?.ms) throw new Error(`${PARLEY_NAME} was not measured.`);
  const exponent = Math.log(large.ms / small.ms) / Math.log(large.lines / small.lines);
  console.log(`Growth exponent ${exponent.toFixed(2)}; the goal is ${MAX_RATIO} × the limit at most.`);
  return exponent;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
