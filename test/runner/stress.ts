// Runs `npm test` several times, some of them while busy processes use every core, and lists the failures.
// Usage: npm run test:stress -- [RUNS] [BUSY RUNS]
import { availableParallelism } from 'node:os';
import { repositoryRoot } from '../vscode/cacheDir';
import { endWithParent, type ProcessGroup, spawnGroup } from '../vscode/processGroup';
import { formatSeconds } from './results/report';
import { readResults } from './results/resultsFile';

const DEFAULT_RUNS = 3;

interface StressRun {
  readonly isBusy: boolean;
  readonly durationMs: number;
  readonly passed: number;
  readonly failures: readonly string[];
}

/** Runs everything; resolves to the exit code. */
async function stress(args: readonly string[]): Promise<number> {
  endWithParent();
  const runs = Number(args[0] ?? DEFAULT_RUNS);
  const busyRuns = Number(args[1] ?? runs);
  const results: StressRun[] = [];
  for (let run = 0; run < runs; run++) {
    results.push(await runOnce(run >= runs - busyRuns));
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

async function runOnce(isBusy: boolean): Promise<StressRun> {
  const busy = isBusy ? Array.from({ length: availableParallelism() }, startBusyLoop) : [];
  const started = performance.now();
  const { ended } = spawnGroup(process.execPath, ['scripts/run.mjs', 'test/runner/main.ts'], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await ended;
  const durationMs = performance.now() - started;
  await Promise.all(busy.map((loop) => loop.stop()));
  const results = readResults();
  const failures = results.filter(({ state }) => state === 'failed').map(({ title }) => title);
  const passed = results.filter(({ state }) => state === 'passed').length;
  if (code !== 0 && failures.length === 0) failures.push(`npm test ends with exit code ${code}`);
  return { isBusy, durationMs, passed, failures };
}

function startBusyLoop(): ProcessGroup {
  return spawnGroup(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
}

function formatRun(number: number, run: StressRun | undefined): string {
  if (!run) return '';
  const { isBusy, durationMs, passed, failures } = run;
  const machine = isBusy ? ', busy machine' : '';
  const lines = [
    `Run ${number}: ${passed} passed, ${failures.length} failed (${formatSeconds(durationMs)}${machine})`,
    ...failures.map((title) => `  ✖ ${title}`),
  ];
  return lines.join('\n');
}

void stress(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
