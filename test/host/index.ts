import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';

/** Runs every bundled test beside this file; VS Code calls it in the extension host. Throws where a test failed. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const { PARLEY_TEST_GREP: grep, PARLEY_TEST_REPORT: report } = process.env;
  // VS Code's own log goes to the same console, at length.
  if (report) Mocha.reporters.Base.consoleLog = (...parts) => appendFileSync(report, `${format(...parts)}\n`);
  const reporter = report ? path.join(__dirname, '../../../scripts/mochaReporter.cjs') : 'spec';
  const mocha = new Mocha({
    timeout: 30_000,
    color: false,
    forbidOnly: true,
    reporter,
    ...(grep ? { grep } : {}),
  });
  for (const name of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(path.join(__dirname, name));
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} of the tests inside VS Code failed.`);
}
