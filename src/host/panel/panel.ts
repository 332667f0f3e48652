import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { canGetBot, isUnusedConversation } from '../../chat/model/conversation';
import { conversationId } from '../../shared/conversation/conversationSchemas';
import type { CodeAction, FocusMessage } from '../../shared/protocol/toPage';
import type { Bot } from '../../shared/view/viewModel';
import { DisposableStore } from '../base/disposables';
import { type Bots, isSameBot } from '../service/bots';
import type { Quota } from '../service/quota';
import type { ServiceList } from '../service/serviceList';
import type { SetupGuide } from '../service/setupGuide';
import type { UploadFolders } from '../service/uploadFolders';
import type { CodeThemes } from '../theme/codeThemes';
import { ContextKeys } from './contextKeys';
import { ConversationChoice } from './conversationChoice';
import { EditorTabs } from './editorTabs';
import { createPageHtml, getPageRoot } from './html/pageHtml';
import {
  HostPage,
  type Intent,
  type ProposalSource,
  type SyncStatusSource,
  type WebviewContainer,
} from './page/hostPage';
import { SideBarView } from './sideBarView';

/** The state that a tab's page persists across restarts. */
const persistedStateSchema = v.object({ conversationId });

type PanelServices = Pick<ChatServices, 'chat' | 'remote'> & {
  readonly setup: SetupGuide;
  readonly serviceList: ServiceList;
  readonly quota: Quota;
  readonly uploadFolders: UploadFolders;
  readonly syncStatus: SyncStatusSource;
  readonly codeThemes: CodeThemes;
  readonly workspaceProposal: ProposalSource;
  readonly bots: Bots;
  /** The workspace's memento. */
  readonly memory: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
};

/** Manages the pages that show conversations: the side bar's view and the editor tabs. */
export class Panel
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer<unknown>, vscode.Disposable
{
  readonly #extensionUri: vscode.Uri;
  readonly #services: PanelServices;
  readonly #disposables = new DisposableStore();
  readonly #pages = new Set<HostPage>();
  readonly #contextKeys = new ContextKeys();
  readonly #choice: ConversationChoice;
  readonly #tabs: EditorTabs;
  readonly #view: SideBarView;
  #active: HostPage | undefined;
  #focused: HostPage | undefined;
  /** The conversation that the view shows, or will show when it opens. */
  #viewConversationId: string | undefined;
  readonly #shownChanged = this.#disposables.add(new vscode.EventEmitter<ReadonlySet<string>>());
  readonly #intents = this.#disposables.add(new vscode.EventEmitter<{ intent: Intent; page: HostPage }>());
  readonly #viewResolved = this.#disposables.add(new vscode.EventEmitter<vscode.WebviewView>());
  readonly onDidResolveView = this.#viewResolved.event;
  /** Fires with each valid intent of a page. */
  readonly onIntent = this.#intents.event;
  /** Fires with the IDs of the conversations that are visible. */
  readonly onDidChangeShown = this.#shownChanged.event;

  constructor(extensionUri: vscode.Uri, services: PanelServices) {
    this.#extensionUri = extensionUri;
    this.#services = services;
    this.#view = new SideBarView(services.chat);
    this.#tabs = new EditorTabs(extensionUri, services, {
      createPage: (tab, id) => this.#createPage(tab, id, 'editor'),
      onChanged: (page, tab) => this.#onTabChanged(page, tab),
      onClosed: (page) => this.#removePage(page),
    });
    this.#choice = new ConversationChoice(
      services,
      () => new Set([...this.#pages].map(({ conversationId }) => conversationId)),
    );
    this.#disposables.add(
      services.chat.onChatEvent((event) => {
        if (event.type === 'deleted') this.#replaceDeleted(event.conversationId);
        if (event.type !== 'chunk') {
          this.#updateContext();
          this.#choice.rememberDrafted();
        }
        if (event.type === 'changed' || event.type === 'deleted') this.#updateTabs();
      }),
    );
  }

  /**
   * Returns the conversation that commands apply to: the one shown last, in this session or the previous one.
   */
  async getCurrentConversationId(): Promise<string> {
    const id = this.#active?.conversationId ?? this.#viewConversationId;
    if (id !== undefined && this.#services.chat.findConversation(id)) return id;
    this.#viewConversationId = await this.#choice.reopenRemembered();
    return this.#viewConversationId;
  }

  /** Shows a conversation in the last active page, or in the view, and focuses its composer; scrolls to `turnId`. */
  async showConversation(conversationId: string, turnId?: string): Promise<void> {
    const page = this.#active ?? this.#view.page;
    const shown = page?.visible ? page : this.#view.page;
    if (shown) await this.showInPage(shown, conversationId);
    else this.#rememberShown(conversationId);
    if (shown && shown !== this.#view.page) shown.focusComposer();
    else await this.focus();
    if (turnId !== undefined) (shown ?? this.#view.page)?.revealTurn(turnId);
  }

  /** Shows a conversation in a page; resolves to false if it doesn't exist. */
  async showInPage(page: HostPage, conversationId: string): Promise<boolean> {
    if (!(await this.#services.chat.openConversation(conversationId))) return false;
    page.showConversation(conversationId);
    this.#notifyShown();
    if (page === this.#view.page) this.#rememberShown(conversationId);
    this.#updateContext();
    this.#updateTabs();
    return true;
  }

  /** Runs a context menu action in the page that the menu was opened in. */
  runCodeAction(action: CodeAction): void {
    this.#active?.runCodeAction(action);
  }

  copySelection(): void {
    this.#active?.copySelection();
  }

  /** Shows an empty conversation with the bot in the last active page; by default with the default bot. */
  async openNew(bot = this.#services.bots.getDefault()): Promise<void> {
    const current = this.#services.chat.findConversation(await this.getCurrentConversationId());
    const id =
      current && isUnusedConversation(current) && canGetBot(current, bot)
        ? current.id
        : this.#choice.getBlank(bot);
    await this.#useBot(id, bot);
    await this.showConversation(id);
  }

  /** Reveals the view and focuses its composer. */
  async focus(): Promise<void> {
    await this.#view.reveal((page) => page.focusComposer());
  }

  /** Moves the keyboard focus within the last active page, or within the view. */
  async moveFocus(to: FocusMessage): Promise<void> {
    const page = this.#active;
    const tab = page?.visible ? this.#tabs.get(page) : undefined;
    if (page && page === this.#focused) page.moveFocus(to);
    else if (tab) {
      tab.reveal();
      page?.moveFocus(to);
    } else await this.#view.reveal((view) => view.moveFocus(to));
  }

  /** Makes commands apply to the view's conversation. */
  activateView(): void {
    if (this.#view.page) this.#activate(this.#view.page);
  }

  /** Makes commands apply to the conversation in the editor tab whose title bar was used. */
  activateTab(): void {
    const page = this.#tabs.findUsed();
    if (page) this.#activate(page);
  }

  /** Called when a page gets or loses the keyboard focus. */
  setFocused(page: HostPage, on: boolean): void {
    if (on) this.#focused = page;
    else if (this.#focused === page) this.#focused = undefined;
    if (on) this.#activate(page);
    else this.#updateContext();
  }

  /** Returns the focus to the page after a dialog that the page has opened. */
  async returnTo(page: HostPage): Promise<void> {
    if (page === this.#view.page) return this.focus();
    if (page.visible) this.#tabs.get(page)?.reveal();
    page.focusComposer();
  }

  /** Shows the current conversation in an editor tab. */
  async openInEditor(): Promise<void> {
    const conversationId = await this.getCurrentConversationId();
    this.#activate(this.#tabs.openTab(conversationId, vscode.ViewColumn.Active));
  }

  /** Shows the conversations with two bots' answers to one question in two editor tabs, the first with the focus. */
  openSideBySide(conversationIds: readonly [string, string]): void {
    this.#activate(this.#tabs.openSideBySide(conversationIds));
  }

  /** Closes the tab with the other bot's answer. */
  continueWith(page: HostPage): void {
    this.#tabs.continueWith(page);
  }

  /** Restores an editor tab that was open when the window closed, from the state that its page persisted. */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    this.#services.setup.refreshInBackground();
    const persisted = v.safeParse(persistedStateSchema, state);
    const page = this.#tabs.fill(
      tab,
      await this.#choice.reopen(persisted.success ? persisted.output.conversationId : undefined),
    );
    if (tab.active) this.#activate(page);
  }

  /** Sets the default bot in the shown conversations that have no turns yet. */
  async adoptDefaultBot(): Promise<void> {
    const bot = this.#services.bots.getDefault();
    for (const { conversationId } of this.#pages) {
      const conversation = this.#services.chat.findConversation(conversationId);
      if (conversation && isUnusedConversation(conversation) && canGetBot(conversation, bot))
        await this.#useBot(conversationId, bot);
    }
  }

  /** Sets the default bot in the shown conversations that are empty and whose bot is of a service that was removed. */
  async leaveRemovedServices(): Promise<void> {
    const { chat, serviceList, bots } = this.#services;
    for (const { conversationId } of this.#pages) {
      const conversation = chat.findConversation(conversationId);
      if (conversation?.turns.length === 0 && !conversation.remote && !serviceList.serviceOf(conversation))
        await this.#useBot(conversationId, bots.getDefault());
    }
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.#services.setup.refreshInBackground();
    const page = this.#createPage(view, await this.getCurrentConversationId(), 'view');
    this.#view.fill(view, page);
    this.#updateTabs();
    this.#viewResolved.fire(view);
    this.#rememberShown(page.conversationId);
    view.onDidChangeVisibility(() => {
      page.onDidChangeVisibility();
      this.#notifyShown();
      if (view.visible) this.#activate(page);
      else this.setFocused(page, false);
    });
    view.onDidDispose(() => {
      this.#viewConversationId = page.conversationId;
      this.#removePage(page);
    });
    this.#activate(page);
  }

  dispose(): void {
    for (const page of this.#pages) page.dispose();
    this.#disposables.dispose();
  }

  async #useBot(conversationId: string, bot: Bot | undefined): Promise<void> {
    const current = this.#services.chat.findConversation(conversationId)?.bot;
    if (bot && !(current && isSameBot(bot, current)))
      await this.#services.remote.changeBot(conversationId, bot);
  }

  #createPage(frame: WebviewContainer, conversationId: string, where: 'view' | 'editor'): HostPage {
    this.#services.codeThemes.start();
    const page = new HostPage(frame, this.#services, conversationId, (intent, sender) =>
      this.#intents.fire({ intent, page: sender }),
    );
    this.#pages.add(page);
    this.#notifyShown();
    frame.webview.options = { enableScripts: true, localResourceRoots: [getPageRoot(this.#extensionUri)] };
    frame.webview.html = createPageHtml(frame.webview, this.#extensionUri, where);
    return page;
  }

  #onTabChanged(page: HostPage, tab: vscode.WebviewPanel): void {
    page.onDidChangeVisibility();
    this.#notifyShown();
    if (tab.active) this.#activate(page);
    if (!tab.visible) this.setFocused(page, false);
  }

  #removePage(page: HostPage): void {
    page.dispose();
    this.#pages.delete(page);
    this.#notifyShown();
    if (this.#active === page) this.#active = this.#view.page;
    this.setFocused(page, false);
  }

  #notifyShown(): void {
    const visible = [...this.#pages].filter((page) => page.visible);
    this.#shownChanged.fire(new Set(visible.map(({ conversationId }) => conversationId)));
  }

  #activate(page: HostPage): void {
    this.#active = page;
    this.#updateContext();
  }

  #replaceDeleted(conversationId: string): void {
    for (const page of this.#pages) {
      if (page.conversationId !== conversationId) continue;
      page.showConversation(this.#choice.getBlank());
      if (page === this.#view.page) this.#rememberShown(page.conversationId);
    }
    this.#notifyShown();
  }

  #rememberShown(conversationId: string): void {
    this.#viewConversationId = conversationId;
    this.#choice.remember(conversationId);
  }

  /** Updates the titles, and what each tab shows of the other tabs. */
  #updateTabs(): void {
    this.#tabs.updateTitles();
    this.#view.updateTitle();
  }

  #updateContext(): void {
    const { chat } = this.#services;
    const active = chat.findConversation(this.#active?.conversationId ?? '');
    const inView = chat.findConversation(this.#view.page?.conversationId ?? '');
    this.#contextKeys.update(active, inView, this.#focused !== undefined);
  }
}
