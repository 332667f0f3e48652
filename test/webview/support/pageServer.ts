import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPanelPolicy } from '../../../src/host/panel/html/panelPolicy';
import { createTranslationsElement } from '../../../src/host/panel/html/translationsElement';
import { bootstrapScript } from '../../../src/shared/protocol/bootstrap';
import { createLoadScript } from '../../../src/shared/protocol/loadScript';
import { createShell } from '../../../src/shared/protocol/shell';
import { atProcessEnd } from '../../support/processEnd';
import { bundledPage } from './bundle';
import { bodyClasses, type Theme, themeStyles } from './themes';

/** What the page is served with, in place of the host. */
export interface Served {
  readonly theme: Theme;
  /** VS Code's language. */
  readonly language: string;
  /** The host's translations for that language, by English message. */
  readonly translations: Readonly<Record<string, string>> | undefined;
}

/** The path of a page that loads its style sheet and its script as VS Code's does. */
const LOADED_LATER = '/later';

const served: Served[] = [];
/** Paths requested by a page that aren't its own: replies must not cause any. */
const strays: string[] = [];
let origin: Promise<string> | undefined;

/** Returns the address of a page served with these options, under the content policy it ships with. */
export async function getPageUrl(options: Served): Promise<string> {
  origin ??= startServer();
  return `${await origin}/?page=${served.push(options) - 1}`;
}

/** Returns the address of the same page whose style sheet and script are loaded as in VS Code. */
export function toLaterUrl(pageUrl: string): string {
  const url = new URL(pageUrl);
  url.pathname = LOADED_LATER;
  return url.href;
}

/** Returns the requests that left any page since the last call, except for the page's own files. */
export function takeStrays(): string[] {
  return strays.splice(0);
}

async function startServer(): Promise<string> {
  const files = await bundledPage();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://page');
    const file = files.get(url.pathname.slice(1));
    const options = served[Number(url.searchParams.get('page'))];
    if ((url.pathname === '/' || url.pathname === LOADED_LATER) && options) {
      const nonce = randomBytes(16).toString('base64');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', createPanelPolicy(nonce));
      response.end(createHtml(nonce, options, url.pathname === LOADED_LATER));
    } else if (url.pathname === '/bare' || url.pathname === '/untyped') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (url.pathname === '/untyped') response.setHeader('content-security-policy', createUntypedPolicy());
      response.end('<!DOCTYPE html><body>');
    } else if (file) {
      response.setHeader('content-type', url.pathname.endsWith('.css') ? 'text/css' : 'text/javascript');
      response.end(file);
    } else {
      if (url.pathname !== '/favicon.ico') strays.push(url.pathname);
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atProcessEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The policy without trusted types: only then does the rest of it become testable. */
function createUntypedPolicy(): string {
  return createPanelPolicy('unknown')
    .split('; ')
    .filter((directive) => !directive.includes('trusted-types'))
    .join('; ');
}

/** `later`: the style sheet and the script are loaded as in VS Code, after the `load` event. */
function createHtml(nonce: string, { theme, language, translations }: Served, later: boolean): string {
  const loadScript = createLoadScript('/main.css', '/main.js', 'Not loaded.');
  return `<!DOCTYPE html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley</title>
    <script nonce="${nonce}">${bootstrapScript}${later ? loadScript : ''}</script>
    <style nonce="${nonce}" id="theme">${themeStyles(theme)}</style>
    ${later ? '' : `<link rel="stylesheet" nonce="${nonce}" href="/main.css">`}
    ${createTranslationsElement(translations, nonce)}
  </head>
  <body class="${bodyClasses[theme]}">
    ${createShell(nonce)}
    <div id="app"></div>
    ${later ? '' : `<script type="module" nonce="${nonce}" src="/main.js"></script>`}
  </body>
</html>`;
}
