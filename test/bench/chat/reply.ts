import { type CDPSession, errors, type Frame, type Page } from 'playwright-core';
import type { LocalService } from '../../service/localService';
import { watchMainThread } from '../../webview/support/mainThread';
import { sendEvenly } from '../stream/chunks';
import { takePaints, watchPaints } from '../stream/paints';

/** Where a reply is shown. */
export interface Place {
  readonly name: string;
  /** The element of the open reply, and what in it has the text if that isn't the element itself. */
  readonly selector: string;
  readonly textSelector?: string;
  find(): Promise<Frame>;
  startConversation(): Promise<void>;
  /** Sends a message; resolves when the reply's element is there. */
  send(text: string): Promise<void>;
  /** Waits until the last of this many replies has ended. */
  waitForEnd(turns: number): Promise<void>;
}

/** The figures of a reply; times in ms. */
export interface Reply {
  /** From the chunk's departure to its paint. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU time of the thread of the window, which also runs the panel's page. */
  readonly mainThread: number;
  readonly missedFrames: number;
  readonly longestFrame: number;
  /** What the reply leaves behind in the JavaScript heap, in bytes, and in the DOM. */
  readonly heap: number;
  readonly nodes: number;
}

declare global {
  interface Window {
    /** Ends the recording; returns the time between frames, in ms. */
    stopFrames: () => number[];
  }
}

const WARM_UP_CHUNKS = 100;
const WARM_UP_RATE = 200;
/** Chat paces a reply and shows its end long after the last chunk; chunks that are not shown by then count as shown now. */
const PAINT_TIMEOUT_MS = 30_000;
const FRAMES_PER_SECOND = 60;

/** Measures the second reply of a new conversation; the first one runs cold code, since the place was just shown. */
export async function measureReply(
  { page }: { readonly page: Page },
  service: LocalService,
  place: Place,
  rate: number,
  seconds: number,
): Promise<Reply> {
  await place.startConversation();
  const stream = async (turn: number, count: number, chunkRate: number) => {
    const script = service.script();
    await place.send(`message ${turn}`);
    await script.opened;
    const frame = await place.find();
    await watchPaints(frame, place.selector, place.textSelector);
    await frame.evaluate(recordFrames);
    const sent = await sendEvenly(count, chunkRate, (text) => script.chunk(text));
    script.end();
    const paints = await takePaintsInTime(frame, count);
    const frames = await frame.evaluate(() => window.stopFrames());
    const now = Date.now();
    if (paints.length < count)
      console.error(`${place.name}: ${count - paints.length} chunks are not painted yet`);
    await place.waitForEnd(turn);
    return { delays: sent.map((at, index) => (paints[index] ?? now) - at), frames };
  };
  await stream(1, WARM_UP_CHUNKS, WARM_UP_RATE);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = await readMemory(session);
  const readMainThread = await watchMainThread(page);
  const { delays, frames } = await stream(2, rate * seconds, rate);
  const mainThread = await readMainThread();
  const after = await readMemory(session);
  await session.detach();
  const sorted = delays.toSorted((a, b) => a - b);
  const getQuantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    p50: getQuantile(0.5),
    p95: getQuantile(0.95),
    p99: getQuantile(0.99),
    mainThread,
    missedFrames: frames.reduce(
      (sum, ms) => sum + Math.max(0, Math.round((ms * FRAMES_PER_SECOND) / 1000) - 1),
      0,
    ),
    longestFrame: Math.max(...frames),
    heap: after.heap - before.heap,
    nodes: after.nodes - before.nodes,
  };
}

/** Resolves to the times of the painted chunks: all of them, or those that are painted in time. */
async function takePaintsInTime(frame: Frame, count: number): Promise<number[]> {
  try {
    return await takePaints(frame, count, PAINT_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return await takePaints(frame, 0);
  }
}

async function readMemory(session: CDPSession): Promise<{ heap: number; nodes: number }> {
  // What a first collection finalizes is freed by the second.
  for (let count = 0; count < 2; count++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const get = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: get('JSHeapUsedSize'), nodes: get('Nodes') };
}

/** Runs in the page. */
function recordFrames(): void {
  const frames: number[] = [];
  let last: number | undefined;
  let request = 0;
  const next = (now: number) => {
    if (last !== undefined) frames.push(now - last);
    last = now;
    request = requestAnimationFrame(next);
  };
  request = requestAnimationFrame(next);
  window.stopFrames = () => {
    cancelAnimationFrame(request);
    return frames;
  };
}
