import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { DeltaChannel } from '../../../src/host/panel/page/deltaChannel';
import type { ToPage } from '../../../src/shared/protocol/toPage';
import type { PanelState } from '../../../src/shared/view/viewModel';
import { createConversation } from './conversation';
import { type Name, openPage, PARLEY_NAME } from './pages';
import { TaskTrace } from './tasks';

/** Times in ms. */
export interface Opening {
  /** From the snapshot's message to the paint of the last screen. */
  readonly lastScreen: number;
  /** Until every turn is rendered. */
  readonly all: number;
  /** The longest task between the two. */
  readonly longestTask: number;
  /** What the turns take in the JavaScript heap with all that is drawn of them, as a multiple of their text. */
  readonly heapPerText: number;
}

export interface Scrolling {
  readonly frames: number;
  /** Frames that the main thread missed. */
  readonly missed: number;
  readonly longestFrame: number;
  readonly longestTask: number;
}

/**
 * The scrolling speed through the longest conversation, in px per second; nobody reads at ten screens per
 * second.
 */
const SCROLL_PX_PER_SECOND = 9000;
const MAX_SCROLL_SECONDS = 10;

const CHUNK_COUNT = 240;
/** After this time the host has nothing more to post. */
const QUIET_MS = 100;
/** About as long as a reply. */
const MORE_TEXT = 'And it says more of the same. '.repeat(20);

/** Opens a conversation and scrolls from its end towards its start. */
export async function openAndScroll(
  browser: Browser,
  name: Name,
  turns: number,
): Promise<Opening & { readonly scrolling: Scrolling }> {
  const page = await openPage(browser, name);
  try {
    const session = await page.context().newCDPSession(page);
    const trace = new TaskTrace(session);
    const state = createConversation(turns);
    const before = await readHeap(session);
    const messages = await createMessages(name, state);
    await trace.start();
    const { lastScreen, all } = await page.evaluate(open, { messages, turns });
    const longestTask = await trace.getLongestAfter('last screen');
    const heapPerText = ((await readHeap(session)) - before) / countBytes(state);
    const scrolling = await scroll(page, session, trace);
    return { lastScreen, all, longestTask, heapPerText, scrolling };
  } finally {
    await page.close();
  }
}

/**
 * Resolves to what text takes in the JavaScript heap without what is drawn, as a multiple of it: all turns are drawn, so
 * conversations with the same elements and texts of different lengths are compared.
 */
export async function measureTextHeap(browser: Browser, name: Name, turns: number): Promise<number> {
  const measure = async (state: PanelState) => {
    const page = await openPage(browser, name);
    try {
      const session = await page.context().newCDPSession(page);
      await page.evaluate(open, { messages: await createMessages(name, state), turns });
      return { heap: await readHeap(session), bytes: countBytes(state) };
    } finally {
      await page.close();
    }
  };
  const short = await measure(createConversation(turns));
  const long = await measure(createConversation(turns, MORE_TEXT));
  return (long.heap - short.heap) / (long.bytes - short.bytes);
}

/**
 * Resolves to the main thread's time per chunk of 64 characters in the last reply, each in a painted frame,
 * in ms.
 */
export async function measureChunk(browser: Browser, name: Name, turns: number): Promise<number> {
  const page = await openPage(browser, name);
  try {
    const session = await page.context().newCDPSession(page);
    // Thread ticks exclude the time of other processes.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const messages = await createMessages(name, createConversation(turns));
    await page.evaluate(open, { messages, turns });
    const seq = messages.length + 1;
    await page.evaluate(addReply, seq);
    await page.evaluate(stream, { seq, count: 60 });
    await session.send('HeapProfiler.collectGarbage');
    const before = await readTaskTime(session);
    await page.evaluate(stream, { seq: seq + 60, count: CHUNK_COUNT });
    return ((await readTaskTime(session)) - before) / CHUNK_COUNT;
  } finally {
    await page.close();
  }
}

/** Resolves to what the host posts to a page that has just loaded; plain elements get all turns at once. */
async function createMessages(name: Name, state: PanelState): Promise<readonly ToPage[]> {
  if (name !== PARLEY_NAME) return [{ type: 'snapshot', seq: 1, state }];
  const messages: ToPage[] = [];
  const channel = new DeltaChannel(
    (message) => messages.push(message),
    () => state,
  );
  channel.postSnapshot(true);
  await setTimeout(QUIET_MS);
  channel.stop();
  return messages;
}

async function scroll(page: Page, session: CDPSession, trace: TaskTrace): Promise<Scrolling> {
  const log = page.getByRole('log');
  const distance = await log.evaluate((element) => element.scrollTop);
  await trace.start();
  await page.evaluate(() => {
    performance.mark('scrolling');
    window.frames16 = [];
    let last: number | undefined;
    const next = (now: number) => {
      if (last !== undefined) window.frames16.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await session.send('Input.synthesizeScrollGesture', {
    x: 240,
    y: 300,
    yDistance: Math.min(distance, SCROLL_PX_PER_SECOND * MAX_SCROLL_SECONDS),
    speed: SCROLL_PX_PER_SECOND,
    gestureSourceType: 'mouse',
  });
  const frames = await page.evaluate(() => window.frames16);
  const longestTask = await trace.getLongestAfter('scrolling');
  return {
    frames: frames.length,
    missed: frames.reduce((sum, ms) => sum + Math.max(0, Math.round((ms * 60) / 1000) - 1), 0),
    longestFrame: Math.max(0, ...frames),
    longestTask,
  };
}

/** Resolves to the bytes in the JavaScript heap of the page, without garbage. */
async function readHeap(session: CDPSession): Promise<number> {
  await session.send('Performance.enable');
  // What a first collection finalizes is freed by the second.
  for (let count = 0; count < 2; count++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
}

/** Returns the length of all texts; Chromium keeps a text of Latin letters with a byte each. */
function countBytes({ conversation }: PanelState): number {
  return conversation.turns.reduce((sum, turn) => sum + ('text' in turn ? turn.text.length : 0), 0);
}

async function readTaskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

declare global {
  interface Window {
    /** The time between frames, in ms. */
    frames16: number[];
  }
}

/** Runs in the page: posts the host's messages, one a frame, and waits for the last screen and then for all turns. */
async function open({ messages, turns }: { messages: readonly ToPage[]; turns: number }) {
  const received = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
  const start = performance.now();
  for (const [index, message] of messages.entries()) {
    if (index === 0) window.postMessage(message, '*');
    else window.setTimeout(() => window.postMessage(message, '*'), 16 * index);
  }
  await received;
  // A frame and a task after it, which runs when the frame's paint is recorded.
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => resolve();
    requestAnimationFrame(() => port1.postMessage(undefined));
  });
  const lastScreen = performance.now() - start;
  performance.mark('last screen');
  const last = [...document.querySelectorAll('article')].at(-1)?.getBoundingClientRect();
  if (turns > 0 && !(last && last.top < innerHeight && last.bottom > 0)) {
    throw new Error('The last turn is not in sight.');
  }
  const articles = document.getElementsByTagName('article');
  // Observes the last turn itself: polling would add the time until the next poll.
  if (articles.length < turns) {
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (articles.length < turns) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document.body, { subtree: true, childList: true });
    });
  }
  return { lastScreen, all: performance.now() - start };
}

/** Runs in the page: adds a question and an empty reply at the end. */
function addReply(seq: number): void {
  const question = { kind: 'message', id: 'asked', text: 'Go on', at: 0 } as const;
  const turn = { kind: 'reply', id: 'streaming', bot: 'Guide', text: '', at: 0 } as const;
  const changes = [question, turn].map((added) => ({ type: 'turn', turn: added }) as const);
  window.postMessage({ type: 'delta', seq, changes } satisfies ToPage, '*');
}

/** Runs in the page: streams chunks into that reply, one per frame, with deltas numbered after `seq`. */
async function stream({ seq, count }: { seq: number; count: number }): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const text = `${n % 8 ? '' : '\n\n'}A chunk of *sixty-four* characters, of which some are \`code\` . `;
    const message: ToPage = {
      type: 'delta',
      seq: seq + n,
      changes: [{ type: 'chunk', turnId: 'streaming', text }],
    };
    window.postMessage(message, '*');
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
