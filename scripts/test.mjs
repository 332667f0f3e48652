// Runs everything that can show a fault, from a fresh clone on; the last line is `N passed, N failed`.
// Usage: node scripts/test.mjs [lint | unit | page | host | e2e | a file or folder of test/]… [--grep REGEXP]
//        node scripts/test.mjs --stress [RUNS] [BUSY RUNS]
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
try {
  await ensureInstalled();
  const { tsImport } = await import('tsx/esm/api');
  const args = process.argv.slice(2);
  if (args[0] === '--stress') {
    const { stress } = await tsImport('../test/runner/stress.ts', import.meta.url);
    process.exitCode = await stress(args.slice(1));
  } else {
    const { main } = await tsImport('../test/runner/main.ts', import.meta.url);
    process.exitCode = await main(args);
  }
} catch (error) {
  console.error(`${error.message}\n0 passed, 1 failed`);
  process.exitCode = 1;
}
