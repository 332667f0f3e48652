// Runs `npm test` several times, some of them while busy processes use every core, and lists the failures.
// Usage: npm run test:stress -- [RUNS] [BUSY RUNS] [--slow] [STAGE | FILE | FOLDER]…
import { rmSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { getCacheDir, repositoryRoot } from '../vscode/cacheDir';
import { endWithParent, type ProcessGroup, spawnGroup } from '../vscode/processGroup';
import { measureMachine } from './machineSpeed';
import { formatSeconds } from './results/report';
import { readResults } from './results/resultsFile';

const DEFAULT_RUNS = 3;
/** How many times slower than on a quick machine pages run with `--slow`, the machine's own slowness included. */
const SLOW_CPU_RATE = 3;
/** The niceness of all other processes with `--slow`: beside a busy loop, one gets about a third of a core. */
const SLOW_NICENESS = 3;
/** How many loops are busy with `--slow`. */
const SLOW_LOOPS = 2;
const resultsFile = path.join(getCacheDir(), 'stress.json');

interface StressRun {
  /** What slowed the run down, for its line. */
  readonly machine: string;
  readonly durationMs: number;
  readonly passed: number;
  readonly failures: readonly string[];
}

/** Runs everything; resolves to the exit code. */
async function stress(args: readonly string[]): Promise<number> {
  endWithParent();
  const { values, positionals } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    allowPositionals: true,
    options: { slow: { type: 'boolean', default: false } },
  });
  const isCount = (arg: string) => /^\d+$/.test(arg);
  const [runs = DEFAULT_RUNS, busyRuns = runs] = positionals.filter(isCount).map(Number);
  const selected = positionals.filter((arg) => !isCount(arg));
  const results: StressRun[] = [];
  for (let run = 0; run < runs; run++) {
    results.push(await runOnce(run >= runs - busyRuns, values.slow, selected));
    console.log(formatRun(results.length, results.at(-1)));
  }
  const failures = results.flatMap((result) => result.failures);
  console.log(
    `\n${runs - results.filter((result) => result.failures.length > 0).length} of ${runs} runs were green.`,
  );
  for (const title of new Set(failures)) {
    console.log(`  ✖ ${failures.filter((failure) => failure === title).length} × ${title}`);
  }
  return failures.length > 0 ? 1 : 0;
}

async function runOnce(isBusy: boolean, isSlow: boolean, selected: readonly string[]): Promise<StressRun> {
  const loops = isSlow ? SLOW_LOOPS : isBusy ? availableParallelism() : 0;
  // Measured before the loops start: they come on top.
  const pageRate = isSlow ? Math.max(1, SLOW_CPU_RATE / (await measureMachine()).slowness) : 1;
  if (isSlow) console.log(`The CPU of pages is slowed down ${pageRate.toFixed(1)} times.`);
  const busy = Array.from({ length: loops }, startBusyLoop);
  rmSync(resultsFile, { force: true });
  const started = performance.now();
  const { child, ended } = spawnGroup(
    process.execPath,
    ['scripts/run.mjs', 'test/runner/main.ts', ...selected],
    {
      cwd: repositoryRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PARLEY_TEST_RESULTS: resultsFile,
        ...(isSlow && { PARLEY_TEST_CPU_RATE: String(pageRate) }),
      },
    },
  );
  // Its children inherit it.
  if (isSlow && child.pid !== undefined) setPriority(child.pid, SLOW_NICENESS);
  const code = await ended;
  const durationMs = performance.now() - started;
  await Promise.all(busy.map((loop) => loop.stop()));
  const results = readResults(resultsFile);
  const failures = results.filter(({ state }) => state === 'failed').map(({ title }) => title);
  const passed = results.filter(({ state }) => state === 'passed').length;
  if (code !== 0 && failures.length === 0) failures.push(`npm test ends with exit code ${code}`);
  return {
    machine: isSlow ? ', slow machine' : isBusy ? ', busy machine' : '',
    durationMs,
    passed,
    failures,
  };
}

function startBusyLoop(): ProcessGroup {
  return spawnGroup(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
}

function formatRun(number: number, run: StressRun | undefined): string {
  if (!run) return '';
  const { machine, durationMs, passed, failures } = run;
  const lines = [
    `Run ${number}: ${passed} passed, ${failures.length} failed (${formatSeconds(durationMs)}${machine})`,
    ...failures.map((title) => `  ✖ ${title}`),
  ];
  return lines.join('\n');
}

void stress(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
