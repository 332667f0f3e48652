import type { TestResult } from './worker/events';

/** Receives the reports of a stage's processes. */
export interface StageRun {
  /** Called when a test has started. A process that ends without another event fails with this title. */
  begin(title: string): void;
  add(result: TestResult): void;
}

/** Creates a failure that no test reported: a process crashed, hung or couldn't start. */
export function createFailure(file: string, title: string, error: string): TestResult {
  return { file, title, state: 'failed', durationMs: 0, error, reason: error.split('\n', 1)[0] ?? '' };
}

/** Returns the last part of a process's output, for its failure. */
export function getTail(output: string, length = 4000): string {
  return output.length > length ? `…${output.slice(-length)}` : output;
}
