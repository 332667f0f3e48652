/** A suite with the reason for which its tests are skipped. */
interface SkippedSuite extends Mocha.Suite {
  skipReason?: string;
}

/** Skips all tests of the suite whose hook calls this; the runner prints the reason. */
export function skipSuite(context: Mocha.Context, reason: string): never {
  const suite: SkippedSuite | undefined = context.runnable().parent;
  if (suite) suite.skipReason = reason;
  return context.skip();
}

/** Returns the reason for which a test was skipped, if `skipSuite` skipped it. */
export function getSkipReason(test: Mocha.Runnable): string | undefined {
  for (let suite: SkippedSuite | undefined = test.parent; suite; suite = suite.parent) {
    if (suite.skipReason !== undefined) return suite.skipReason;
  }
  return;
}
