// Lets a test that hangs fail soon: Stryker's own limit is longer, and costs a new process.
// Hooks have no limit, so that what they couldn't close isn't left to the next mutants.

const TEST_TIMEOUT_MS = 5000;

export const mochaHooks = {
  beforeAll() {
    setTimeouts(this.test.parent);
  },
};

function setTimeouts(suite) {
  for (const test of suite.tests) test.timeout(TEST_TIMEOUT_MS);
  suite.suites.forEach(setTimeouts);
}
