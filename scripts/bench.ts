// Runs measurements: each folder of test/bench with a main.ts is one. Packages that only they need are
// installed in test/bench on demand.
// Usage: node scripts/run.mjs scripts/bench.ts [name [arguments of that measurement]]; without a name, runs
// all but the mutants, which take hours.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { useRunFolder } from '../test/runner/runFolder';
import { ensureFolderInstalled } from './installFolder';

const root = path.join(__dirname, '..');
const benchDir = path.join(root, 'test', 'bench');

bench(process.argv.slice(2).filter((arg) => arg !== '--')).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

async function bench([name, ...args]: readonly string[]): Promise<void> {
  const names = readdirSync(benchDir).filter((folder) => existsSync(path.join(benchDir, folder, 'main.ts')));
  if (name !== undefined && !names.includes(name)) {
    throw new Error(`There is no measurement called ${name}; there are: ${names.join(', ')}.`);
  }
  useRunFolder();
  await ensureFolderInstalled(benchDir, 'what the measurements compare with');
  for (const measurement of name === undefined ? names.filter((folder) => folder !== 'mutants') : [name]) {
    console.log(`\n${measurement}`);
    const script = path.join(benchDir, measurement, 'main.ts');
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
