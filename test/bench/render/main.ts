/**
 * Measures the renderer compared with its limit and its peers, in one run of Chromium.
 * Usage: npm run bench -- render [--json FILE] [--quick] [--all]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { createPageContent } from './bundle';
import { type Measured, Measurer } from './measurer';
import type { ReplyKind } from './reply';
import { printGiants, printMixed, printParsers } from './report';

const LIMIT_NAME = 'plain text (the limit)';
const PARLEY_NAME = 'Parley';
const PEER_NAMES = [
  'streaming-markdown',
  'markdown-it, tail parse',
  'streamdown',
  'marked',
  'markdown-it',
  'react-markdown',
];
const GIANT_KINDS: readonly ReplyKind[] = ['list', 'table', 'fence', 'paragraph'];
/**
 * The longest expected time of a peer. A peer that would take longer, by its time for 20 KB and the square of
 * the size, is skipped.
 */
const MAX_PEER_MS = 90_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'string' }, quick: { type: 'boolean' }, all: { type: 'boolean' } },
    allowPositionals: true,
  });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const measurer = new Measurer(await browser.newPage({ viewport: { width: 480, height: 900 } }));
    await measurer.open(await createPageContent());
    const results = await measureAll(measurer, values.quick === true, values.all === true);
    const parsers = await measurer.measureParsers(100);
    printMixed(results, LIMIT_NAME, PARLEY_NAME);
    printGiants(results, PARLEY_NAME);
    printParsers(parsers);
    if (values.json) writeFileSync(values.json, `${JSON.stringify({ results, parsers }, null, 2)}\n`);
  } finally {
    await browser.close();
  }
}

async function measureAll(measurer: Measurer, quick: boolean, all: boolean): Promise<Measured[]> {
  const results: Measured[] = [];
  const rounds = quick ? 1 : 3;
  const sizes = quick ? [20, 100] : [20, 100, 500];
  // The first round warms up the compiler.
  for (const name of [LIMIT_NAME, PARLEY_NAME])
    await measurer.measure({ name, kind: 'mixed', size: 20, chunk: 64 }, 1);
  for (const chunk of [64, 8]) {
    for (const size of sizes) {
      results.push(
        ...(await measurer.measureSideBySide(
          [LIMIT_NAME, PARLEY_NAME],
          { kind: 'mixed', size, chunk },
          rounds,
        )),
      );
    }
  }
  const everyFrame = { kind: 'mixed', size: quick ? 20 : 100, chunk: 64, everyFrame: true } as const;
  results.push(...(await measurer.measureSideBySide([LIMIT_NAME, PARLEY_NAME], everyFrame, 1)));
  for (const kind of GIANT_KINDS) {
    results.push(
      ...(await measurer.measureSideBySide([PARLEY_NAME], { kind, size: 100, chunk: 64 }, rounds)),
    );
  }
  for (const name of PEER_NAMES) results.push(...(await measurePeer(measurer, name, sizes, all)));
  return results;
}

async function measurePeer(measurer: Measurer, name: string, sizes: readonly number[], all: boolean) {
  const small = await measurer.measure({ name, kind: 'mixed', size: 20, chunk: 64 }, 1);
  const results = [small];
  for (const chunk of [64, 8]) {
    for (const size of sizes) {
      if (size === 20 && chunk === 64) continue;
      const expected = (small.ms ?? 0) * (size / 20) ** 2 * (64 / chunk);
      if (expected > MAX_PEER_MS && !all) results.push({ ...small, size, chunk, ms: undefined });
      else results.push(await measurer.measure({ name, kind: 'mixed', size, chunk }, 1));
    }
  }
  return results;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
