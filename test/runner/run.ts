import type { TestResult } from './events';

/** Takes in what a stage's processes report. */
export interface StageRun {
  /** A test has begun; it is named where nothing follows. */
  begin(title: string): void;
  add(result: TestResult): void;
}

/** A failure that no test reported: a process that crashed, fell silent or could not begin. */
export function createFailure(file: string, title: string, error: string): TestResult {
  return { file, title, state: 'failed', durationMs: 0, error };
}

/** The last part of a process's output, for a failure that it explains. */
export function tail(output: string, length = 4000): string {
  return output.length > length ? `…${output.slice(-length)}` : output;
}
