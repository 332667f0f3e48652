// Runs measurements: each folder of test/bench with a main.ts is one. Packages that only they need are
// installed in test/bench on demand.
// Usage: node scripts/run.mjs scripts/bench.ts [name [arguments of that measurement]]; without a name, or with
// `all`, runs all but the mutants, which take hours.
//   all --json [FILE] [--runs N] [--only a,b]  writes the results to the file, and the goals to docs/performance.md
//   compare OLD.json NEW.json                  compares two such files
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { useRunFolder } from '../test/runner/runFolder';
import { formatGoals } from './benchGoals';
import { compareResults, getFigures, type Results } from './benchResults';
import { ensureFolderInstalled } from './installFolder';

const root = path.join(__dirname, '..');
const benchDir = path.join(root, 'test', 'bench');
const PAGE = path.join(root, 'docs', 'performance.md');
/** Far longer than any but the mutants takes: one that hangs must not end the run of all. */
const MAX_MEASUREMENT_MS = 30 * 60_000;
const [GOALS_BEGIN, GOALS_END] = ['<!-- goals -->\n', '<!-- /goals -->'];

bench(process.argv.slice(2).filter((arg) => arg !== '--')).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

async function bench([name, ...args]: readonly string[]): Promise<void> {
  const names = readdirSync(benchDir).filter((folder) => existsSync(path.join(benchDir, folder, 'main.ts')));
  if (name === 'compare') return compare(args);
  if (name !== undefined && name !== 'all' && !names.includes(name)) {
    throw new Error(`There is no measurement called ${name}; there are: all, compare, ${names.join(', ')}.`);
  }
  useRunFolder();
  await ensureFolderInstalled(benchDir, 'what the measurements compare with');
  const all = names.filter((folder) => folder !== 'mutants');
  if (name === 'all' && args.length > 0) return writeAll(all, args);
  for (const measurement of name === undefined || name === 'all' ? all : [name]) run(measurement, args);
}

/** `timeout`: the time in ms after which it is ended. */
function run(measurement: string, args: readonly string[], timeout?: number): void {
  console.log(`\n${measurement}`);
  const script = path.join(benchDir, measurement, 'main.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: root,
    stdio: 'inherit',
    ...(timeout !== undefined && { timeout }),
  });
  if (status !== 0) process.exitCode = 1;
}

/** Runs all measurements that can write JSON, and writes their results and the goals. */
function writeAll(names: readonly string[], args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: '1' },
      only: { type: 'string', default: names.join(',') },
    },
    allowPositionals: true,
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-results-'));
  const results: Record<string, unknown[]> = {};
  const measured = values.only
    .split(',')
    .filter((name) => readFileSync(path.join(benchDir, name, 'main.ts'), 'utf8').includes('json: { type:'));
  const [output] = positionals;
  const started = performance.now();
  const getMinutes = () => ((performance.now() - started) / 60_000).toFixed(1);
  for (const [position, name] of measured.entries()) {
    console.log(`\n${position + 1} of ${measured.length}, after ${getMinutes()} minutes`);
    for (let index = 0; index < Number(values.runs); index++) {
      const file = path.join(folder, `${name}-${index}.json`);
      run(name, ['--json', file], MAX_MEASUREMENT_MS);
      if (existsSync(file))
        results[name] = [...(results[name] ?? []), JSON.parse(readFileSync(file, 'utf8'))];
      // After each measurement, so that a run that is ended leaves what it had.
      if (output) writeFileSync(output, `${JSON.stringify(results, null, 2)}\n`);
    }
  }
  rmSync(folder, { recursive: true });
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(GOALS_BEGIN), page.indexOf(GOALS_END)];
  if (begin < 0 || end < begin) throw new Error(`There is no place for the goals in ${PAGE}`);
  const cpu = os.cpus()[0]?.model ?? 'unknown processor';
  const load = os.loadavg()[0]?.toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  const conditions = `Measured on ${date}: medians of ${values.runs} run(s) in ${getMinutes()} minutes, on ${os.cpus().length} × ${cpu}, with a load of ${load} at the end.`;
  console.log(`\nMeasured in ${getMinutes()} minutes.`);
  const goals = `${conditions}\n\n${formatGoals(getFigures(results))}\n`;
  writeFileSync(PAGE, `${page.slice(0, begin + GOALS_BEGIN.length)}${goals}${page.slice(end)}`);
}

function compare([oldFile, newFile]: readonly string[]): void {
  if (!oldFile || !newFile) throw new Error('Name two files: npm run bench -- compare OLD.json NEW.json');
  const [before, after] = [oldFile, newFile].map((file) => JSON.parse(readFileSync(file, 'utf8')) as Results);
  if (!before || !after) return;
  const differences = compareResults(before, after);
  console.table(
    differences.map(({ what, ratio, noise, isWorse }) => ({
      what,
      'new / old': ratio.toFixed(2),
      noise: noise === undefined ? 'unknown' : `± ${Math.round(noise * 100)} %`,
      '': isWorse ? 'WORSE' : '',
    })),
  );
  const count = differences.filter(({ isWorse }) => isWorse).length;
  console.log(`${count} of ${differences.length} figures are worse by more than the noise of their runs.`);
}
