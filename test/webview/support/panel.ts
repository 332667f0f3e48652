import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { contentPolicy } from '../../../src/host/page/contentPolicy';
import { firstScript } from '../../../src/host/page/firstScript';
import { translationsElement } from '../../../src/host/page/translationsElement';
import type { PanelState } from '../../../src/shared/conversation';
import type { Change, ToHost, ToPage } from '../../../src/shared/protocol';
import { atProcessEnd } from '../../support/processEnd';
import { repositoryRoot } from '../../vscode/cacheDir';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { bundledPage } from './bundle';
import { bodyClasses, type Theme, themeStyles } from './themes';

interface Options extends Pick<BrowserContextOptions, 'reducedMotion' | 'locale' | 'timezoneId'> {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** VS Code's language: English, unless told. */
  readonly language?: string;
  /** What the host gives the page in that language, by English message. */
  readonly translations?: Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    intents: ToHost[];
  }
}

/** What VS Code gives a webview, as text: tsx would add its own helpers to a function. */
const hostApi = `
  globalThis.__name = (target) => target;
  window.intents = [];
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.intents.push(message),
    getState: () => JSON.parse(sessionStorage.getItem('state')) ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;

/** What pages were opened with. */
const pageTranslations: (Readonly<Record<string, string>> | undefined)[] = [];
/** Letters are drawn the same whatever a machine's settings for its screen are. */
const env = {
  ...process.env,
  FONTCONFIG_FILE: path.join(repositoryRoot, 'test/webview/support/fonts.conf'),
} as Record<string, string>;

let browser: Promise<Browser> | undefined;
let server: Promise<Server> | undefined;
/** Paths that the page asked for and that aren't its own: replies must not reach any. */
const strays: string[] = [];

atProcessEnd(async () => {
  await (await browser)?.close();
  (await server)?.close();
});

/** The panel's page in Chromium, under the CSP it ships with, with the test in the host's place. */
export class Panel {
  readonly page: Page;
  readonly errors: string[] = [];
  readonly #translations: Readonly<Record<string, string>>;
  #seq = 0;

  constructor(page: Page, translations: Readonly<Record<string, string>> = {}) {
    this.page = page;
    this.#translations = translations;
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  /** Opens the page and waits for its first `ready`. */
  static async open({
    theme = 'dark',
    width = 320,
    height = 640,
    language = 'en',
    translations,
    ...rest
  }: Options = {}): Promise<Panel> {
    browser ??= findChromium().then((executablePath) =>
      chromium.launch({
        executablePath,
        args: [...chromiumArgs, '--disable-lcd-text', '--force-color-profile=srgb'],
        env,
      }),
    );
    server ??= serve();
    const context = await (await browser).newContext({ viewport: { width, height }, ...rest });
    const page = await context.newPage();
    page.setDefaultTimeout(5000);
    const panel = new Panel(page, translations);
    await page.addInitScript(hostApi);
    const set = pageTranslations.push(translations) - 1;
    await page.goto(`${origin(await server)}/?theme=${theme}&language=${language}&translations=${set}`);
    await panel.ready();
    return panel;
  }

  /** Opens the page and gives it its first snapshot. */
  static async show(state: PanelState, options?: Options): Promise<Panel> {
    const panel = await Panel.open(options);
    await panel.snapshot(state);
    return panel;
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: this.said('Message') });
  }

  get composerText(): Promise<string> {
    return this.message.inputValue();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name: this.said(name), exact: true });
  }

  /** An English message as the page says it. */
  said(message: string, ...args: readonly (string | number)[]): string {
    return (this.#translations[message] ?? message).replace(/\{(\d)\}/g, (_, index) => `${args[index]}`);
  }

  /** Posts a snapshot; a state of a new conversation makes the page as good as new. */
  async snapshot(state: PanelState, seq = 0): Promise<void> {
    this.#seq = seq;
    await this.post({ type: 'snapshot', seq, state });
  }

  /** Posts changes as the next delta. */
  async change(...changes: Change[]): Promise<void> {
    await this.post({ type: 'delta', seq: ++this.#seq, changes });
  }

  /** Streams a text into a reply, a character to a delta. */
  async stream(turnId: string, text: string): Promise<void> {
    const deltas = [...text].map(
      (character): ToPage => ({
        type: 'delta',
        seq: ++this.#seq,
        changes: [{ type: 'chunk', turnId, text: character }],
      }),
    );
    await this.post(...deltas);
  }

  /** Posts messages as the host does, and waits until the page has drawn the last. */
  async post(...messages: ToPage[]): Promise<void> {
    await this.page.evaluate(async (all) => {
      for (const data of all) {
        const taken = new Promise((resolve) => window.addEventListener('message', resolve, { once: true }));
        window.postMessage(data, '*');
        await taken;
      }
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    }, messages);
  }

  /** What the page said to the host since it was last asked, drafts, its focus and questions for the service's list left out. */
  async intents(): Promise<ToHost[]> {
    return await this.#take(false);
  }

  /** The drafts the page has told the host since it was last asked. */
  async drafts(): Promise<ToHost[]> {
    return await this.#take(true);
  }

  async #take(drafts: boolean): Promise<ToHost[]> {
    return await this.page.evaluate((wanted) => {
      const isWanted = ({ type }: ToHost) =>
        type !== 'listService' && type !== 'focused' && (type === 'draft') === wanted;
      const taken = window.intents.filter(isWanted);
      window.intents = window.intents.filter((intent) => !isWanted(intent));
      return taken;
    }, drafts);
  }

  /** What the page asked about files since it was last asked, by question. */
  async takePathQuestions(): Promise<(readonly string[])[]> {
    return await this.page.evaluate(() => {
      const taken = window.intents.flatMap((intent) => (intent.type === 'checkPaths' ? [intent.paths] : []));
      window.intents = window.intents.filter(({ type }) => type !== 'checkPaths');
      return taken;
    });
  }

  /** Makes the page as good as new: it forgets all that it was told. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Waits until the page has asked for a snapshot. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(() => {
      const at = window.intents.findIndex(({ type }) => type === 'ready');
      return at >= 0 && window.intents.splice(at, 1).length > 0;
    });
  }

  /** Waits for an intent of this type and returns it. */
  async intent<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>> {
    const found = await this.page.waitForFunction((wanted) => {
      const at = window.intents.findIndex((intent) => intent.type === wanted);
      return at >= 0 && window.intents.splice(at, 1)[0];
    }, type);
    return (await found.jsonValue()) as Extract<ToHost, { type: T }>;
  }

  /** Requests that left any page since this was last asked, the page's own files aside. */
  takeStrays(): string[] {
    return strays.splice(0);
  }

  /** Goes to a page of the same origin that has no policy and no renderer: what is hostile works there. */
  async openUndefended(): Promise<void> {
    await this.page.goto(new URL('/bare', this.page.url()).href);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

async function serve(): Promise<Server> {
  const files = await bundledPage();
  const created = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://page');
    const file = files.get(url.pathname.slice(1));
    if (url.pathname === '/') {
      const nonce = randomBytes(16).toString('base64');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', contentPolicy(nonce));
      response.end(html(nonce, url.searchParams));
    } else if (url.pathname === '/bare' || url.pathname === '/untyped') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (url.pathname === '/untyped') response.setHeader('content-security-policy', untyped());
      response.end('<!DOCTYPE html><body>');
    } else if (file) {
      response.setHeader('content-type', url.pathname.endsWith('.css') ? 'text/css' : 'text/javascript');
      response.end(file);
    } else {
      if (url.pathname !== '/favicon.ico') strays.push(url.pathname);
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return created;
}

export function origin(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
}

/** The policy without the part that lets no text become markup: what it forbids to load shows only then. */
function untyped(): string {
  return contentPolicy('unknown')
    .split('; ')
    .filter((directive) => !directive.includes('trusted-types'))
    .join('; ');
}

function html(nonce: string, query: URLSearchParams): string {
  const theme = (query.get('theme') ?? 'dark') as Theme;
  const translations = pageTranslations[Number(query.get('translations'))];
  return `<!DOCTYPE html>
<html lang="${query.get('language') ?? 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley</title>
    <script nonce="${nonce}">${firstScript}</script>
    <style nonce="${nonce}">${themeStyles(theme)}</style>
    <link rel="stylesheet" nonce="${nonce}" href="/main.css">
    ${translationsElement(translations, nonce)}
  </head>
  <body class="${bodyClasses[theme]}">
    <div id="app"></div>
    <script type="module" nonce="${nonce}" src="/main.js"></script>
  </body>
</html>`;
}
