import { type Browser, chromium } from 'playwright-core';
import { atProcessEnd } from '../../support/processEnd';
import { chromiumArgs, findChromium } from '../../vscode/chromium';

let browser: Promise<Browser> | undefined;

/** The one Chromium of all workbenches in this process. */
export async function sharedBrowser(): Promise<Browser> {
  if (!browser) {
    browser = launch();
    atProcessEnd(closeBrowser);
  }
  return await browser;
}

/** Ends the Chromium of all workbenches: a run of tests does so by itself, a measurement at its end. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs });
}
