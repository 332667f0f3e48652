import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { WAIT_LIMIT_MS } from '../../service/hang';
import { makePatient } from '../../support/patientPages';
import { chromiumArgs, findChromium } from '../../vscode/chromium';

/**
 * The Chromium features to disable. A resource that is fetched in the background is compiled again for each
 * window, and VS Code's script has 19 MB. Playwright disables the others, and Chromium only honors the last
 * list.
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
 * The host of every VS Code's URL: Chromium keeps compiled code by URL, which a port of its own would change. Hosts
 * below `localhost` are trusted as much.
 */
export const VSCODE_HOST = 'vscode.localhost';

/**
 * Starts Chromium with its profile in `dir`, and VS Code's host at this local port. Unlike a profile in memory, one on disk caches scripts of any
 * size and their compiled code, so windows after the second open in half the time. The first page is blank.
 */
export async function startBrowser(
  dir: string,
  vscodePort: number,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  // Where there is no server, webviews and the extension host have hosts below it.
  const hosts = [VSCODE_HOST, `*.${VSCODE_HOST}`];
  const context = await chromium.launchPersistentContext(dir, {
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
    executablePath: await findChromium(),
    args: [
      ...chromiumArgs,
      `--disable-features=${disabledFeatures.join(',')}`,
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1:${vscodePort}`).join(',')}`,
    ],
  });
  makePatient(context);
  // tsx names functions with a helper that doesn't exist in the page to which tests send them.
  await context.addInitScript('globalThis.__name ??= (target) => target');
  await context.addInitScript(waitLongerForExtensionHosts, WAIT_LIMIT_MS);
  // Without screenshots and snapshots, which would take as long as the tests.
  await context.tracing.start();
  return context;
}

/**
 * Makes VS Code wait for its extension host up to `limitMs`. By default it gives up after a minute and never starts another
 * one, though on a slow machine the host only takes longer. Runs in each frame, so it can't use anything of this file.
 */
function waitLongerForExtensionHosts(limitMs: number): void {
  const VSCODE_LIMIT_MS = 60_000;
  // Extension hosts are started from the top frame only.
  if (window !== window.top) return;
  const { setTimeout } = window;
  window.setTimeout = ((handler: TimerHandler, ms?: number, ...args: unknown[]) =>
    setTimeout(handler, ms === VSCODE_LIMIT_MS ? limitMs : ms, ...args)) as typeof setTimeout;
}
