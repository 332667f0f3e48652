import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import type { Change, CodeAction, ToHost } from '../../shared/protocol';
import { parseSearchWords } from '../../shared/searchText';
import type {
  ConversationView,
  Overflow,
  PanelState,
  SearchHit,
  SendTime,
  ServiceConversation,
} from '../../shared/viewModel';
import { strings } from '../base/strings';
import { FileExistence } from '../files/fileExistence';
import { PathLinks } from '../files/pathLinks';
import { Highlighter } from '../highlight/highlighter';
import { Formulas } from '../math/formulas';
import { HostConnection, type HostEvents, type SavedDraft } from './hostConnection';
import {
  applyChange,
  applySnapshot,
  cancelEditing,
  createPageState,
  getDraft,
  markDraftPosted,
  type PageState,
  recallMessage,
  setText,
  startEditing,
} from './state';
import { focusTranscript, focusTurn } from './turnNavigation';

/** Pause in typing after which the draft is posted to the host. */
const DRAFT_DELAY_MS = 200;

/** A message the user sent before the host had answered the previous one. */
interface EarlyMessage {
  readonly conversationId: string;
  readonly text: string;
  readonly time: SendTime | undefined;
}

/** Holds the page's state, renders it when it changes, and posts the user's intents to the host. */
export class Page implements HostEvents {
  /** Append a chunk to the body of a reply, by turn id: chunks bypass the components. */
  readonly replyBodies = new Map<string, (text: string) => void>();
  readonly highlighter = new Highlighter();
  readonly formulas = new Formulas();
  readonly files = new FileExistence((paths) => this.post({ type: 'checkPaths', paths }));
  readonly pathLinks = new PathLinks(this.files, ({ path, lines }) =>
    this.post({ type: 'openFile', path, ...(lines && { line: lines[0] }) }),
  );
  /** Runs an action on the code block whose context menu was opened last. */
  codeActions: ((action: CodeAction) => void) | undefined;
  /** Callbacks of the conversation list while it is mounted; `open` opens it. */
  readonly list: {
    open?: (() => void) | undefined;
    showHits?: ((query: string, hits: readonly SearchHit[], done: boolean) => void) | undefined;
    showServiceConversations?:
      | ((keyword: string, conversations: readonly ServiceConversation[]) => void)
      | undefined;
  } = {};
  /** Moves the focus to the documents, if there are any; `focusRequested` does so once they are rendered. */
  readonly documents: { focus?: (() => void) | undefined; focusRequested?: boolean } = {};
  /** Uploads to the host, by id: each callback gets whether the host accepts the rest. */
  readonly transfers = new Map<string, (accepted: boolean) => void>();
  readonly #host = new HostConnection();
  readonly #onRender: (state: PageState) => void;
  #state: PageState | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  #focusRequested = false;
  /** Messages sent before the host answered, in the order in which they appear in the composer. */
  #earlyMessages: readonly EarlyMessage[] = [];
  #openedHit: { readonly turnId: string; readonly query: string } | undefined;

  constructor(render: (state: PageState, page: Page) => void) {
    this.#onRender = (state) => render(state, this);
    window.addEventListener('blur', () => this.#postDraft());
    document.addEventListener('visibilitychange', () => this.#postDraft());
  }

  connect(): void {
    this.#host.connect(this);
    const postFocus = () => this.post({ type: 'focused', on: document.hasFocus() });
    window.addEventListener('focus', postFocus);
    window.addEventListener('blur', postFocus);
    // Also posted without focus: a page that had it may have been closed without saying so.
    postFocus();
  }

  snapshot(panel: PanelState): void {
    if (panel.codeTheme) this.highlighter.setTheme(panel.codeTheme);
    if (this.#state && this.#state.panel.conversation.id !== panel.conversation.id) this.#leaveConversation();
    this.#restoreDraft(this.#state ? applySnapshot(this.#state, panel) : createPageState(panel));
    this.#render();
  }

  changes(changes: readonly Change[]): void {
    let needsRender = false;
    for (const change of changes) {
      if (change.type === 'conversation') this.#leaveConversation();
      if (!this.#state) return;
      this.#state = applyChange(this.#state, change);
      if (change.type === 'codeTheme') this.highlighter.setTheme(change.codeTheme);
      if (change.type === 'chunk') this.replyBodies.get(change.turnId)?.(change.text);
      else needsRender = true;
      if (change.type === 'conversation') this.#restoreDraft(this.#state);
      if (change.type === 'sent' || change.type === 'notSent' || change.type === 'draft') this.#saveDraft();
      if (change.type === 'sent') this.#restoreHostDraft();
      if (change.type === 'sent' || change.type === 'notSent') this.#sendNext(change.type);
      if (change.type === 'ended' && change.ending !== 'failed')
        this.announce(strings.announce[change.ending]);
    }
    if (needsRender) this.#render();
  }

  /** Moves the focus to the text box, or to the current step of the setup. */
  focusComposer(): void {
    const target = document.querySelector<HTMLElement>('#message, .setup .primary');
    this.#focusRequested = !target;
    target?.focus();
  }

  focusTranscript(): void {
    if (!focusTranscript()) this.focusComposer();
  }

  stepTurn(step: 1 | -1): void {
    if (!focusTurn(step)) this.focusComposer();
  }

  existingPaths(paths: readonly string[]): void {
    this.files.acceptAnswer(paths);
  }

  codeAction(action: CodeAction): void {
    this.codeActions?.(action);
  }

  showList(): void {
    if (this.list.open) this.list.open();
    else this.focusComposer();
  }

  showDocuments(): void {
    const { focus } = this.documents;
    const hasDocuments =
      this.#state?.panel.conversation.turns.some(({ kind }) => kind === 'document') ?? true;
    if (focus) focus();
    else if (hasDocuments) this.documents.focusRequested = true;
    else {
      this.focusComposer();
      this.announce(strings.noDocuments);
    }
  }

  uploadTaken(uploadId: string, accepted: boolean): void {
    this.transfers.get(uploadId)?.(accepted);
  }

  searchResults(query: string, hits: readonly SearchHit[], done: boolean): void {
    this.list.showHits?.(query, hits, done);
  }

  serviceConversations(keyword: string, conversations: readonly ServiceConversation[]): void {
    this.list.showServiceConversations?.(keyword, conversations);
  }

  copySelection(): void {
    void this.#copySelection();
  }

  async #copySelection(): Promise<void> {
    const { selectionToMarkdown } = await import('../markdown/serialize/copyMarkdown');
    const turns = this.#state?.panel.conversation.turns ?? [];
    const text = selectionToMarkdown(document.getSelection(), (turnId) => {
      const turn = turns.find(({ id }) => id === turnId);
      return turn?.kind === 'reply' ? turn.text : undefined;
    });
    if (text === '') return;
    this.post({ type: 'copy', text });
    this.announce(strings.copied);
  }

  /** Announces a text to screen readers, once. */
  announce(text: string): void {
    const line = document.createElement('p');
    line.append(text);
    document.getElementById('announcements')?.replaceChildren(line);
  }

  post(message: ToHost): void {
    this.#host.post(message);
  }

  setText(text: string): void {
    if (!this.#state) return;
    this.#state = setText(this.#state, text);
    this.#saveDraft();
    this.#render();
  }

  /** Opens a search hit; its words are highlighted when the turn is shown. */
  openHit({ conversationId, turnId }: SearchHit, query: string): void {
    this.#openedHit = { turnId, query };
    this.post({ type: 'openTurn', conversationId, turnId });
  }

  /** Returns the words to highlight in a turn: those of the search that led to it. */
  getHitWords(turnId: string): readonly string[] {
    return this.#openedHit?.turnId === turnId ? parseSearchWords(this.#openedHit.query) : [];
  }

  /** Goes to the previous (-1) or next (1) past message, starting from an empty composer. Returns whether there was one. */
  recallMessage(step: 1 | -1): boolean {
    if (!this.#state) return false;
    this.#postDraft();
    const next = recallMessage(this.#state, step);
    if (next.composer.recalledId === this.#state.composer.recalledId) return false;
    this.#state = next;
    this.#render();
    return true;
  }

  /** Clears the past message from the composer. */
  clearText(): void {
    this.setText('');
  }

  /** Puts a past message into the composer for editing; the current draft is kept for later. */
  editMessage(text: string): void {
    if (!this.#state || this.#state.composer.sending !== undefined) return;
    this.#postDraft();
    this.#state = startEditing(this.#state, text);
    this.#saveDraft();
    this.#render();
    this.focusComposer();
  }

  cancelEdit(): void {
    if (!this.#state) return;
    this.#state = cancelEditing(this.#state);
    this.#saveDraft();
    this.#render();
    this.focusComposer();
  }

  /** Sends the message that a reply answers again, as a new one. */
  askAgain(replyId: string): void {
    if (!this.#state) return;
    const { panel, composer, asking } = this.#state;
    const { turns, id } = panel.conversation;
    const reply = turns.findIndex((turn) => turn.id === replyId);
    const message = turns.slice(0, reply).findLast((turn) => turn.kind === 'message');
    if (!message || asking !== undefined || composer.sending !== undefined) return;
    this.post({ type: 'send', conversationId: id, text: message.text });
    this.#state = { ...this.#state, asking: message.text };
    this.focusComposer();
  }

  /** Sends the composer's text. While a message is being sent, queues what was typed since to be sent after it. */
  sendMessage(overflow?: Overflow, time?: SendTime): void {
    if (!this.#state) return;
    const { composer } = this.#state;
    if (composer.sending === undefined) this.#sendText(composer.text, overflow, time);
    else this.#rememberEarlyMessage(composer.sending, composer.text, time);
  }

  #sendText(text: string, overflow?: Overflow, time?: SendTime): void {
    if (!this.#state) return;
    this.#postDraft();
    const { panel, composer } = this.#state;
    const context = panel.conversation.composing?.context.map(({ id }) => id) ?? [];
    this.post({
      type: 'send',
      conversationId: panel.conversation.id,
      text,
      ...(context.length > 0 && { context }),
      ...(overflow && { overflow }),
      ...(time && { time }),
    });
    // The host has the text from here on: a reload must not bring it back as a draft.
    this.#host.saveDraft(panel.conversation.id, undefined);
    this.#state = { ...this.#state, composer: { ...composer, sending: text } };
    this.#render();
  }

  /** Remembers the text that follows the messages already sent. */
  #rememberEarlyMessage(sending: string, composerText: string, time: SendTime | undefined): void {
    const conversationId = this.#state?.panel.conversation.id ?? '';
    const earlier = this.#earlyMessages.filter((message) => message.conversationId === conversationId);
    const before = [sending, ...earlier.map(({ text }) => text)].join('');
    // The sent text was edited since: the user has to send again.
    if (!composerText.startsWith(before)) return;
    const text = composerText.slice(before.length);
    if (text.trim() !== '') this.#earlyMessages = [...earlier, { conversationId, text, time }];
  }

  /** Sends the next message that was typed while the previous one was being sent. */
  #sendNext(answer: 'sent' | 'notSent'): void {
    const [next, ...rest] = answer === 'sent' ? this.#earlyMessages : [];
    this.#earlyMessages = rest;
    const { panel, composer } = this.#state ?? {};
    if (!next || next.conversationId !== panel?.conversation.id || !composer?.text.startsWith(next.text))
      return;
    // A message that is too long stays in the composer, for the user to decide.
    if (countCodePoints(next.text) <= MESSAGE_LIMIT) this.#sendText(next.text, undefined, next.time);
  }

  /** Stops the reply that is streaming. */
  stopReply(): void {
    if (!this.#state) return;
    this.post({ type: 'stop', conversationId: this.#state.panel.conversation.id });
    this.focusComposer();
  }

  #render(): void {
    if (!this.#state) return;
    const focused = document.activeElement;
    this.#onRender(this.#state);
    // Removing the focused element, such as a completed setup step, must not lose the focus.
    const hasLostFocus = document.activeElement === document.body && focused?.isConnected === false;
    if (this.#focusRequested || hasLostFocus) this.focusComposer();
  }

  /** Saves the draft that the host doesn't have yet, and posts it once typing pauses. */
  #saveDraft(): void {
    if (!this.#state) return;
    const { conversation } = this.#state.panel;
    const { text, sending, recalledId, editing: isEditing } = this.#state.composer;
    clearTimeout(this.#draftTimer);
    const base = conversation.draft;
    const saved = recalledId !== undefined || (text === base && !isEditing);
    this.#host.saveDraft(
      conversation.id,
      saved
        ? undefined
        : { text, base, ...getLastMessage(conversation), ...(isEditing && { editing: true }) },
    );
    // A message being sent is still in the text box: posting it as a draft would bring it back later.
    if (getDraft(this.#state) !== base && sending === undefined)
      this.#draftTimer = setTimeout(() => this.#postDraft(), DRAFT_DELAY_MS);
  }

  /** Restores the draft on the host, which drops a sent message from it, for a message that wasn't sent from the composer. */
  #restoreHostDraft(): void {
    if (!this.#state) return;
    const { id, draft } = this.#state.panel.conversation;
    if (draft !== '') this.post({ type: 'draft', conversationId: id, text: draft });
  }

  #postDraft(): void {
    clearTimeout(this.#draftTimer);
    if (!this.#state) return;
    const { conversation } = this.#state.panel;
    const text = getDraft(this.#state);
    if (text === conversation.draft) return;
    this.post({ type: 'draft', conversationId: conversation.id, text });
    this.#state = markDraftPosted(this.#state);
  }

  /** Posts the draft of the conversation being left. The page stays alive, so only a draft the host never gets stays saved. */
  #leaveConversation(): void {
    if (!this.#state) return;
    this.#postDraft();
    const { panel, composer } = this.#state;
    if (!composer.editing) this.#host.saveDraft(panel.conversation.id, undefined);
  }

  /** Restores a draft typed just before a reload that didn't reach the host, and a past message being edited. */
  #restoreDraft(state: PageState): void {
    const { conversation } = state.panel;
    const { id, draft } = conversation;
    this.#host.saveConversationId(id);
    const saved = this.#host.getSavedDraft(id);
    const isCurrent = saved?.base === draft && saved.after === getLastMessage(conversation).after;
    const canRestore = isCurrent && state.composer.text === draft;
    if (!canRestore) this.#state = state;
    else this.#state = saved.editing ? startEditing(state, saved.text) : setText(state, saved.text);
    this.#saveDraft();
  }
}

function getLastMessage({ turns }: ConversationView): Pick<SavedDraft, 'after'> {
  const message = turns.findLast(({ kind }) => kind === 'message');
  return message ? { after: message.id } : {};
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('No page around this component.');
  return page;
}
