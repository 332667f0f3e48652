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
import type { Notice, PanelState, ServiceProposal, ServiceSummary } from '../../../shared/view/viewModel';
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
import { affectsList, toChanges } from './toChanges';
import { toConversationView } from './turnView';

/** What a page needs from its container, the side bar's view or an editor tab. */
export interface WebviewHost {
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

/** A page: posts the changes to the conversation that it shows, and validates its intents. */
export class HostPage implements vscode.Disposable {
  readonly #host: WebviewHost;
  readonly #chat: Chat;
  readonly #setup: SetupGuide;
  readonly #serviceList: ServiceList;
  readonly #quota: Quota;
  readonly #uploadFolders: UploadFolders;
  readonly #codeThemes: CodeThemes;
  readonly #proposal: ProposalSource;
  readonly #log: vscode.LogOutputChannel;
  readonly #onIntent: (intent: Intent, page: HostPage) => void;
  readonly #deltas: DeltaChannel;
  readonly #store = new DisposableStore();
  #conversationId: string;
  #ready = false;
  #focusWhenReady: FocusMessage | undefined;
  #revealWhenReady: string | undefined;
  #comparedWith: string | undefined;
  /** The service of the conversation that the page shows, as last pushed. */
  #shownBaseUrl: string | undefined;

  constructor(
    frame: WebviewHost,
    services: {
      chat: Chat;
      setup: SetupGuide;
      serviceList: ServiceList;
      quota: Quota;
      uploadFolders: UploadFolders;
      codeThemes: CodeThemes;
      workspaceProposal: ProposalSource;
      log: vscode.LogOutputChannel;
    },
    conversationId: string,
    onIntent: (intent: Intent, page: HostPage) => void,
  ) {
    this.#host = frame;
    this.#chat = services.chat;
    this.#setup = services.setup;
    this.#serviceList = services.serviceList;
    this.#quota = services.quota;
    this.#uploadFolders = services.uploadFolders;
    this.#codeThemes = services.codeThemes;
    this.#proposal = services.workspaceProposal;
    this.#log = services.log;
    this.#conversationId = conversationId;
    this.#onIntent = onIntent;
    this.#deltas = new DeltaChannel(
      (message) => this.#post(message),
      () => this.#createState(),
    );
    this.#store.add({ dispose: () => this.#deltas.stop() });
    this.#store.add(frame.webview.onDidReceiveMessage((message) => this.#receive(message)));
    this.#store.add(this.#chat.onEvent((event) => this.#onChatEvent(event)));
    this.#store.add(this.#setup.onDidChange(() => this.#pushSetup()));
    this.#store.add(this.#serviceList.onDidChange(() => this.#pushServices()));
    this.#store.add(
      this.#proposal.onDidChange(() => {
        const { view } = this.#proposal;
        this.#deltas.push({ type: 'proposal', ...(view && { proposal: view }) });
      }),
    );
    this.#store.add(
      this.#codeThemes.onDidChange((codeTheme) => this.#deltas.push({ type: 'codeTheme', codeTheme })),
    );
    this.#store.add(
      onDidChangeChatFont(() => this.#deltas.push({ type: 'chatFont', chatFont: getChatFont() })),
    );
    this.#store.add(
      onDidChangeSettings(() => {
        this.#deltas.push({ type: 'sendWith', sendWith: getSendWith() });
        const always = getOverflow();
        this.#deltas.push({ type: 'overflow', ...(always && { overflow: always }) });
        this.#pushQuota();
        this.#pushUploadFolder();
      }),
    );
    this.#store.add(this.#uploadFolders.onDidChange(() => this.#pushUploadFolder()));
    this.#store.add(this.#quota.onDidChange(() => this.#pushQuota()));
  }

  get conversationId(): string {
    return this.#conversationId;
  }

  get visible(): boolean {
    return this.#host.visible;
  }

  show(conversationId: string): void {
    const conversation = this.#chat.find(conversationId);
    if (!conversation) return;
    const notice = this.#createNotice(conversation);
    const isNew = conversationId !== this.#conversationId;
    this.#deltas.pushConversation(toConversationView(conversation), notice, isNew);
    this.#conversationId = conversationId;
    this.#pushServiceIfChanged();
    this.#markRead();
  }

  /** Scrolls to one of the conversation's turns, once the page has loaded. */
  revealTurn(turnId: string): void {
    if (this.#ready) this.#deltas.push({ type: 'revealTurn', turnId });
    else this.#revealWhenReady = turnId;
  }

  /**
   * Called when the page is shown or hidden. VS Code destroys a hidden page; it posts `ready` when it is
   * shown again.
   */
  onDidChangeVisibility(): void {
    if (this.#host.visible) this.#markRead();
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
    if (this.#ready) this.#post({ type });
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
    this.#post({ type: 'response', name, id, ...result } as Response);
    return true;
  }

  /**
   * Converts a URI from the page to one of the host: in a remote window, the page has `vscode-remote:` URIs
   * for the host's own files.
   */
  toHostUri(uri: vscode.Uri): vscode.Uri {
    const { webview } = this.#host;
    const file = vscode.Uri.file(uri.path);
    const isFile =
      uri.scheme === 'vscode-remote' &&
      webview.asWebviewUri(uri).toString() === webview.asWebviewUri(file).toString();
    return isFile ? file.with({ query: uri.query, fragment: uri.fragment }) : uri;
  }

  /** Posts that the composer's text was sent or queued. */
  postSent(text: string, queued: boolean): void {
    this.#deltas.push({ type: 'sent', text, ...(queued && { queued }) });
  }

  /** Runs an action on the code block on which the context menu was last opened. */
  runCodeAction(action: CodeAction): void {
    this.#post({ type: 'codeAction', action });
  }

  /** Copies the selection in the transcript as Markdown. */
  copySelection(): void {
    this.#post({ type: 'copySelection' });
  }

  /** Shows that another bot was asked the same question in another tab. `name`: the bot's; undefined if there is none. */
  setComparedWith(name: string | undefined): void {
    if (name === this.#comparedWith) return;
    this.#comparedWith = name;
    const conversation = this.#chat.find(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  postNotSent(): void {
    this.#deltas.push({ type: 'notSent' });
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Not awaited: a page that is busy or gone must not block the host. */
  #post(message: ToPage): void {
    void this.#host.webview.postMessage(message);
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
    this.#deltas.start(hasJustLoaded);
    void this.#loadList();
    this.#markRead();
    if (this.#focusWhenReady) this.moveFocus(this.#focusWhenReady);
    this.#focusWhenReady = undefined;
    const turnId = this.#revealWhenReady;
    this.#revealWhenReady = undefined;
    if (turnId !== undefined) this.revealTurn(turnId);
  }

  async #loadList(): Promise<void> {
    try {
      await this.#chat.load();
      this.#deltas.push({ type: 'conversations', conversations: this.#chat.list() });
    } catch (error) {
      this.#log.error(
        'Failed to read the list of conversations',
        error instanceof Error ? error : String(error),
      );
    }
  }

  #onChatEvent(event: ChatEvent): void {
    const conversation = this.#chat.find(this.#conversationId);
    if (conversation && event.conversationId === this.#conversationId) {
      for (const change of toChanges(event, conversation)) this.#deltas.push(change);
      if (event.type === 'changed' || event.type === 'noticed') this.#pushNotice(conversation);
      if (event.type === 'changed') this.#pushServiceIfChanged();
      if (event.type === 'ended') this.#markRead();
    }
    if (affectsList(event)) this.#pushSummary(event.conversationId);
  }

  #pushSummary(conversationId: string): void {
    const summary = this.#chat.getSummary(conversationId);
    this.#deltas.push(summary ? { type: 'summary', summary } : { type: 'conversationGone', conversationId });
  }

  /** The service of the conversation that the page shows. */
  get #service(): ConfiguredService | undefined {
    return this.#serviceList.serviceOf(this.#chat.find(this.#conversationId));
  }

  #pushSetup(): void {
    this.#deltas.push({ type: 'setup', setup: this.#setup.getFor(this.#chat.find(this.#conversationId)) });
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
    this.#deltas.push({ type: 'services', ...(services && { services }) });
    this.#pushServiceIfChanged();
    const conversation = this.#chat.find(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  #toServices(): readonly ServiceSummary[] | undefined {
    const { all } = this.#serviceList;
    return all.length > 1 ? all.map(({ baseUrl, name }) => ({ baseUrl, name })) : undefined;
  }

  #pushQuota(): void {
    this.#deltas.push({ type: 'quota', quota: this.#quota.getEstimate(this.#service?.baseUrl ?? '') });
    const conversation = this.#chat.find(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  #pushUploadFolder(): void {
    const uploadFolder = this.#uploadFolders.getShown(this.#service?.baseUrl);
    this.#deltas.push({ type: 'uploadFolder', ...(uploadFolder !== undefined && { uploadFolder }) });
  }

  #createNotice(conversation: Conversation): Notice | undefined {
    const service = this.#serviceList.serviceOf(conversation);
    const reachedAt = this.#quota.getReachedAt(service?.baseUrl ?? '');
    return createNotice(conversation, service, reachedAt, this.#comparedWith);
  }

  #pushNotice(conversation: Conversation): void {
    const notice = this.#createNotice(conversation);
    this.#deltas.push({ type: 'notice', ...(notice && { notice }) });
  }

  #markRead(): void {
    if (this.#host.visible) this.#chat.markRead(this.#conversationId);
  }

  #createState(): PanelState {
    const conversation = this.#chat.find(this.#conversationId) ?? this.#chat.create(undefined);
    this.#conversationId = conversation.id;
    const codeTheme = this.#codeThemes.current;
    const notice = this.#createNotice(conversation);
    const always = getOverflow();
    const services = this.#toServices();
    this.#shownBaseUrl = this.#service?.baseUrl;
    const uploadFolder = this.#uploadFolders.getShown(this.#service?.baseUrl);
    return {
      setup: this.#setup.getFor(conversation),
      sendWith: getSendWith(),
      ...(always && { overflow: always }),
      quota: this.#quota.getEstimate(this.#service?.baseUrl ?? ''),
      ...(uploadFolder !== undefined && { uploadFolder }),
      ...(this.#proposal.view && { proposal: this.#proposal.view }),
      ...(codeTheme && { codeTheme }),
      chatFont: getChatFont(),
      ...(services && { services }),
      conversations: this.#chat.list(),
      conversation: toConversationView(conversation),
      ...(notice && { notice }),
    };
  }
}
