/**
 * Measures the longest task of the page's thread, in Chromium with the page's production bundle, while replies of
 * several kinds stream, compared with plain elements.
 * Usage: npm run bench -- tasks [--rounds N] [--json FILE]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import type { Change, ToPage } from '../../../src/shared/protocol/toPage';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { sampleTheme } from '../../webview/highlight/sampleThemes';
import { panelState } from '../../webview/support/states';
import { reply } from '../render/reply';
import { type Name, openPage, PARLEY_NAME, PLAIN_NAME } from '../transcript/pages';
import { formatMs, measureLongestTask } from '../transcript/typing';

const FRAME_MS = 16;
/** The goal for a line of 10 MB. */
const LONG_LINE_MS = 50;
/** A long line comes in reads of this length, as from a socket. */
const READ_LENGTH = 65_536;
const UPDATE_LENGTH = 64;
const CODE = 'export function read(file: string): string {\n  // Once.\n  return open(file).text();\n}\n\n';
const FORMULA = '\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}';

interface Case {
  readonly what: string;
  readonly text: string;
  /** The characters of each delta; a frame is between two. */
  readonly chunk: number;
  readonly limit: number;
}

const CASES: readonly Case[] = [
  { what: 'a reply of 100 KB', text: reply('mixed', 100_000), chunk: UPDATE_LENGTH, limit: FRAME_MS },
  { what: 'a table of 100 KB', text: reply('table', 100_000), chunk: UPDATE_LENGTH, limit: FRAME_MS },
  {
    what: 'the first block of a language',
    text: `\`\`\`ts\n${CODE.repeat(20)}\`\`\`\n`,
    chunk: UPDATE_LENGTH,
    limit: FRAME_MS,
  },
  {
    what: 'the first formulas',
    text: `The sum is $x^2$:\n\n$$\n${FORMULA}\n$$\n\n`.repeat(10),
    chunk: UPDATE_LENGTH,
    limit: FRAME_MS,
  },
  createLine(1, READ_LENGTH),
  createLine(1, Number.POSITIVE_INFINITY),
  // Not in reads, which would take minutes: Chromium lays out the whole line for each.
  createLine(10, Number.POSITIVE_INFINITY),
];

interface Row {
  readonly what: string;
  /** CPU time in ms, as the others. */
  readonly ours: number;
  readonly peer: number;
  readonly limit: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, json: { type: 'string' } },
    allowPositionals: true,
  });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  const rows: Row[] = [];
  try {
    for (const one of CASES) {
      const measureMedian = async (name: Name) => {
        const tasks: number[] = [];
        while (tasks.length < Number(values.rounds)) tasks.push(await measureCase(browser, name, one));
        return tasks.toSorted((a, b) => a - b)[Math.floor(tasks.length / 2)] ?? Number.NaN;
      };
      const ours = await measureMedian(PARLEY_NAME);
      const peer = await measureMedian(PLAIN_NAME);
      rows.push({ what: one.what, ours, peer, limit: one.limit });
      console.error(`${one.what}: ${formatMs(ours)}, plain ${formatMs(peer)}`);
    }
  } finally {
    await browser.close();
  }
  console.log('The longest task of the page (CPU time), each reply in a new page');
  console.table(
    rows.map(({ what, ours, peer, limit }) => ({
      what,
      Parley: formatMs(ours),
      [PLAIN_NAME]: formatMs(peer),
      goal: formatMs(limit),
      'Parley / goal': (ours / limit).toFixed(2),
    })),
  );
  if (values.json) {
    writeFileSync(values.json, `${JSON.stringify({ name: 'tasks', unit: 'ms', rows }, null, 2)}\n`);
  }
}

function createLine(megabytes: number, chunk: number): Case {
  const isAtOnce = chunk === Number.POSITIVE_INFINITY;
  return {
    what: `a line of ${megabytes} MB, ${isAtOnce ? 'at once' : 'by 64 KB'}`,
    text: 'moss '.repeat(megabytes * 200_000),
    chunk,
    limit: megabytes === 1 ? FRAME_MS : LONG_LINE_MS,
  };
}

/** Opens a new page, so that what a reply needs first is loaded and compiled each time. */
async function measureCase(browser: Browser, name: Name, { text, chunk }: Case): Promise<number> {
  const page = await openPage(browser, name);
  try {
    const state = panelState({ turns: [] }, { codeTheme: sampleTheme });
    await page.evaluate((message: ToPage) => window.postMessage(message, '*'), {
      type: 'snapshot',
      seq: 0,
      state,
    } as const);
    return await measureLongestTask(page, () =>
      page.evaluate(stream, { text, chunk, isParley: name === PARLEY_NAME }),
    );
  } finally {
    await page.close();
  }
}

/** Runs in the page: streams a reply, one delta for each frame, and waits until the page is idle. */
async function stream(options: {
  readonly text: string;
  readonly chunk: number;
  readonly isParley: boolean;
}): Promise<void> {
  const { text, chunk, isParley } = options;
  let seq = 0;
  const post = (change: Change) => {
    const message: ToPage = { type: 'delta', seq: ++seq, changes: [change] };
    window.postMessage(message, '*');
  };
  const waitForFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const waitUntilIdle = () => new Promise((resolve) => requestIdleCallback(resolve));
  post({ type: 'turn', turn: { kind: 'message', id: 'asked', text: 'Go on', at: 0 } });
  post({ type: 'turn', turn: { kind: 'reply', id: 'streaming', bot: 'Guide', text: '', at: 0 } });
  await waitForFrame();
  await waitUntilIdle();
  performance.mark('measured');
  for (let from = 0; from < text.length; from += chunk) {
    post({ type: 'chunk', turnId: 'streaming', text: text.slice(from, from + chunk) });
    await waitForFrame();
  }
  if (isParley) post({ type: 'ended', turnId: 'streaming', ending: 'complete' });
  // What the page loads and draws later.
  for (let count = 0; count < 20; count++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await waitUntilIdle();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
