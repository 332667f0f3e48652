import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { chromiumArgs, findChromium } from '../../vscode/chromium';

/**
 * Chromium's features that are off. A resource that is fetched in the background is compiled anew for each window, and VS Code's
 * script has 19 MB; Playwright turns the others off, and Chromium takes the last list alone.
 */
const disabledFeatures = [
  'BackgroundResourceFetch',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

/**
 * Starts a Chromium with its profile in `dir`. A profile on disk, unlike one in memory, caches scripts of any size and what they
 * compile to, so windows after the second open in half the time. Its first page is blank.
 */
export async function startBrowser(dir: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return await chromium.launchPersistentContext(dir, {
    ...options,
    executablePath: await findChromium(),
    args: [...chromiumArgs, `--disable-features=${disabledFeatures.join(',')}`],
  });
}
