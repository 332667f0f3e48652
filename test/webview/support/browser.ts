import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { makePatient } from '../../support/patientPages';
import { atProcessEnd } from '../../support/processEnd';
import { repositoryRoot } from '../../vscode/cacheDir';
import { chromiumArgs, findChromium } from '../../vscode/chromium';

export interface PageOptions extends Pick<BrowserContextOptions, 'reducedMotion' | 'locale' | 'timezoneId'> {
  readonly width: number;
  readonly height: number;
}

/** Text is drawn the same whatever a machine's display settings are. */
const env = {
  ...process.env,
  FONTCONFIG_FILE: path.join(repositoryRoot, 'test/webview/support/fonts.conf'),
} as Record<string, string>;

let browser: Promise<Browser> | undefined;
/** Open pages that aren't in use, by the options of their context. */
const idlePages = new Map<string, Page[]>();

/** Launches the browser shared by all page tests of a process. */
export function launchBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({
    executablePath: await findChromium(),
    // As in browsers on a desktop, a frame without an origin has a process of its own.
    args: [
      ...chromiumArgs,
      '--site-per-process',
      '--disable-lcd-text',
      '--font-render-hinting=none',
      '--force-color-profile=srgb',
    ],
    env,
  });
  atProcessEnd(() => launched.close());
  return launched;
}

/** Opens a page, or reuses a released one, which only lacks a new document. */
export async function acquirePage(options: PageOptions): Promise<Page> {
  const { width, height, reducedMotion = null } = options;
  const page = idlePages.get(getContextKey(options))?.pop() ?? (await newPage(options));
  const size = page.viewportSize();
  if (size?.width !== width || size.height !== height) await page.setViewportSize({ width, height });
  await page.emulateMedia({ reducedMotion });
  return page;
}

async function newPage({ width, height, locale, timezoneId }: PageOptions): Promise<Page> {
  const context = await newContext({
    viewport: { width, height },
    ...(locale && { locale }),
    ...(timezoneId && { timezoneId }),
  });
  return await context.newPage();
}

/** Opens a context in the shared browser. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await launchBrowser()).newContext(options);
  makePatient(context);
  return context;
}

/** Keeps a page for the next test with the same options; closes it if the test left something behind. */
export async function releasePage(page: Page, options: PageOptions): Promise<void> {
  const context = page.context();
  if (!page.isClosed() && context.pages().length === 1 && (await resetPage(page))) {
    const key = getContextKey(options);
    idlePages.set(key, [...(idlePages.get(key) ?? []), page]);
  } else await context.close();
}

function getContextKey({ locale, timezoneId }: PageOptions): string {
  return `${locale} ${timezoneId}`;
}

/** Returns whether the page could be reset: a clock or timers installed by a test would stay forever. */
async function resetPage(page: Page): Promise<boolean> {
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await clearState(page);
  return await page.evaluate(() => {
    const replaceable = [Date, setTimeout, setInterval, requestAnimationFrame, requestIdleCallback];
    return replaceable.every((each) => /\[native code\]/.test(Function.prototype.toString.call(each)));
  });
}

/** Clears the state that VS Code stores for a page, which saves none until it is loaded again. */
export async function clearState(page: Page): Promise<void> {
  await page.evaluate(() => {
    // The page saves its draft when it is left.
    Storage.prototype.setItem = () => undefined;
    sessionStorage.clear();
  });
}
