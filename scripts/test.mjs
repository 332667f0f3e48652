// Runs everything that can show a fault, from a fresh clone on; the last line is `N passed, N failed`.
// Usage: node scripts/test.mjs [lint | unit | page | host | e2e | a file or folder of test/]… [--grep REGEXP]
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
try {
  await ensureInstalled();
  const { tsImport } = await import('tsx/esm/api');
  const { main } = await tsImport('../test/runner/main.ts', import.meta.url);
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`${error.message}\n0 passed, 1 failed`);
  process.exitCode = 1;
}
