// Runs bundled test files in this process, and appends what happens to a file, a line of JSON each: under Wine, the
// output of a process can't be read through a pipe.
// Usage: node runFiles.cjs RESULTS FILE…

import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { createEventReporter } from '../runner/worker/eventReporter';
import type { TestEvent } from '../runner/worker/events';
import { TEST_LIMIT_MS } from '../support/testLimit';

const [results = '', ...files] = process.argv.slice(2);
const emit = (event: TestEvent) => appendFileSync(results, `${JSON.stringify(event)}\n`);

async function run(file: string): Promise<void> {
  const mocha = new Mocha({
    timeout: TEST_LIMIT_MS,
    color: false,
    reporter: createEventReporter(__dirname, emit),
  });
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => {
      runner.dispose();
      resolve();
    });
  });
  emit({ type: 'fileDone' });
}

async function main(): Promise<void> {
  for (const file of files) await run(file);
  process.exit();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
