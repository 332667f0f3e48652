import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  errors,
  type Frame,
  type Locator,
  type Page,
} from 'playwright-core';
import { HANG_MS, noteMove, WAIT_LIMIT_MS, Wait } from '../service/hang';
import { chromiumArgs, findChromium } from '../vscode/chromium';

/** How long a step may take before it is looked at whether anything moves, in ms. */
const LOOK_MS = HANG_MS / 4;
/** How long a page may take to answer whether it has changed, in ms; a page that takes longer is busy. */
const ANSWER_MS = 5000;

/** The methods of pages, frames and locators that wait for something, and can be called again if they waited in vain. */
const STEPS = [
  ...['waitFor', 'waitForFunction', 'waitForSelector', 'elementHandle', 'focus', 'scrollIntoViewIfNeeded'],
  ...['getAttribute', 'textContent', 'innerText', 'innerHTML', 'inputValue', 'boundingBox'],
  ...['isEnabled', 'isDisabled', 'evaluate', 'evaluateHandle', 'screenshot'],
];
/** The methods of pages that wait for an event, which would miss it between two calls. */
const EVENT_STEPS = ['waitForEvent', 'waitForRequest', 'waitForResponse'];
/** The methods of locators that might act twice if they were called again, with the positions of their options. */
const ACTIONS = {
  ...{ click: 0, dblclick: 0, hover: 0, check: 0 },
  ...{ fill: 1, selectOption: 1, press: 1, pressSequentially: 1, dispatchEvent: 2 },
};
const patched = new WeakSet<object>();

type Step = (...args: unknown[]) => unknown;

/**
 * Launches a browser and opens a page with steps that wait as `makePatient` describes. The caller closes the browser, which
 * is the page's `context().browser()`.
 */
export async function openPatientPage(options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
  try {
    const context = await browser.newContext(options);
    makePatient(context);
    return await context.newPage();
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Makes each step in a context's pages, unless it sets a time limit of its own, wait until nothing has moved for a while
 * instead of for a fixed time.
 */
export function makePatient(context: BrowserContext): void {
  context.setDefaultTimeout(LOOK_MS);
  context.setDefaultNavigationTimeout(WAIT_LIMIT_MS);
  for (const event of ['request', 'requestfinished', 'console', 'page'] as const) {
    context.on(event as 'request', noteMove);
  }
  const prepare = (page: Page) => {
    void throttle(page);
    for (const event of ['frameattached', 'framenavigated', 'framedetached'] as const) {
      page.on(event as 'framenavigated', noteMove);
    }
    for (const owner of [page, page.mainFrame(), page.locator('body')]) patch(Object.getPrototypeOf(owner));
  };
  context.on('page', prepare);
  for (const page of context.pages()) prepare(page);
}

/** How many times as slow the CPU of pages is, set by `npm run test:stress -- --slow`. */
const CPU_RATE = Number(process.env.PARLEY_TEST_CPU_RATE ?? 1);

/**
 * Slows down the page's CPU, and that of frames in processes of their own, if the run asks for it. Chromium does that by
 * keeping the process busy, even an idle one's, so a page that stays blank isn't slowed down.
 */
async function throttle(page: Page): Promise<void> {
  if (CPU_RATE === 1) return;
  const slow = async (target: Page | Frame) => {
    try {
      const session = await page.context().newCDPSession(target);
      await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
    } catch {
      // The page is closed, or the frame has no process of its own.
    }
  };
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) void slow(frame);
  });
  if (page.url() !== 'about:blank') return slow(page);
  for (const event of ['framenavigated', 'domcontentloaded'] as const) {
    page.once(event as 'domcontentloaded', () => void slow(page));
  }
}

/** Lets the steps of a class of Playwright be called again while something moves. */
function patch(prototype: Record<string, Step>): void {
  if (patched.has(prototype)) return;
  patched.add(prototype);
  if ('pressSequentially' in prototype) patchActions(prototype);
  patchEventSteps(prototype);
  for (const name of STEPS) {
    const step = prototype[name];
    if (!step) continue;
    prototype[name] = async function (this: object, ...args: unknown[]) {
      const wait = new Wait();
      for (;;) {
        try {
          return await step.apply(this, args);
        } catch (error) {
          if (!(error instanceof errors.TimeoutError) || args.some(hasTimeout)) throw error;
          await noteChange(getPage(this));
          if (wait.isInVain) throw error;
        }
      }
    };
  }
}

/** Lets the steps that wait for an event, unless they set a time limit, wait once and for as long as it takes. */
function patchEventSteps(prototype: Record<string, Step>): void {
  for (const name of EVENT_STEPS) {
    const step = prototype[name];
    if (!step) continue;
    prototype[name] = function (this: object, event, options) {
      if (hasTimeout(options)) return step.call(this, event, options);
      const given = typeof options === 'function' ? { predicate: options } : (options as object | undefined);
      return step.call(this, event, { ...given, timeout: WAIT_LIMIT_MS });
    };
  }
}

/** Lets the actions of locators, unless they set a time limit, take as long as they need once their element is there. */
function patchActions(prototype: Record<string, Step>): void {
  for (const [name, position] of Object.entries(ACTIONS)) {
    const act = prototype[name] as Step;
    prototype[name] = async function (this: Locator, ...args: unknown[]) {
      if (args.some(hasTimeout)) return act.apply(this, args);
      await this.waitFor({ state: 'attached' });
      args[position] = { ...(args[position] as object), timeout: WAIT_LIMIT_MS };
      return act.apply(this, args);
    };
  }
}

function hasTimeout(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'timeout' in options;
}

/** Returns the page of a page, a frame or a locator. */
function getPage(owner: object): Page {
  return 'page' in owner && typeof owner.page === 'function' ? owner.page() : (owner as Page);
}

/** The number of layouts of each page when it was last looked at. */
const layouts = new WeakMap<Page, number>();

/** Notes a move if the page has changed since the last call, or is too busy to say so. */
async function noteChange(page: Page): Promise<void> {
  if (page.isClosed()) return;
  const counted = await Promise.race([countLayouts(page), sleep(ANSWER_MS)]);
  if (counted === undefined || counted !== layouts.get(page)) noteMove();
  if (counted !== undefined) layouts.set(page, counted);
}

async function countLayouts(page: Page): Promise<number | undefined> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'LayoutCount')?.value;
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
