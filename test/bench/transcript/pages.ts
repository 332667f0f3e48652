import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { bootstrapScript } from '../../../src/shared/protocol/bootstrap';
import { bundledPage } from '../../webview/support/bundle';
import { themeStyles } from '../../webview/support/themes';

export const PARLEY_NAME = 'Parley';
export const PLAIN_NAME = 'plain divs, all at once';
export type Name = typeof PARLEY_NAME | typeof PLAIN_NAME;

const ORIGIN = 'http://page.test';

/** VS Code's webview API; tsx wraps functions in a helper that the page lacks. */
const HOST_API_SCRIPT = `
  globalThis.__name = (target) => target;
  window.acquireVsCodeApi = () => ({
    postMessage: ({ type }) => { if (type === 'ready') window.isReady = true; },
    getState: () => undefined,
    setState: () => undefined,
  });
`;

const PARLEY_HTML = `<!DOCTYPE html>
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

/** Opens a new page, as VS Code's webview would be, and waits until it asks for its snapshot. */
export async function openPage(browser: Browser, name: Name): Promise<Page> {
  const files = await bundledPage({ minify: true });
  const html = name === PARLEY_NAME ? PARLEY_HTML : readFileSync(path.join(__dirname, 'plain.html'), 'utf8');
  const page = await browser.newPage({ viewport: { width: 480, height: 900 } });
  await page.addInitScript(HOST_API_SCRIPT);
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
