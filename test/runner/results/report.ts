import type { StageRun } from '../run';
import type { Stage } from '../stages';
import type { TestResult } from '../worker/events';

/** How many of the slowest tests are listed at the end. */
const MAX_SLOWEST_TESTS = 20;

/** The results of a stage. Prints failures immediately, and the counts after the last job. */
export class StageReport implements StageRun {
  readonly stage: Stage;
  readonly results: TestResult[] = [];
  #running = '';
  #startedMs: number | undefined;
  #endedMs = 0;
  #jobsLeft: number;

  constructor(stage: Stage) {
    this.stage = stage;
    this.#jobsLeft = stage.kind === 'files' ? stage.files.length : 1;
  }

  /** The title of the running test; empty before and after the stage. */
  get running(): string {
    return this.#running;
  }

  get durationMs(): number {
    return this.#startedMs === undefined ? 0 : this.#endedMs - this.#startedMs;
  }

  count(state: TestResult['state']): number {
    return this.results.filter((result) => result.state === state).length;
  }

  start(): void {
    this.#startedMs ??= performance.now();
  }

  begin(title: string): void {
    this.#running = title;
  }

  add(result: TestResult): void {
    const { state, reason } = result;
    // A suite has one reason for all its tests.
    const isNews = !this.results.some((other) => other.state === state && other.reason === reason);
    this.results.push(result);
    if (state === 'failed') console.log(`✖ ${this.stage.name}: ${formatFailure(result)}\n`);
    if (state === 'skipped' && reason !== undefined && isNews)
      console.log(`– ${this.stage.name}: ${result.title} is skipped: ${reason}`);
  }

  finishJob(): void {
    this.#endedMs = performance.now();
    this.#running = '';
    if (--this.#jobsLeft === 0) console.log(`${formatStage(this)}`);
  }
}

/** Formats a stage's counts and time as a line. */
export function formatStage(report: StageReport): string {
  const mark = report.count('failed') > 0 ? '✖' : '✔';
  return `${mark} ${report.stage.name.padEnd(5)} ${formatCounts([report])}  (${formatSeconds(report.durationMs)})`;
}

/** Formats `N passed, N failed`, and the number of skipped tests if there are any. */
export function formatCounts(reports: readonly StageReport[], moreFailed = 0): string {
  const count = (state: TestResult['state']) => reports.reduce((sum, report) => sum + report.count(state), 0);
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed') + moreFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function formatFailure({ file, title, error = '' }: TestResult): string {
  return [`${title}${file === '' ? '' : ` (${file})`}`, ...error.split('\n')].join('\n    ');
}

/** Formats a failure for the list at the end, which may be all that is left of a long output. */
export function formatReason({ title, reason = '' }: TestResult): string {
  return [`  ✖ ${title}`, ...reason.split('\n').filter((line) => line !== '')].join('\n      ');
}

/** Formats the slowest tests and hooks of all stages as a table. */
export function formatSlowest(reports: readonly StageReport[]): string {
  const slowest = reports
    .flatMap(({ stage, results }) => results.map((result) => ({ stage: stage.name, ...result })))
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, MAX_SLOWEST_TESTS);
  const rows = slowest.map(
    ({ stage, title, durationMs }) =>
      `  ${formatSeconds(durationMs).padStart(8)}  ${stage.padEnd(5)} ${title}`,
  );
  return ['Slowest tests and hooks:', ...rows].join('\n');
}

export function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
