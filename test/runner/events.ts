/** What a process that runs tests reports while it does. */
export type TestEvent =
  /** A test or a hook has begun. */
  | { readonly type: 'begin'; readonly title: string }
  | { readonly type: 'result'; readonly result: TestResult }
  /** All tests of the file have run. */
  | { readonly type: 'fileDone' };

export interface TestResult {
  /** The test's file, from the repository's root, with `/`. */
  readonly file: string;
  /** Its full title, the parts joined by ` › `. */
  readonly title: string;
  /** `hook`: no test, but a hook that passed and took long enough to be worth a look. */
  readonly state: 'passed' | 'failed' | 'skipped' | 'hook';
  readonly durationMs: number;
  /** What mocha prints of a failure: message, difference and stack. */
  readonly error?: string;
}
