import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** In µs. */
  readonly ts: number;
  /** CPU time of the thread in µs, without the time of other processes. */
  readonly tdur?: number;
}

const CATEGORIES = ['toplevel', 'blink.user_timing'];
const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Resolves to the longest task (ms) of the page's main thread during `run`; the page marks it with `start`
 * and `end`.
 */
export async function measureLongestTask(session: CDPSession, run: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES } });
  await run();
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  const [start, end] = ['start', 'end'].map((mark) => events.find(({ name }) => name === mark));
  if (!start || !end) throw new Error('The page has no marks.');
  const tasks = events.filter(
    ({ name, pid, tid, ts }) =>
      name === TASK && pid === start.pid && tid === start.tid && ts > start.ts && ts < end.ts,
  );
  // Spreading would put thousands of tasks on the stack.
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}
