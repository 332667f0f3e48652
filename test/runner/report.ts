import type { TestResult } from './events';
import type { StageRun } from './run';
import type { Stage } from './stages';

/** How many of the slowest tests are listed at the end. */
const SLOWEST_SHOWN = 20;

/** A stage's results. Failures are printed as they come, the counts when the last job is done. */
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

  /** What runs now; empty before and after. */
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
    this.results.push(result);
    if (result.state === 'failed') console.log(`✖ ${this.stage.name}: ${formatFailure(result)}\n`);
  }

  finishJob(): void {
    this.#endedMs = performance.now();
    this.#running = '';
    if (--this.#jobsLeft === 0) console.log(`${formatStage(this)}`);
  }
}

/** Prints a stage's counts and time in a line. */
export function formatStage(report: StageReport): string {
  const mark = report.count('failed') > 0 ? '✖' : '✔';
  return `${mark} ${report.stage.name.padEnd(5)} ${formatCounts([report])}  (${formatSeconds(report.durationMs)})`;
}

/** `N passed, N failed`, and how many were skipped where some were. */
export function formatCounts(reports: readonly StageReport[], moreFailed = 0): string {
  const count = (state: TestResult['state']) => reports.reduce((sum, report) => sum + report.count(state), 0);
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed') + moreFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function formatFailure({ file, title, error = '' }: TestResult): string {
  return [`${title}${file === '' ? '' : ` (${file})`}`, ...error.split('\n')].join('\n    ');
}

/** A table of the slowest tests and hooks of all stages. */
export function formatSlowest(reports: readonly StageReport[]): string {
  const slowest = reports
    .flatMap(({ stage, results }) => results.map((result) => ({ stage: stage.name, ...result })))
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, SLOWEST_SHOWN);
  const rows = slowest.map(
    ({ stage, title, durationMs }) =>
      `  ${formatSeconds(durationMs).padStart(8)}  ${stage.padEnd(5)} ${title}`,
  );
  return ['Slowest tests and hooks:', ...rows].join('\n');
}

export function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
