import assert from 'node:assert/strict';
import type { ConsoleMessage, Locator, Page } from 'playwright-core';
import type { RequestName, ResponseTo, SubscriptionName } from '../../../src/shared/protocol/requests';
import type { ToHost } from '../../../src/shared/protocol/toHost';
import type { Change, RequestError, Response, ToPage } from '../../../src/shared/protocol/toPage';
import type { PanelState } from '../../../src/shared/view/viewModel';
import { acquirePage, clearState, type PageOptions, releasePage } from './browser';
import { getPageUrl, takeStrays } from './pageServer';
import { bodyClasses, type Theme, themeStyles } from './themes';

export interface PanelOptions extends Partial<PageOptions> {
  readonly theme?: Theme;
  /** VS Code's language; English by default. */
  readonly language?: string;
  /** The host's translations for that language, by English message. */
  readonly translations?: Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    intents: ToHost[];
  }
}

/** The webview API of VS Code, as text: tsx would add its own helpers to a function. */
const hostApi = `
  globalThis.__name = (target) => target;
  window.intents = [];
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.intents.push(message),
    getState: () => JSON.parse(sessionStorage.getItem('state')) ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;
/** Pages with the host's API: an init script stays for all documents of a page. */
const prepared = new WeakSet<Page>();

/**
 * Declares a suite with a panel that is open while its tests run, none of which may cause an error. Tests that need it
 * as good as new post a snapshot of a new conversation, or renew it.
 */
export function describePanel(title: string, options: PanelOptions, body: (panel: Panel) => void): void {
  describe(title, () => {
    const panel = new Panel();
    before(() => panel.open(options));
    after(async () => {
      assert.deepEqual(panel.errors, []);
      await panel.close();
    });
    body(panel);
  });
}

/** The panel's page in Chromium, under the content policy it ships with, with the test in the host's place. */
export class Panel {
  readonly errors: string[] = [];
  #page: Page | undefined;
  #options: PageOptions = { width: 320, height: 640 };
  #translations: Readonly<Record<string, string>> = {};
  #seq = 0;

  readonly #onPageError = (error: Error) => this.errors.push(String(error));
  readonly #onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') this.errors.push(message.text());
  };

  /** Opens a panel and waits for its first `ready`. */
  static async open(options?: PanelOptions): Promise<Panel> {
    const panel = new Panel();
    await panel.open(options);
    return panel;
  }

  /** Opens a panel and posts its first snapshot. */
  static async show(state: PanelState, options?: PanelOptions): Promise<Panel> {
    const panel = await Panel.open(options);
    await panel.snapshot(state);
    return panel;
  }

  /** Posts a snapshot, waits until the composer's lazy script is loaded, and returns the conversation's id. Discards intents. */
  async showLoaded(state: PanelState): Promise<string> {
    await this.snapshot(state);
    await this.button('Search the Web').waitFor();
    await this.intents();
    return state.conversation.id;
  }

  /** Opens the page and waits for its first `ready`. */
  async open({ theme = 'dark', language = 'en', translations, ...rest }: PanelOptions = {}): Promise<void> {
    this.#options = { ...this.#options, ...rest };
    this.#translations = translations ?? {};
    const page = await acquirePage(this.#options);
    this.#page = page;
    page.on('pageerror', this.#onPageError);
    page.on('console', this.#onConsole);
    if (!prepared.has(page)) await page.addInitScript(hostApi);
    prepared.add(page);
    await page.goto(await getPageUrl({ theme, language, translations }));
    await this.ready();
  }

  async close(): Promise<void> {
    const page = this.page;
    this.#page = undefined;
    page.off('pageerror', this.#onPageError);
    page.off('console', this.#onConsole);
    await releasePage(page, this.#options);
  }

  get page(): Page {
    return this.#page ?? assert.fail('The panel is not open.');
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: this.translate('Message') });
  }

  get composerText(): Promise<string> {
    return this.message.inputValue();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name: this.translate(name), exact: true });
  }

  /** Translates an English message as the page does. */
  translate(message: string, ...args: readonly (string | number)[]): string {
    return (this.#translations[message] ?? message).replace(/\{(\d)\}/g, (_, index) => `${args[index]}`);
  }

  /** Posts a snapshot; a state with a new conversation makes the page as good as new. */
  async snapshot(state: PanelState, seq = 0): Promise<void> {
    this.#seq = seq;
    await this.post({ type: 'snapshot', seq, state });
  }

  /** Posts changes as the next delta. */
  async change(...changes: Change[]): Promise<void> {
    await this.post({ type: 'delta', seq: ++this.#seq, changes });
  }

  /** Streams a text into a reply, one character per delta. */
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

  /** Posts messages as the host does, and waits until the page has rendered the last one. */
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

  /** Responds to a request or a subscription of the page as the host does. */
  async respond<K extends RequestName | SubscriptionName>(
    to: { type: K } & ({ readonly requestId: string } | { readonly subscriptionId: string }),
    value: ResponseTo<K>,
  ): Promise<void> {
    const id = 'requestId' in to ? to.requestId : to.subscriptionId;
    await this.post({ type: 'response', name: to.type, id, value } as Response);
  }

  /** Responds to a request of the page that it failed. */
  async fail<K extends RequestName>(
    to: { readonly type: K; readonly requestId: string },
    error: RequestError = { code: 'internal', message: 'Something went wrong in Parley.' },
  ): Promise<void> {
    await this.post({ type: 'response', name: to.type, id: to.requestId, error } as Response);
  }

  /** Waits until the page has rendered all that happened so far. */
  async drawn(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  }

  /**
   * Returns the page's messages since the last call, except for focus changes and what depends on typing speed: drafts, and
   * requests sent when typing pauses. Discards searches until then.
   */
  async intents(): Promise<ToHost[]> {
    return await this.page.evaluate(() => {
      const later = ['draft', 'focused', 'listService', 'listPrompts', 'findMentions', 'findEarlierAnswer'];
      const searching = ['search', 'unsubscribe'];
      const taken = window.intents.filter(({ type }) => ![...later, ...searching].includes(type));
      window.intents = window.intents.filter(({ type }) => later.includes(type));
      return taken;
    });
  }

  /** Returns all intents of a type since the last call for them. */
  async takeAll<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>[]> {
    const taken = await this.page.evaluate((wanted) => {
      const found = window.intents.filter((intent) => intent.type === wanted);
      window.intents = window.intents.filter((intent) => intent.type !== wanted);
      return found;
    }, type);
    return taken as Extract<ToHost, { type: T }>[];
  }

  /** Reloads the page, which keeps the state that VS Code stores for it. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Makes the page as good as new, without anything it received or loaded. */
  async renew(): Promise<void> {
    await clearState(this.page);
    await this.reload();
  }

  /** Waits until the page has requested a snapshot. */
  async ready(): Promise<void> {
    await this.intent('ready');
  }

  /** Waits for an intent of this type and returns it. */
  async intent<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>> {
    await this.waitForIntent(type);
    const taken = await this.page.evaluate((wanted) => {
      const at = window.intents.findIndex((intent) => intent.type === wanted);
      return window.intents.splice(at, 1)[0];
    }, type);
    return taken as Extract<ToHost, { type: T }>;
  }

  /** Waits for an intent of this type, which stays among those that are returned later: a wait may be repeated. */
  async waitForIntent(type: ToHost['type']): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => window.intents.some((intent) => intent.type === wanted),
      type,
    );
  }

  /** Returns the requests that left any page since the last call, except for the page's own files. */
  takeStrays(): string[] {
    return takeStrays();
  }

  /** Changes the theme as VS Code does, without a reload. */
  async setTheme(theme: Theme): Promise<void> {
    await this.page.evaluate(
      ([styles, classes]) => {
        const element = document.getElementById('theme');
        if (element) element.textContent = styles;
        document.body.className = classes;
      },
      [themeStyles(theme), bodyClasses[theme]] as const,
    );
  }

  /** Goes to a page of the same origin without policy and renderer, where hostile content works. */
  async openUndefended(): Promise<void> {
    await this.page.goto(new URL('/bare', this.page.url()).href);
  }
}
