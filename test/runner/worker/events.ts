/** An event from a process that runs tests. */
export type TestEvent =
  /** A test or a hook has started. */
  | { readonly type: 'begin'; readonly title: string }
  | { readonly type: 'result'; readonly result: TestResult }
  /** All tests of the file have run. */
  | { readonly type: 'fileDone' };

export interface TestResult {
  /** The test's file, relative to the repository's root, with `/`. */
  readonly file: string;
  /** The full title, with its parts joined by ` › `. */
  readonly title: string;
  /** `hook`: a hook that passed but was slow. */
  readonly state: 'passed' | 'failed' | 'skipped' | 'hook';
  readonly durationMs: number;
  /** Mocha's output for a failure: message, diff and stack. */
  readonly error?: string;
  /** A failure's message, and the line of the test where it was; or why a suite is skipped. */
  readonly reason?: string;
}
