// Mocha's list of failures in full, plus what scripts/test.mjs wants to know as JSON in the file that PARLEY_TEST_RESULTS names:
// the counts, and the tests whose titles name a row of test/faults.json.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { reporters, Runner } = require('mocha');

const root = path.dirname(__dirname);

module.exports = class CountingReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const tagged = [];
    runner.on(Runner.constants.EVENT_TEST_END, (test) => {
      const title = test.titlePath().join(' › ');
      if (!/\[(?:fault \d|attack: )/.test(title)) return;
      tagged.push({ file: sourceOf(test.file), title, state: test.state ?? 'skipped' });
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      this.epilogue();
      const { passes, failures, pending } = this.stats;
      const results = process.env.PARLEY_TEST_RESULTS;
      if (results)
        writeFileSync(
          results,
          JSON.stringify({ passed: passes, failed: failures, skipped: pending, tagged }),
        );
    });
  }
};

/** Tests that run inside VS Code are bundled: dist/test/host/x.test.js is test/host/x.test.ts. */
function sourceOf(file) {
  const relative = path.relative(root, file).replaceAll(path.sep, '/');
  return relative.replace(/^dist\/(.*)\.js$/, '$1.ts');
}
