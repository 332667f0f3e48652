import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { createEventReporter } from '../runner/worker/eventReporter';
import type { TestEvent } from '../runner/worker/events';
import { TEST_LIMIT_MS } from '../support/testLimit';

/**
 * Runs the bundled tests next to this file, limited to `PARLEY_TEST_ONLY`; VS Code calls it in the extension
 * host. Throws if a test fails.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const { PARLEY_TEST_GREP: grep, PARLEY_TEST_EVENTS: eventsFile } = process.env;
  const emit = (event: TestEvent) => {
    if (eventsFile) appendFileSync(eventsFile, `${JSON.stringify(event)}\n`);
  };
  const mocha = new Mocha({
    timeout: TEST_LIMIT_MS,
    color: false,
    forbidOnly: true,
    reporter: eventsFile ? createEventReporter(path.join(__dirname, '../../..'), emit) : 'spec',
    ...(grep ? { grep } : {}),
  });
  for (const name of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.test.js') && isSelected(name)) mocha.addFile(path.join(__dirname, name));
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  emit({ type: 'fileDone' });
  if (failures > 0) throw new Error(`${failures} of the tests inside VS Code failed.`);
}

/** `PARLEY_TEST_ONLY`: comma-separated source files and folders, relative to the repository's root. */
function isSelected(name: string): boolean {
  const { PARLEY_TEST_ONLY: only } = process.env;
  const source = `test/host/${name.replaceAll(path.sep, '/').replace(/\.js$/, '.ts')}`;
  return (
    !only || only.split(',').some((selected) => source === selected || source.startsWith(`${selected}/`))
  );
}
