// Makes small changes to the sources, one at a time, and counts how many of these mutants the unit tests
// detect.
// Usage: npm run bench -- mutants [file,file,... [test,test,...]]; without files, all that stryker.config.mjs names,
// which takes hours. The tests are files too, such as test/client/*.test.ts; without them, all unit tests.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getCacheDir, repositoryRoot } from '../../vscode/cacheDir';

/** The goal, in percent. */
const MIN_KILLED_PERCENT = 95;

/** The parts of the report used here (https://github.com/stryker-mutator/mutation-testing-elements). */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

async function main(): Promise<void> {
  const [files, tests] = process.argv.slice(2);
  const stryker = path.join(repositoryRoot, 'test/bench/node_modules/@stryker-mutator/core/bin/stryker.js');
  const config = path.join(repositoryRoot, 'test/bench/mutants/stryker.config.mjs');
  const args = [
    ...[stryker, 'run', config],
    ...(files === undefined ? [] : ['--mutate', files]),
    ...(tests === undefined ? [] : ['--testFiles', tests]),
  ];
  const { status } = spawnSync(process.execPath, args, { cwd: repositoryRoot, stdio: 'inherit' });
  if (status !== 0) throw new Error('Stryker failed; what it says is above.');
  print(JSON.parse(await readFile(getCacheDir('mutants.json'), 'utf8')));
}

function print({ files }: Report): void {
  const rows = Object.entries(files).map(([file, { mutants }]) => ({ file, ...countMutants(mutants) }));
  const all = countMutants(Object.values(files).flatMap(({ mutants }) => mutants));
  console.log(`Goal: ${MIN_KILLED_PERCENT} % killed, or a reason for each survivor`);
  console.table([...rows, { file: 'all', ...all }]);
  if (Number.parseFloat(all['share killed']) < MIN_KILLED_PERCENT) process.exitCode = 1;
}

function countMutants(mutants: readonly { readonly status: string }[]) {
  const count = (...states: string[]) => mutants.filter(({ status }) => states.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const survived = count('Survived', 'NoCoverage');
  return { killed, survived, 'share killed': `${((100 * killed) / (killed + survived)).toFixed(1)} %` };
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
