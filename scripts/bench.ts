// Runs measurements: each folder of test/bench with a main.ts is one. What only they need is installed in test/bench, on demand.
// Usage: node scripts/run.mjs scripts/bench.ts [name [arguments of that measurement]]; without a name, all but the mutants,
// which take hours.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureFolderInstalled } from './installFolder';

const root = path.join(__dirname, '..');
const benchDir = path.join(root, 'test', 'bench');

bench(process.argv.slice(2).filter((arg) => arg !== '--')).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

async function bench([name, ...args]: readonly string[]): Promise<void> {
  const known = readdirSync(benchDir).filter((each) => existsSync(path.join(benchDir, each, 'main.ts')));
  if (name !== undefined && !known.includes(name)) {
    throw new Error(`There is no measurement called ${name}; there are: ${known.join(', ')}.`);
  }
  await ensureFolderInstalled(benchDir, 'what the measurements compare with');
  for (const each of name === undefined ? known.filter((every) => every !== 'mutants') : [name]) {
    console.log(`\n${each}`);
    const script = path.join(benchDir, each, 'main.ts');
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
