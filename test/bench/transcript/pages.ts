import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { bootstrapScript } from '../../../src/host/panel/bootstrapScript';
import { bundledPage } from '../../webview/support/bundle';
import { themeStyles } from '../../webview/support/themes';

export const OURS = 'Parley';
export const NAIVE = 'plain divs, all at once';
export type Name = typeof OURS | typeof NAIVE;

const ORIGIN = 'http://page.test';

/** What VS Code gives a webview; tsx wraps functions in a helper of its own. */
const hostApi = `
  globalThis.__name = (target) => target;
  window.acquireVsCodeApi = () => ({
    postMessage: ({ type }) => { if (type === 'ready') window.isReady = true; },
    getState: () => undefined,
    setState: () => undefined,
  });
`;

const ours = `<!DOCTYPE html>
<html>
  <head>
    <script>${bootstrapScript}</script>
    <style>${themeStyles('dark')}</style>
    <link rel="stylesheet" href="/main.css">
  </head>
  <body>
    <div id="app"></div>
    <script type="module" src="/main.js"></script>
  </body>
</html>`;

/** Opens a page that is as new as VS Code's webview would be, and waits until it asks for its snapshot. */
export async function openPage(browser: Browser, name: Name): Promise<Page> {
  const files = await bundledPage({ minify: true });
  const html = name === OURS ? ours : readFileSync(path.join(__dirname, 'plain.html'), 'utf8');
  const page = await browser.newPage({ viewport: { width: 480, height: 900 } });
  await page.addInitScript(hostApi);
  await page.route(`${ORIGIN}/**`, async (route) => {
    const file = new URL(route.request().url()).pathname.slice(1);
    if (file === '') return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    const body = files.get(file);
    if (!body) return route.fulfill({ status: 404 });
    const contentType = file.endsWith('.css') ? 'text/css' : 'text/javascript';
    return route.fulfill({ contentType, body: Buffer.from(body) });
  });
  await page.goto(`${ORIGIN}/`);
  await page.waitForFunction('window.isReady');
  return page;
}
