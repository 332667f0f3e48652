import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { repositoryRoot } from '../../vscode/cacheDir';
import { quietSettings } from '../../vscode/quietSettings';
import { findTestExecutable } from '../../vscode/testExecutable';
import { firstPaints } from './firstPaint';

const ours = 'parley.parley';
const peer = 'parley-bench.empty';
const limitMs = 5;
const paintLimitMs = 150;

/**
 * `npm run bench -- startup [--starts N] [--paints N] [--json FILE]`: what activating Parley and an empty extension costs the
 * host, medians of fresh starts; and how long the panel's frame waits for its first paint.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      starts: { type: 'string', default: '9' },
      paints: { type: 'string', default: '15' },
      json: { type: 'string' },
    },
  });
  const build = ['--import', 'tsx', 'scripts/build.ts', '--production'];
  execFileSync(process.execPath, build, { cwd: repositoryRoot, stdio: 'pipe' });
  const samples: Record<string, number>[] = [];
  for (let start = 0; start < Number(values.starts); start++) {
    // Who comes second finds the host warmed up, so they take turns.
    const sample = await measure(start % 2 === 0 ? [peer, ours] : [ours, peer]);
    samples.push(sample);
    const shown = [sample[ours], sample[peer], sample.firstUse].map(show);
    console.log(`start ${start + 1}: Parley ${shown[0]}, empty ${shown[1]}; first use ${shown[2]}`);
  }
  const all = (name: string) => samples.map((sample) => sample[name] ?? Number.NaN);
  const result = {
    name: 'startup',
    unit: 'ms',
    starts: samples.length,
    ours: median(all(ours)),
    fastest: Math.min(...all(ours)),
    peer: median(all(peer)),
    firstUse: median(all('firstUse')),
    limit: limitMs,
  };
  const row = {
    Parley: show(result.ours),
    fastest: show(result.fastest),
    'empty extension': show(result.peer),
    limit: show(limitMs),
    'Parley / limit': (result.ours / limitMs).toFixed(2),
    'over the empty one': show(result.ours - result.peer),
    'first use, later': show(result.firstUse),
  };
  console.table({ 'activation, median': row });
  const [cold = Number.NaN, ...paints] = await firstPaints(Number(values.paints));
  const paint = { firstOfAll: cold, ours: median(paints), fastest: Math.min(...paints), limit: paintLimitMs };
  console.table({
    'first paint after its frame': {
      'Parley, median': show(paint.ours),
      fastest: show(paint.fastest),
      'in a new VS Code': show(paint.firstOfAll),
      limit: show(paintLimitMs),
      'Parley / limit': (paint.ours / paintLimitMs).toFixed(2),
    },
  });
  if (values.json) await writeFile(values.json, JSON.stringify({ ...result, paint }, null, 2));
}

/** Activates the two in this order in a new VS Code with a new profile. Resolves to ms by extension. */
async function measure(order: readonly string[]): Promise<Record<string, number>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const result = path.join(dir, 'result.json');
  const here = path.join(repositoryRoot, 'test/bench/startup');
  await mkdir(path.join(dir, 'user', 'User'), { recursive: true });
  await writeFile(path.join(dir, 'user', 'User', 'settings.json'), JSON.stringify(quietSettings));
  // A new profile begins with what its folder of extensions has.
  const extensionsDir = path.join(dir, 'extensions');
  await cp(path.join(here, 'empty'), path.join(extensionsDir, `${peer}-1.0.0`), { recursive: true });
  const { write } = process.stdout;
  let log = '';
  try {
    // VS Code's own log would bury the figures.
    process.stdout.write = (chunk: string | Uint8Array) => {
      log += chunk;
      return true;
    };
    await runTests({
      vscodeExecutablePath: await findTestExecutable(),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: path.join(here, 'measure.cjs'),
      launchArgs: [`--user-data-dir=${path.join(dir, 'user')}`, `--extensions-dir=${extensionsDir}`],
      extensionTestsEnv: { PARLEY_BENCH_ORDER: order.join(','), PARLEY_BENCH_RESULT: result },
    });
    const { error, ...times } = JSON.parse(await readFile(result, 'utf8'));
    if (error) throw new Error(error);
    return times;
  } catch (error) {
    console.error(log);
    throw error;
  } finally {
    process.stdout.write = write;
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (
    ((sorted[Math.floor(middle - 0.5)] ?? Number.NaN) + (sorted[Math.ceil(middle - 0.5)] ?? Number.NaN)) / 2
  );
}

function show(ms: number | undefined): string {
  return `${(ms ?? Number.NaN).toFixed(2)} ms`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
