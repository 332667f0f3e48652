import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** µs */
  readonly ts: number;
  /** µs of the thread: without what other processes take. */
  readonly tdur?: number;
}

const CATEGORIES = ['toplevel', 'blink.user_timing'];
const TASK = 'ThreadControllerImpl::RunTask';

/** The longest task (ms) of the page's main thread while `run` lasts; the page marks it with `start` and `end`. */
export async function longestTask(session: CDPSession, run: () => Promise<unknown>): Promise<number> {
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
  if (!start || !end) throw new Error('The page marked no run.');
  const tasks = events.filter(
    ({ name, pid, tid, ts }) =>
      name === TASK && pid === start.pid && tid === start.tid && ts > start.ts && ts < end.ts,
  );
  // spread would put thousands of tasks on the stack.
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}
