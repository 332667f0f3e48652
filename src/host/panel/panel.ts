import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { isStreaming } from '../../chat/model/conversation';
import type { RemoteConversations } from '../../chat/remote/remoteConversations';
import type { CodeAction } from '../../shared/protocol';
import { DisposableStore } from '../base/disposables';
import { toInertText } from '../base/inertText';
import { Context, View } from '../base/names';
import type { Bots } from '../service/bots';
import type { Quota } from '../service/quota';
import type { SetupGuide } from '../service/setupGuide';
import type { CodeThemes } from '../theme/codeThemes';
import { type FocusMessage, type IntentHandlers, Page, type WebviewHost } from './page';
import { pageHtml, pageRoot } from './pageHtml';

/** The memory's key of the conversation that the view of this window showed last. */
const SHOWN = 'parley.shownConversation';

/** What the page of a tab keeps for a restart; an id is what a file can be named after. */
const keptState = v.object({ conversationId: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)) });

interface Services {
  readonly chat: Chat;
  readonly remote: RemoteConversations;
  readonly setup: SetupGuide;
  readonly quota: Quota;
  readonly codeThemes: CodeThemes;
  readonly bots: Bots;
  /** Of this window. */
  readonly memory: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** Everything that shows conversations: the view in the side bar and the editor tabs. */
export class Panel
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer<unknown>, vscode.Disposable
{
  readonly #extensionUri: vscode.Uri;
  readonly #services: Services;
  readonly #store = new DisposableStore();
  readonly #pages = new Set<Page>();
  readonly #tabs = new Map<Page, vscode.WebviewPanel>();
  /** The context keys as VS Code has them. */
  readonly #context = new Map<string, boolean>();
  #handlers: IntentHandlers | undefined;
  #view: Page | undefined;
  #active: Page | undefined;
  #focused: Page | undefined;
  /** What the view shows, or will show when it opens. */
  #viewConversationId: string | undefined;
  #whenResolved: ((view: Page) => void) | undefined;
  readonly #shownChanged = this.#store.add(new vscode.EventEmitter<ReadonlySet<string>>());
  readonly #viewResolved = this.#store.add(new vscode.EventEmitter<vscode.WebviewView>());
  readonly onDidResolveView = this.#viewResolved.event;
  /** Ids of the conversations that are on screen. */
  readonly onDidChangeShown = this.#shownChanged.event;

  constructor(extensionUri: vscode.Uri, services: Services) {
    this.#extensionUri = extensionUri;
    this.#services = services;
    this.#store.add(
      services.chat.onEvent((event) => {
        if (event.type === 'deleted') this.#leave(event.conversationId);
        if (event.type !== 'chunk') this.#updateContext();
        if (event.type === 'changed' || event.type === 'deleted') this.#updateTitles();
      }),
    );
  }

  /** What the pages' intents do; given once, when everything is built. */
  handle(handlers: IntentHandlers): void {
    this.#handlers = handlers;
  }

  /** The conversation that a command means: the one looked at last, in this session or the one before. */
  async currentConversationId(): Promise<string> {
    const id = this.#active?.conversationId ?? this.#viewConversationId;
    if (id !== undefined && this.#services.chat.find(id)) return id;
    this.#viewConversationId = await this.#reopened(this.#services.memory.get<string>(SHOWN));
    return this.#viewConversationId;
  }

  /** Shows a conversation in the page that was looked at last, or in the view; focuses its composer. */
  async open(conversationId: string): Promise<void> {
    const page = this.#active ?? this.#view;
    const shown = page?.visible ? page : this.#view;
    if (shown) await this.show(shown, conversationId);
    else this.#remember(conversationId);
    if (shown && shown !== this.#view) shown.focusComposer();
    else await this.focus();
  }

  /** Shows a conversation in a page; false where there is no such conversation. */
  async show(page: Page, conversationId: string): Promise<boolean> {
    if (!(await this.#services.chat.open(conversationId))) return false;
    page.show(conversationId);
    this.#tellShown();
    if (page === this.#view) this.#remember(conversationId);
    this.#updateContext();
    this.#updateTitles();
    return true;
  }

  /** Hands a choice from a context menu to the page it was made in. */
  codeAction(action: CodeAction): void {
    this.#active?.codeAction(action);
  }

  copySelection(): void {
    this.#active?.copySelection();
  }

  /** An empty conversation of the default bot, in the page looked at last. */
  async openNew(): Promise<void> {
    const current = this.#services.chat.find(await this.currentConversationId());
    await this.open(current && current.turns.length === 0 ? current.id : this.#blank());
  }

  /** Reveals the view and puts the caret into its composer. */
  async focus(): Promise<void> {
    await this.#reveal((view) => view.focusComposer());
  }

  /** Moves the keyboard, in the page that was looked at last or in the view. */
  async moveFocus(to: FocusMessage): Promise<void> {
    const page = this.#active;
    const tab = page?.visible ? this.#tabs.get(page) : undefined;
    if (page && page === this.#focused) page.moveFocus(to);
    else if (tab) {
      tab.reveal();
      page?.moveFocus(to);
    } else await this.#reveal((view) => view.moveFocus(to));
  }

  /** A page has the keyboard, or no longer. */
  setFocused(page: Page, on: boolean): void {
    if (on) this.#focused = page;
    else if (this.#focused === page) this.#focused = undefined;
    if (on) this.#activate(page);
    else this.#updateContext();
  }

  /** Brings a person back to the page that asked something of them. */
  async returnTo(page: Page): Promise<void> {
    if (page === this.#view) await this.focus();
    else page.focusComposer();
  }

  /** Shows the current conversation in an editor tab. */
  async openInEditor(): Promise<void> {
    const conversationId = await this.currentConversationId();
    const tab = vscode.window.createWebviewPanel(View.editor, 'Parley', vscode.ViewColumn.Active);
    this.#activate(this.#fillTab(tab, conversationId));
  }

  /** Fills an editor tab that was open when the window closed, by the state that its page kept. */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    void this.#services.setup.refresh();
    const kept = v.safeParse(keptState, state);
    const page = this.#fillTab(
      tab,
      await this.#reopened(kept.success ? kept.output.conversationId : undefined),
    );
    if (tab.active) this.#activate(page);
  }

  /** A bot was chosen: conversations that still wait for one get it. */
  async adoptDefaultBot(): Promise<void> {
    const bot = this.#services.bots.default();
    for (const { conversationId } of this.#pages) {
      const conversation = this.#services.chat.find(conversationId);
      if (bot && conversation?.turns.length === 0 && conversation.bot?.id !== bot.id) {
        await this.#services.remote.changeBot(conversationId, bot);
      }
    }
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    void this.#services.setup.refresh();
    const page = this.#createPage(view, await this.currentConversationId());
    this.#view = page;
    this.#viewResolved.fire(view);
    this.#remember(page.conversationId);
    view.onDidChangeVisibility(() => {
      page.visibilityChanged();
      this.#tellShown();
      if (view.visible) this.#activate(page);
      else this.setFocused(page, false);
    });
    view.onDidDispose(() => {
      this.#viewConversationId = page.conversationId;
      this.#view = undefined;
      this.#removePage(page);
    });
    this.#activate(page);
    this.#whenResolved?.(page);
    this.#whenResolved = undefined;
  }

  dispose(): void {
    for (const page of this.#pages) page.dispose();
    this.#store.dispose();
  }

  /** Reveals the view and goes on in it, once it is there. */
  async #reveal(then: (view: Page) => void): Promise<void> {
    this.#whenResolved = this.#view === undefined ? then : undefined;
    await vscode.commands.executeCommand(`${View.chat}.focus`);
    if (this.#view) then(this.#view);
  }

  #createPage(frame: WebviewHost, conversationId: string): Page {
    if (!this.#handlers) throw new Error('Panel.handle was not called');
    this.#services.codeThemes.begin();
    const page = new Page(frame, { ...this.#services, handlers: this.#handlers }, conversationId);
    this.#pages.add(page);
    this.#tellShown();
    frame.webview.options = { enableScripts: true, localResourceRoots: [pageRoot(this.#extensionUri)] };
    frame.webview.html = pageHtml(frame.webview, this.#extensionUri);
    return page;
  }

  #fillTab(tab: vscode.WebviewPanel, conversationId: string): Page {
    tab.iconPath = vscode.Uri.joinPath(this.#extensionUri, 'media', 'parley.svg');
    const page = this.#createPage(tab, conversationId);
    this.#tabs.set(page, tab);
    tab.onDidChangeViewState(() => {
      page.visibilityChanged();
      this.#tellShown();
      if (tab.active) this.#activate(page);
      if (!tab.visible) this.setFocused(page, false);
    });
    tab.onDidDispose(() => this.#removePage(page));
    this.#updateTitles();
    return page;
  }

  #removePage(page: Page): void {
    page.dispose();
    this.#pages.delete(page);
    this.#tellShown();
    this.#tabs.delete(page);
    if (this.#active === page) this.#active = this.#view;
    this.setFocused(page, false);
  }

  #tellShown(): void {
    const visible = [...this.#pages].filter((page) => page.visible);
    this.#shownChanged.fire(new Set(visible.map(({ conversationId }) => conversationId)));
  }

  #activate(page: Page): void {
    this.#active = page;
    this.#updateContext();
  }

  #leave(conversationId: string): void {
    for (const page of this.#pages) {
      if (page.conversationId !== conversationId) continue;
      page.show(this.#blank());
      if (page === this.#view) this.#remember(page.conversationId);
    }
    this.#tellShown();
  }

  #remember(conversationId: string): void {
    this.#viewConversationId = conversationId;
    void this.#services.memory.update(SHOWN, conversationId);
  }

  /** A conversation that was shown before a restart, or its draft where nothing was said in it; without one, an empty one. */
  async #reopened(id: string | undefined): Promise<string> {
    const { chat, bots } = this.#services;
    if (id === undefined) return this.#blank();
    if (await chat.open(id)) return id;
    const draft = await chat.composers.getDraft(id);
    // The view and a tab may both have shown it.
    if (chat.find(id)) return id;
    chat.create(bots.default(), id, draft);
    await chat.restore(id);
    return id;
  }

  /** An empty conversation: one that was begun to be written and then left, else a new one. */
  #blank(): string {
    const { chat, bots } = this.#services;
    const shown = new Set([...this.#pages].map(({ conversationId }) => conversationId));
    const left = chat.getDrafted().find(({ id }) => !shown.has(id));
    return (left ?? chat.create(bots.default())).id;
  }

  #updateTitles(): void {
    for (const [page, tab] of this.#tabs) {
      const title = toInertText(this.#services.chat.find(page.conversationId)?.name ?? '') || 'Parley';
      if (tab.title !== title) tab.title = title;
    }
  }

  #updateContext(): void {
    const conversation = this.#services.chat.find(this.#active?.conversationId ?? '');
    const { turns = [] } = conversation ?? {};
    const keys = {
      [Context.focused]: this.#focused !== undefined,
      [Context.hasTurns]: turns.length > 0,
      [Context.hasDocuments]: turns.some(({ kind }) => kind === 'document'),
      [Context.streaming]: conversation !== undefined && isStreaming(conversation),
    };
    for (const [key, value] of Object.entries(keys)) {
      if (this.#context.get(key) === value) continue;
      this.#context.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
