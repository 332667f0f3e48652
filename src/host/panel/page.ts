import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { Conversation } from '../../chat/model/conversation';
import type { ChatEvent } from '../../chat/model/events';
import type { CodeAction, ToHost, ToPage } from '../../shared/protocol';
import type { Notice, PanelState, SearchHit, ServiceConversation } from '../../shared/viewModel';
import { DisposableStore } from '../base/disposables';
import {
  baseUrl,
  chatFont,
  onDidChangeChatFont,
  onDidChangeSettings,
  overflow,
  sendWith,
} from '../base/settings';
import type { Quota } from '../service/quota';
import type { SetupGuide } from '../service/setupGuide';
import type { CodeThemes } from '../theme/codeThemes';
import { DeltaChannel } from './deltaChannel';
import { intentSchema } from './intentSchema';
import { createNotice } from './notice';
import { affectsList, toChanges } from './toChanges';
import { conversationView } from './turnView';

/** A webview and what it needs to be known of: the side bar's view, or an editor tab. */
export interface WebviewHost {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
}

/** What moves the keyboard within the page. */
export type FocusMessage =
  | 'focusComposer'
  | 'focusTranscript'
  | 'previousTurn'
  | 'nextTurn'
  | 'showList'
  | 'showDocuments';

/** A function for each intent: a forgotten one is a compile error. */
export type IntentHandlers = {
  [K in Exclude<ToHost['type'], 'ready'>]: (
    intent: Extract<ToHost, { type: K }>,
    page: Page,
  ) => void | Promise<void>;
};

/** One page: the conversation it shows, kept exact by deltas; its intents, checked and handed on. */
export class Page implements vscode.Disposable {
  readonly #frame: WebviewHost;
  readonly #chat: Chat;
  readonly #setup: SetupGuide;
  readonly #quota: Quota;
  readonly #codeThemes: CodeThemes;
  readonly #log: vscode.LogOutputChannel;
  readonly #handlers: IntentHandlers;
  readonly #deltas: DeltaChannel;
  readonly #store = new DisposableStore();
  #conversationId: string;
  #ready = false;
  #focusWhenReady: FocusMessage | undefined;

  constructor(
    frame: WebviewHost,
    services: {
      chat: Chat;
      setup: SetupGuide;
      quota: Quota;
      codeThemes: CodeThemes;
      log: vscode.LogOutputChannel;
      handlers: IntentHandlers;
    },
    conversationId: string,
  ) {
    this.#frame = frame;
    this.#chat = services.chat;
    this.#setup = services.setup;
    this.#quota = services.quota;
    this.#codeThemes = services.codeThemes;
    this.#log = services.log;
    this.#handlers = services.handlers;
    this.#conversationId = conversationId;
    this.#deltas = new DeltaChannel(
      (message) => this.#tell(message),
      () => this.#state(),
    );
    this.#store.add({ dispose: () => this.#deltas.stop() });
    this.#store.add(frame.webview.onDidReceiveMessage((message) => this.#receive(message)));
    this.#store.add(this.#chat.onEvent((event) => this.#follow(event)));
    this.#store.add(this.#setup.onDidChange((setup) => this.#deltas.push({ type: 'setup', setup })));
    this.#store.add(
      this.#codeThemes.onDidChange((codeTheme) => this.#deltas.push({ type: 'codeTheme', codeTheme })),
    );
    this.#store.add(onDidChangeChatFont(() => this.#deltas.push({ type: 'chatFont', chatFont: chatFont() })));
    this.#store.add(
      onDidChangeSettings(() => {
        this.#deltas.push({ type: 'sendWith', sendWith: sendWith() });
        const always = overflow();
        this.#deltas.push({ type: 'overflow', ...(always && { overflow: always }) });
        this.#pushQuota();
      }),
    );
    this.#store.add(this.#quota.onDidChange(() => this.#pushQuota()));
  }

  get conversationId(): string {
    return this.#conversationId;
  }

  get visible(): boolean {
    return this.#frame.visible;
  }

  show(conversationId: string): void {
    const conversation = this.#chat.find(conversationId);
    if (!conversation) return;
    this.#conversationId = conversationId;
    this.#deltas.push({ type: 'conversation', conversation: conversationView(conversation) });
    this.#pushNotice(conversation);
    this.#markRead();
  }

  /** Brings one of the conversation's turns into sight. */
  revealTurn(turnId: string): void {
    this.#deltas.push({ type: 'revealTurn', turnId });
  }

  /** A hidden page is torn down by VS Code; it says `ready` when it comes back. */
  visibilityChanged(): void {
    if (this.#frame.visible) this.#markRead();
    else {
      this.#ready = false;
      this.#deltas.stop();
    }
  }

  focusComposer(): void {
    this.moveFocus('focusComposer');
  }

  /** Moves the keyboard within the page, as soon as it is there. */
  moveFocus(type: FocusMessage): void {
    if (this.#ready) this.#tell({ type });
    else this.#focusWhenReady = type;
  }

  /** Answers what the page handed over of a file. */
  uploadTaken(uploadId: string, accepted: boolean): void {
    this.#tell({ type: 'uploadTaken', uploadId, accepted });
  }

  /** What the page's search has found so far. */
  searchResults(query: string, hits: readonly SearchHit[], done: boolean): void {
    this.#tell({ type: 'searchResults', query, hits, done });
  }

  /** A file as the host calls it: to the page of a remote window the host's own files are `vscode-remote:`. */
  asHostUri(uri: vscode.Uri): vscode.Uri {
    const { webview } = this.#frame;
    const own = vscode.Uri.file(uri.path);
    const isOwn =
      uri.scheme === 'vscode-remote' &&
      webview.asWebviewUri(uri).toString() === webview.asWebviewUri(own).toString();
    return isOwn ? own.with({ query: uri.query, fragment: uri.fragment }) : uri;
  }

  /** What the service has that isn't here. */
  serviceConversations(keyword: string, conversations: readonly ServiceConversation[]): void {
    this.#tell({ type: 'serviceConversations', keyword, conversations });
  }

  /** The composer's text was taken as a message, or into the queue. */
  sent(text: string, queued: boolean): void {
    this.#deltas.push({ type: 'sent', text, ...(queued && { queued }) });
  }

  /** Answers which paths are files of the workspace. */
  pathsExist(paths: readonly string[]): void {
    this.#tell({ type: 'existingPaths', paths });
  }

  /** Does something with the block of code whose context menu was opened last. */
  codeAction(action: CodeAction): void {
    this.#tell({ type: 'codeAction', action });
  }

  /** Copies what is selected in its transcript, as Markdown. */
  copySelection(): void {
    this.#tell({ type: 'copySelection' });
  }

  notSent(): void {
    this.#deltas.push({ type: 'notSent' });
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Never awaited: a page that is busy or gone must not hold up the host. */
  #tell(message: ToPage): void {
    void this.#frame.webview.postMessage(message);
  }

  #receive(message: unknown): void {
    const parsed = v.safeParse(intentSchema, message);
    if (!parsed.success) {
      this.#log.warn('The page sent a message that Parley does not know; it is ignored.');
      return;
    }
    const intent = parsed.output;
    if (intent.type === 'ready') {
      this.#start();
      return;
    }
    const handle = this.#handlers[intent.type] as (intent: ToHost, page: Page) => void | Promise<void>;
    void Promise.resolve(handle(intent, this)).catch((error: unknown) => {
      this.#log.error(`${intent.type} failed`, error instanceof Error ? error : String(error));
    });
  }

  #start(): void {
    this.#ready = true;
    // A page that begins anew is not editing what the one before it was.
    this.#chat.queues.abandonEditing(this.#conversationId);
    this.#deltas.start();
    void this.#loadList();
    this.#markRead();
    if (this.#focusWhenReady) this.moveFocus(this.#focusWhenReady);
    this.#focusWhenReady = undefined;
  }

  async #loadList(): Promise<void> {
    try {
      await this.#chat.load();
      this.#deltas.push({ type: 'conversations', conversations: this.#chat.list() });
    } catch (error) {
      this.#log.error(
        'The list of conversations could not be read',
        error instanceof Error ? error : String(error),
      );
    }
  }

  #follow(event: ChatEvent): void {
    const conversation = this.#chat.find(this.#conversationId);
    if (conversation && event.conversationId === this.#conversationId) {
      for (const change of toChanges(event, conversation)) this.#deltas.push(change);
      if (event.type === 'changed' || event.type === 'noticed') this.#pushNotice(conversation);
      if (event.type === 'ended') this.#markRead();
    }
    if (affectsList(event)) this.#pushSummary(event.conversationId);
  }

  #pushSummary(conversationId: string): void {
    const summary = this.#chat.getSummary(conversationId);
    this.#deltas.push(summary ? { type: 'summary', summary } : { type: 'conversationGone', conversationId });
  }

  #pushQuota(): void {
    this.#deltas.push({ type: 'quota', quota: this.#quota.estimate(baseUrl()?.url ?? '') });
    const conversation = this.#chat.find(this.#conversationId);
    if (conversation) this.#pushNotice(conversation);
  }

  #notice(conversation: Conversation): Notice | undefined {
    return createNotice(conversation, this.#quota.reachedAt(baseUrl()?.url ?? ''));
  }

  #pushNotice(conversation: Conversation): void {
    const notice = this.#notice(conversation);
    this.#deltas.push({ type: 'notice', ...(notice && { notice }) });
  }

  #markRead(): void {
    if (this.#frame.visible) this.#chat.markRead(this.#conversationId);
  }

  #state(): PanelState {
    const conversation = this.#chat.find(this.#conversationId) ?? this.#chat.create(undefined);
    this.#conversationId = conversation.id;
    const codeTheme = this.#codeThemes.current;
    const notice = this.#notice(conversation);
    const always = overflow();
    return {
      setup: this.#setup.current,
      sendWith: sendWith(),
      ...(always && { overflow: always }),
      quota: this.#quota.estimate(baseUrl()?.url ?? ''),
      ...(codeTheme && { codeTheme }),
      chatFont: chatFont(),
      conversations: this.#chat.list(),
      conversation: conversationView(conversation),
      ...(notice && { notice }),
    };
  }
}
