import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Chat } from '../../../chat/conversations/chat';
import type { ChatEvent } from '../../../chat/model/chatEvent';
import type { Conversation } from '../../../chat/model/conversation';
import type { RequestName, ResponseTo, SubscriptionName } from '../../../shared/protocol/requests';
import { type ToHost, toHostSchema } from '../../../shared/protocol/toHost';
import type {
  CodeAction,
  FocusMessage,
  RequestError,
  Response,
  ToPage,
} from '../../../shared/protocol/toPage';
import type {
  DocumentSyncView,
  Notice,
  PanelState,
  ServiceProposal,
  ServiceSummary,
} from '../../../shared/view/viewModel';
import { DisposableStore } from '../../base/disposables';
import {
  getChatFont,
  getOverflow,
  getSendWith,
  onDidChangeChatFont,
  onDidChangeSettings,
} from '../../base/settings';
import type { Quota } from '../../service/quota';
import type { ConfiguredService, ServiceList } from '../../service/serviceList';
import type { SetupGuide } from '../../service/setupGuide';
import type { UploadFolders } from '../../service/uploadFolders';
import type { CodeThemes } from '../../theme/codeThemes';
import { DeltaChannel } from './deltaChannel';
import { createNotice } from './notice';
import { affectsList, toPageChanges } from './toPageChanges';
import { toConversationView } from './turnView';

/** What a page needs from its container, the side bar's view or an editor tab. */
export interface WebviewContainer {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
}

/** What a page asks for; `ready` is handled by the page itself. */
export type Intent = Exclude<ToHost, { type: 'ready' }>;

/** The service that the workspace proposes. */
export interface ProposalSource {
  readonly view: ServiceProposal | undefined;
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** How many of the workspace's documents have changed, for each conversation. */
export interface SyncStatusSource {
  getView(conversationId: string): DocumentSyncView | undefined;
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** A page: posts the changes to the conversation that it shows, and validates its intents. */
export class HostPage implements vscode.Disposable {
  readonly #container: WebviewContainer;
  readonly #chat: Chat;
  readonly #setup: SetupGuide;
  readonly #serviceList: ServiceList;
  readonly #quota: Quota;
  readonly #uploadFolders: UploadFolders;
  readonly #codeThemes: CodeThemes;
  readonly #proposal: ProposalSource;
  readonly #syncStatus: SyncStatusSource;
  readonly #log: vscode.LogOutputChannel;
  readonly #onIntent: (intent: Intent, page: HostPage) => void;
  readonly #deltas: DeltaChannel;
  readonly #disposables = new DisposableStore();
  #conversationId: string;
  #ready = false;
  #focusWhenReady: FocusMessage | undefined;
  #revealWhenReady: string | undefined;
  #comparedWith: string | undefined;
  /** The service of the conversation that the page shows, as last pushed. */
  #shownBaseUrl: string | undefined;

  constructor(
    container: WebviewContainer,
    services: {
      chat: Chat;
      setup: SetupGuide;
      serviceList: ServiceList;
      quota: Quota;
      uploadFolders: UploadFolders;
      codeThemes: CodeThemes;
      workspaceProposal: ProposalSource;
      syncStatus: SyncStatusSource;
      log: vscode.LogOutputChannel;
    },
    conversationId: string,
    onIntent: (intent: Intent, page: HostPage) => void,
  ) {
    this.#container = container;
    this.#chat = services.chat;
    this.#setup = services.setup;
    this.#serviceList = services.serviceList;
    this.#quota = services.quota;
    this.#uploadFolders = services.uploadFolders;
    this.#codeThemes = services.codeThemes;
    this.#proposal = services.workspaceProposal;
    this.#syncStatus = services.syncStatus;
    this.#log = services.log;
    this.#conversationId = conversationId;
    this.#onIntent = onIntent;
    this.#deltas = new DeltaChannel(
      (message) => this.#postToPage(message),
      () => this.#createState(),
    );
    this.#disposables.add({ dispose: () => this.#deltas.stop() });
    this.#disposables.add(container.webview.onDidReceiveMessage((message) => this.#receive(message)));
    this.#disposables.add(this.#chat.onChatEvent((event) => this.#pushChangesOf(event)));
    this.#disposables.add(this.#setup.onDidChange(() => this.#pushSetup()));
    this.#disposables.add(this.#serviceList.onDidChange(() => this.#pushServices()));
    this.#disposables.add(
      this.#proposal.onDidChange(() => {
        const { view } = this.#proposal;
        this.#deltas.pushChange({ type: 'proposal', ...(view && { proposal: view }) });
      }),
    );
    this.#disposables.add(this.#syncStatus.onDidChange(() => this.#pushSync()));
    this.#disposables.add(
      this.#codeThemes.onDidChange((codeTheme) => this.#deltas.pushChange({ type: 'codeTheme', codeTheme })),
    );
    this.#disposables.add(
      onDidChangeChatFont(() => this.#deltas.pushChange({ type: 'chatFont', chatFont: getChatFont() })),
    );
    this.#disposables.add(
      onDidChangeSettings(() => {
        this.#deltas.pushChange({ type: 'sendWith', sendWith: getSendWith() });
        const always = getOverflow();
        this.#deltas.pushChange({ type: 'overflow', ...(always && { overflow: always }) });
        this.#pushQuota();
        this.#pushUploadFolder();
      }),
    );
    this.#disposables.add(this.#uploadFolders.onDidChange(() => this.#pushUploadFolder()));
    this.#disposables.add(this.#quota.onDidChange(() => this.#pushQuota()));
  }

  get conversationId(): string {
    return this.#conversationId;
  }

  get visible(): boolean {
    return this.#container.visible;
  }

  showConversation(conversationId: string): void {
    const conversation = this.#chat.findConversation(conversationId);
    if (!conversation) return;
    const notice = this.#createNotice(conversation);
    const isNew = conversationId !== this.#conversationId;
    this.#deltas.pushConversation(toConversationView(conversation), notice, isNew);
    this.#conversationId = conversationId;
    this.#pushServiceIfChanged();
    this.#pushSync();
    this.#markRead();
  }

  /** Scrolls to one of the conversation's turns, once the page has loaded. */
  revealTurn(turnId: string): void {
    if (this.#ready) this.#deltas.pushChange({ type: 'revealTurn', turnId });
    else this.#revealWhenReady = turnId;
  }

  /**
   * Called when the page is shown or hidden. VS Code destroys a hidden page; it posts `ready` when it is
   * shown again.
   */
  onDidChangeVisibility(): void {
    if (this.#container.visible) this.#markRead();
    else {
      this.#ready = false;
      this.#deltas.stop();
    }
  }

  focusComposer(): void {
    this.moveFocus('focusComposer');
  }

  /** Moves the keyboard focus within the page, once it has loaded. */
  moveFocus(type: FocusMessage): void {
    if (this.#ready) this.#postToPage({ type });
    else this.#focusWhenReady = type;
  }

  /**
   * Responds to a request or subscription of the page. Returns false if the page was hidden since, which ends what it asked
   * for.
   */
  respond<K extends RequestName | SubscriptionName>(
    name: K,
    id: string,
    result: { readonly value: ResponseTo<K> } | { readonly error: RequestError },
  ): boolean {
    if (!this.#ready) return false;
    this.#postToPage({ type: 'response', name, id, ...result } as Response);
    return true;
  }

  /**
   * Converts a URI from the page to one of the host: in a remote window, the page has `vscode-remote:` URIs
   * for the host's own files.
   */
  toHostUri(uri: vscode.Uri): vscode.Uri {
    const { webview } = this.#container;
    const file = vscode.Uri.file(uri.path);
    const isFile =
      uri.scheme === 'vscode-remote' &&
      webview.asWebviewUri(uri).toString() === webview.asWebviewUri(file).toString();
    return isFile ? file.with({ query: uri.query, fragment: uri.fragment }) : uri;
  }

  /** Posts that the composer's text was sent or queued. */
  postSent(text: string, queued: boolean): void {
    this.#deltas.pushChange({ type: 'sent', text, ...(queued && { queued }) });
  }

  /** Runs an action on the code block on which the context menu was last opened. */
  runCodeAction(action: CodeAction): void {
    this.#postToPage({ type: 'codeAction', action });
  }

  /** Copies the selection in the transcript as Markdown. */
  copySelection(): void {
    this.#postToPage({ type: 'copySelection' });
  }

  /** Shows that another bot was asked the same question in another tab. `name`: the bot's; undefined if there is none. */
  setComparedWith(name: string | undefined): void {
    if (name === this.#comparedWith) return;
    this.#comparedWith = name;
    const conversation = this.#chat.findConversation(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  postNotSent(): void {
    this.#deltas.pushChange({ type: 'notSent' });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Not awaited: a page that is busy or gone must not block the host. */
  #postToPage(message: ToPage): void {
    void this.#container.webview.postMessage(message);
  }

  #receive(message: unknown): void {
    const parsed = v.safeParse(toHostSchema, message, { abortEarly: true });
    if (!parsed.success) {
      this.#log.warn('Ignored an invalid message from the page');
      return;
    }
    if (parsed.output.type === 'ready') this.#start(parsed.output.width !== undefined);
    else this.#onIntent(parsed.output, this);
  }

  #start(hasJustLoaded: boolean): void {
    this.#ready = true;
    // A reloaded page starts editing a queued message again, if its text was changed.
    this.#chat.queues.abandonEditing(this.#conversationId);
    this.#deltas.postSnapshot(hasJustLoaded);
    this.#loadList();
    this.#markRead();
    if (this.#focusWhenReady) this.moveFocus(this.#focusWhenReady);
    this.#focusWhenReady = undefined;
    const turnId = this.#revealWhenReady;
    this.#revealWhenReady = undefined;
    if (turnId !== undefined) this.revealTurn(turnId);
  }

  #loadList(): void {
    this.#chat.load().catch(this.#chat.reportError);
    // If it can't be read now, it is when the window gets the focus.
    void this.#chat.whenListed.then(() =>
      this.#deltas.pushChange({ type: 'conversations', conversations: this.#chat.listConversations() }),
    );
  }

  #pushChangesOf(event: ChatEvent): void {
    // The page has typed it, or gets `sent`: it may be ahead by now.
    if (event.type === 'draft' && event.page === this) return;
    const conversation = this.#chat.findConversation(this.#conversationId);
    if (conversation && event.conversationId === this.#conversationId) {
      for (const change of toPageChanges(event, conversation)) this.#deltas.pushChange(change);
      if (event.type === 'changed' || event.type === 'noticed') this.#pushNotice(conversation);
      if (event.type === 'changed') this.#pushServiceIfChanged();
      if (event.type === 'ended') this.#markRead();
    }
    if (affectsList(event)) this.#pushSummary(event.conversationId);
  }

  #pushSummary(conversationId: string): void {
    const summary = this.#chat.getSummary(conversationId);
    this.#deltas.pushChange(
      summary ? { type: 'summary', summary } : { type: 'conversationGone', conversationId },
    );
  }

  /** The service of the conversation that the page shows. */
  get #service(): ConfiguredService | undefined {
    return this.#serviceList.serviceOf(this.#chat.findConversation(this.#conversationId));
  }

  #pushSetup(): void {
    this.#deltas.pushChange({
      type: 'setup',
      setup: this.#setup.getFor(this.#chat.findConversation(this.#conversationId)),
    });
  }

  /** Pushes what the page shows of the conversation's service, once another conversation or bot has another one. */
  #pushServiceIfChanged(): void {
    const baseUrl = this.#service?.baseUrl;
    if (baseUrl === this.#shownBaseUrl) return;
    this.#shownBaseUrl = baseUrl;
    this.#pushSetup();
    this.#pushQuota();
    this.#pushUploadFolder();
  }

  #pushServices(): void {
    const services = this.#toServices();
    this.#deltas.pushChange({ type: 'services', ...(services && { services }) });
    this.#pushServiceIfChanged();
    const conversation = this.#chat.findConversation(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  #toServices(): readonly ServiceSummary[] | undefined {
    const { all } = this.#serviceList;
    return all.length > 1 ? all.map(({ baseUrl, name }) => ({ baseUrl, name })) : undefined;
  }

  #pushQuota(): void {
    this.#deltas.pushChange({ type: 'quota', quota: this.#quota.getEstimate(this.#service?.baseUrl ?? '') });
    const conversation = this.#chat.findConversation(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  #pushSync(): void {
    const documentSync = this.#syncStatus.getView(this.#conversationId);
    this.#deltas.pushChange({ type: 'documentSync', ...(documentSync && { documentSync }) });
  }

  #pushUploadFolder(): void {
    const uploadFolder = this.#uploadFolders.getShown(this.#service?.baseUrl);
    this.#deltas.pushChange({ type: 'uploadFolder', ...(uploadFolder !== undefined && { uploadFolder }) });
  }

  #createNotice(conversation: Conversation): Notice | undefined {
    const service = this.#serviceList.serviceOf(conversation);
    const reachedAt = this.#quota.getReachedAt(service?.baseUrl ?? '');
    return createNotice(conversation, service, reachedAt, this.#comparedWith);
  }

  #pushNotice(conversation: Conversation): void {
    const notice = this.#createNotice(conversation);
    this.#deltas.pushChange({ type: 'notice', ...(notice && { notice }) });
  }

  #markRead(): void {
    if (this.#container.visible) this.#chat.markRead(this.#conversationId);
  }

  #createState(): PanelState {
    const conversation =
      this.#chat.findConversation(this.#conversationId) ?? this.#chat.createConversation(undefined);
    this.#conversationId = conversation.id;
    const codeTheme = this.#codeThemes.current;
    const notice = this.#createNotice(conversation);
    const always = getOverflow();
    const services = this.#toServices();
    this.#shownBaseUrl = this.#service?.baseUrl;
    const uploadFolder = this.#uploadFolders.getShown(this.#service?.baseUrl);
    const documentSync = this.#syncStatus.getView(conversation.id);
    return {
      setup: this.#setup.getFor(conversation),
      sendWith: getSendWith(),
      ...(always && { overflow: always }),
      quota: this.#quota.getEstimate(this.#service?.baseUrl ?? ''),
      ...(uploadFolder !== undefined && { uploadFolder }),
      ...(this.#proposal.view && { proposal: this.#proposal.view }),
      ...(documentSync && { documentSync }),
      ...(codeTheme && { codeTheme }),
      chatFont: getChatFont(),
      ...(services && { services }),
      conversations: this.#chat.listConversations(),
      conversation: toConversationView(conversation),
      ...(notice && { notice }),
    };
  }
}
