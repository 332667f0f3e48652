import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** In µs: wall-clock time, and CPU time of the thread. */
  readonly dur?: number;
  readonly tdur?: number;
}

/**
 * Measures the longest task of a page's main thread in CPU time (ms), without the time of other processes.
 */
export class TaskTrace {
  readonly #session: CDPSession;
  readonly #events: TraceEvent[] = [];

  constructor(session: CDPSession) {
    this.#session = session;
    session.on('Tracing.dataCollected', ({ value }) => {
      this.#events.push(...(value as unknown as TraceEvent[]));
    });
  }

  async start(): Promise<void> {
    this.#events.length = 0;
    const traceConfig = { includedCategories: ['toplevel', 'blink.user_timing'] };
    await this.#session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' });
  }

  /** Ends the trace; resolves to the longest task that began after the page's `performance.mark(after)`. */
  async getLongestAfter(after: string): Promise<number> {
    const complete = new Promise((resolve) => this.#session.once('Tracing.tracingComplete', resolve));
    await this.#session.send('Tracing.end');
    await complete;
    const mark = this.#events.find(({ name }) => name === after);
    if (!mark) throw new Error(`The trace has no mark ${after}.`);
    const tasks = this.#events.filter(
      ({ name, pid, tid, ts }) =>
        name.endsWith('RunTask') && pid === mark.pid && tid === mark.tid && ts > mark.ts,
    );
    return Math.max(0, ...tasks.map(({ dur = 0, tdur = dur }) => tdur)) / 1000;
  }
}
