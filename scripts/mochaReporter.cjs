// Mocha's list of failures in full, plus the counts as JSON in the file that PARLEY_TEST_RESULTS names, for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      this.epilogue();
      const { passes, failures, pending } = this.stats;
      const results = process.env.PARLEY_TEST_RESULTS;
      if (results)
        writeFileSync(results, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
