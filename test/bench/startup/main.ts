import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { repositoryRoot } from '../../vscode/cacheDir';
import { quietSettings } from '../../vscode/quietSettings';
import { findTestExecutable } from '../../vscode/testExecutable';
import { measureFirstPaints } from './firstPaint';

const PARLEY_ID = 'parley.parley';
const PEER_ID = 'parley-bench.empty';
const MAX_ACTIVATION_MS = 5;
/** The goals beside the empty extension and beside a webview with a line of text. */
const MAX_ACTIVATION_RATIO = 5;
const MAX_FIRST_USE_RATIO = 15;
const MAX_PAINT_RATIO = 1.25;

/**
 * `npm run bench -- startup [--starts N] [--paints N] [--json FILE]`: measures the activation of Parley and
 * of an empty extension, as medians of fresh starts, and the time until the first paint of the panel and of a
 * webview with a line of text.
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
    // The second extension finds a warm host, so they take turns.
    const sample = await measure(start % 2 === 0 ? [PEER_ID, PARLEY_ID] : [PARLEY_ID, PEER_ID]);
    samples.push(sample);
    const shown = [sample[PARLEY_ID], sample[PEER_ID], sample.firstUse].map(formatMs);
    console.log(`start ${start + 1}: Parley ${shown[0]}, empty ${shown[1]}; first use ${shown[2]}`);
  }
  const all = (name: string) => samples.map((sample) => sample[name] ?? Number.NaN);
  const result = {
    name: 'startup',
    unit: 'ms',
    starts: samples.length,
    ours: median(all(PARLEY_ID)),
    fastest: Math.min(...all(PARLEY_ID)),
    peer: median(all(PEER_ID)),
    firstUse: median(all('firstUse')),
    limit: MAX_ACTIVATION_MS,
  };
  const row = {
    Parley: formatMs(result.ours),
    fastest: formatMs(result.fastest),
    'empty extension': formatMs(result.peer),
    limit: formatMs(MAX_ACTIVATION_MS),
    'Parley / limit': (result.ours / MAX_ACTIVATION_MS).toFixed(2),
    'Parley / empty': `${(result.ours / result.peer).toFixed(1)} (goal ${MAX_ACTIVATION_RATIO})`,
    'first use, later': formatMs(result.firstUse),
    'first use / empty': `${(result.firstUse / result.peer).toFixed(1)} (goal ${MAX_FIRST_USE_RATIO})`,
  };
  console.table({ 'activation, median': row });
  const { cold, panel, reply, line } = await measureFirstPaints(Number(values.paints));
  const paint = {
    firstOfAll: cold,
    ours: median(panel),
    fastest: Math.min(...panel),
    reply: median(reply),
    peer: median(line),
  };
  console.table({
    'first paint after its frame': {
      'Parley, median': formatMs(paint.ours),
      fastest: formatMs(paint.fastest),
      'with the reply': formatMs(paint.reply),
      'in a new VS Code': formatMs(paint.firstOfAll),
      'a line of text, median': formatMs(paint.peer),
      'Parley / line': (paint.ours / paint.peer).toFixed(2),
      goal: MAX_PAINT_RATIO.toFixed(2),
    },
  });
  if (values.json) await writeFile(values.json, JSON.stringify({ ...result, paint }, null, 2));
}

/**
 * Activates both extensions in this order in a new VS Code with a new profile. Resolves to ms by extension.
 */
async function measure(order: readonly string[]): Promise<Record<string, number>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const result = path.join(dir, 'result.json');
  const here = path.join(repositoryRoot, 'test/bench/startup');
  await mkdir(path.join(dir, 'user', 'User'), { recursive: true });
  await writeFile(path.join(dir, 'user', 'User', 'settings.json'), JSON.stringify(quietSettings));
  // A new profile starts with the contents of its extensions folder.
  const extensionsDir = path.join(dir, 'extensions');
  await cp(path.join(here, 'empty'), path.join(extensionsDir, `${PEER_ID}-1.0.0`), { recursive: true });
  const { write } = process.stdout;
  let log = '';
  try {
    // VS Code's log would hide the results.
    process.stdout.write = (chunk: string | Uint8Array) => {
      log += chunk;
      return true;
    };
    await runTests({
      vscodeExecutablePath: await findTestExecutable(),
      extensionDevelopmentPath: await copyExtension(dir),
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

function formatMs(ms: number | undefined): string {
  return `${(ms ?? Number.NaN).toFixed(2)} ms`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

/** Copies the extension without the event that would activate it before its time is taken. */
async function copyExtension(dir: string): Promise<string> {
  const folder = path.join(dir, 'parley');
  for (const name of ['dist', 'l10n', 'media', 'package.nls.json']) {
    await cp(path.join(repositoryRoot, name), path.join(folder, name), {
      recursive: true,
      filter: (source) => source !== path.join(repositoryRoot, 'dist', 'test'),
    });
  }
  const manifest = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8'));
  const activationEvents = manifest.activationEvents.filter((event: string) => event !== 'onStartupFinished');
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents }));
  return folder;
}
