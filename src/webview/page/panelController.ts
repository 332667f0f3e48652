import type { ToHost } from '../../shared/protocol/toHost';
import type { Change } from '../../shared/protocol/toPage';
import { parseSearchWords } from '../../shared/text/searchText';
import type { Overflow, PanelState, SearchHit, SendTime } from '../../shared/view/viewModel';
import { Events } from '../base/events';
import { importWithRetries, ScriptFailure } from '../base/importWithRetries';
import { t } from '../base/l10n';
import type { Highlighter } from '../highlight/highlighter';
import { DraftSync } from './draftSync';
import { EarlyMessages } from './earlyMessages';
import { type HostConnection, RequestFailure } from './hostConnection';
import { type FocusEvents, PageFocus } from './pageFocus';
import {
  applyPageChange,
  applySnapshot,
  cancelEditing,
  createPageState,
  type PageState,
  recallMessage,
  setText,
  startEditing,
} from './state';

const announce = {
  complete: t('Reply complete'),
  stopped: t('Reply stopped'),
  interrupted: t('Reply interrupted'),
} as const;

/** What components listen to. */
interface PageEvents extends FocusEvents {
  /** A chunk of a reply: appended directly, so that a chunk renders no component. */
  readonly chunk: { readonly turnId: string; readonly text: string };
  /** A prompt was chosen outside of the composer. */
  readonly usePrompt: { readonly id: string; readonly name: string };
  /** The list of mentions is to open at the caret. */
  readonly mention: undefined;
}

/** Holds the page's state, renders it when it changes, and posts the user's intents to the host. */
export class PanelController {
  readonly events = new Events<PageEvents>();
  readonly #host: HostConnection;
  readonly #highlighter: Highlighter;
  readonly #onRender: (state: PageState) => void;
  readonly #drafts: DraftSync;
  readonly #earlyMessages = new EarlyMessages();
  readonly #focus: PageFocus;
  #state: PageState | undefined;
  #openedHit: { readonly turnId: string; readonly query: string } | undefined;

  constructor(host: HostConnection, highlighter: Highlighter, render: (state: PageState) => void) {
    this.#host = host;
    this.#highlighter = highlighter;
    this.#onRender = render;
    this.#drafts = new DraftSync(host, () => this.#postDraft());
    const { events } = host;
    events.on('snapshot', ({ state }) => this.#applySnapshot(state));
    events.on('delta', ({ changes }) => this.#applyChanges(changes));
    this.#focus = new PageFocus(events, {
      events: this.events,
      hasDocuments: () => this.#state?.panel.conversation.turns.some((turn) => turn.kind === 'document'),
      announce: (text) => this.announce(text),
    });
    events.on('copySelection', () => this.showFailureOf(this.#copySelection()));
  }

  /** Starts to receive the host's messages, and tells the host whether the page has the focus. */
  connect(): void {
    window.addEventListener('blur', () => this.#postDraft());
    document.addEventListener('visibilitychange', () => this.#postDraft());
    this.#host.connect();
    const postFocus = () => this.post({ type: 'focused', on: document.hasFocus() });
    window.addEventListener('focus', postFocus);
    window.addEventListener('blur', postFocus);
    // Also posted without focus: a page that had it may have been closed without saying so.
    postFocus();
  }

  #applySnapshot(panel: PanelState): void {
    if (panel.codeTheme) this.#highlighter.setTheme(panel.codeTheme);
    if (this.#state && this.#state.panel.conversation.id !== panel.conversation.id)
      this.#state = this.#drafts.leave(this.#state);
    this.#state = this.#drafts.restoreDraft(
      this.#state ? applySnapshot(this.#state, panel) : createPageState(panel),
    );
    this.#render();
  }

  #applyChanges(changes: readonly Change[]): void {
    let needsRender = false;
    for (const change of changes) {
      if (!this.#state) return;
      if (change.type === 'conversation') this.#state = this.#drafts.leave(this.#state);
      this.#state = applyPageChange(this.#state, change);
      if (change.type === 'chunk') this.events.fire('chunk', change);
      else needsRender = true;
      this.#afterChange(change, this.#state);
    }
    if (needsRender) this.#render();
  }

  #afterChange(change: Change, state: PageState): void {
    switch (change.type) {
      case 'codeTheme':
        if (change.codeTheme) this.#highlighter.setTheme(change.codeTheme);
        break;
      case 'conversation':
        this.#state = this.#drafts.restoreDraft(state);
        break;
      case 'conversations':
        this.#drafts.removeDeleted(change.conversations, state);
        break;
      case 'draft':
        this.#drafts.save(state);
        break;
      case 'draftSaved':
        this.#drafts.confirm(change.text, state);
        break;
      case 'sent':
        this.#drafts.save(state);
        this.#drafts.restoreOnHost(state);
        this.#sendNext(state);
        break;
      case 'notSent':
        this.#drafts.save(state);
        this.#earlyMessages.clear();
        break;
      case 'ended':
        if (change.ending !== 'failed') this.announce(announce[change.ending]);
    }
  }

  /** Moves the focus to the text box, or to the current step of the setup. */
  focusComposer(): void {
    this.#focus.focusComposer();
  }

  /**
   * Calls the listener when the documents are to get the focus, and at once if that was requested before they were
   * rendered. Returns the function that removes it.
   */
  onShowDocuments(listener: () => void): () => void {
    return this.#focus.onShowDocuments(listener);
  }

  async #copySelection(): Promise<void> {
    const { selectionToMarkdown } = await importWithRetries(
      () => import('../markdown/serialize/copyMarkdown'),
    );
    const turns = this.#state?.panel.conversation.turns ?? [];
    const text = selectionToMarkdown(document.getSelection(), (turnId) => {
      const turn = turns.find(({ id }) => id === turnId);
      return turn && turn.kind !== 'document' ? turn.text : undefined;
    });
    if (text === '') return;
    this.post({ type: 'copy', text });
    this.announce(t('Copied'));
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

  /** Shows the failure if the host couldn't do what the user asked for, or a script couldn't be loaded. */
  async showFailureOf(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof RequestFailure || error instanceof ScriptFailure)) throw error;
      if (!this.#state) return;
      this.#state = { ...this.#state, failure: error.message };
      this.#render();
    }
  }

  closeFailure(): void {
    if (!this.#state) return;
    const { failure: _, ...rest } = this.#state;
    this.#state = rest;
    this.#render();
    this.focusComposer();
  }

  setText(text: string): void {
    if (!this.#state) return;
    this.#state = setText(this.#state, text);
    this.#drafts.save(this.#state);
    this.#render();
  }

  /** Opens a search hit; its words are highlighted when the turn is shown. */
  openHit({ conversationId, turnId }: SearchHit, query: string): void {
    this.#openedHit = { turnId, query };
    this.post({ type: 'openTurn', conversationId, turnId });
  }

  /** Scrolls to a turn, which may still have to be rendered, and moves the focus to it. */
  goToTurn(turnId: string): void {
    if (!this.#state) return;
    this.#state = { ...this.#state, reveal: { turnId, focus: true } };
    this.#render();
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
  editMessage(turnId: string, text: string): void {
    if (!this.#state || this.#state.composer.sending !== undefined) return;
    this.#postDraft();
    this.#state = startEditing(this.#state, turnId, text);
    this.#drafts.save(this.#state);
    this.#render();
    this.focusComposer();
  }

  cancelEdit(): void {
    if (!this.#state) return;
    this.#state = cancelEditing(this.#state);
    this.#drafts.save(this.#state);
    this.#render();
    this.focusComposer();
  }

  /** Ends editing after the text went to a fork, whether or not the page shows that yet. */
  endEdit(conversationId: string, text: string): void {
    const { panel, composer } = this.#state ?? {};
    if (panel?.conversation.id !== conversationId) this.#host.saveDraft(conversationId, undefined);
    // Text that was typed since stays.
    else if (composer?.text === text) this.cancelEdit();
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
    else this.#earlyMessages.add(this.#state, time);
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
    this.#state = { ...this.#state, composer: { ...composer, sending: text } };
    // The host may not get it, and a reload must not bring it back as a draft once it is sent.
    this.#drafts.save(this.#state);
    this.#render();
  }

  /** Sends the next message that was typed while the previous one was being sent. */
  #sendNext(state: PageState): void {
    const next = this.#earlyMessages.takeNext(state);
    if (next) this.#sendText(next.text, undefined, next.time);
  }

  stopReply(): void {
    if (!this.#state) return;
    this.post({ type: 'stop', conversationId: this.#state.panel.conversation.id });
    this.focusComposer();
  }

  #render(): void {
    const state = this.#state;
    if (state) this.#focus.keepFocusDuring(() => this.#onRender(state));
  }

  #postDraft(): void {
    if (this.#state) this.#state = this.#drafts.post(this.#state);
  }
}
