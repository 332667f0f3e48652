import type { ContextChip } from '../../shared/conversation/message';
import { joinTexts } from '../../shared/text/joinTexts';
import type { QueuedEdit } from '../../shared/view/viewModel';
import type { ChatEvent } from '../model/chatEvent';
import {
  type ComposedMessage,
  type ComposerState,
  EMPTY_COMPOSER,
  type SentMessage,
} from '../model/composerState';
import type { MutableConversation } from '../model/conversationChange';
import type { ConversationStore } from '../store/store';

/**
 * The contents of the composers of open conversations, kept across restarts. A window writes them only after something was
 * entered or sent in it, and not because of what another one did, whose draft it would overwrite.
 */
export class ComposerStore {
  readonly #store: ConversationStore;
  readonly #findConversation: (id: string) => MutableConversation | undefined;
  readonly #fireChatEvent: (event: ChatEvent) => void;
  /** What was sent and has left the composers, but not their files: its turn isn't on disk yet, and a crash must not lose it. */
  readonly #sent = new Map<string, readonly ComposedMessage[]>();
  /** IDs of the conversations in which the text in the editor of a queued message was typed in this window. */
  readonly #edited = new Set<string>();
  /** IDs of those in which such a text, typed elsewhere, was put into the draft, and nothing was written since. */
  readonly #unwritten = new Set<string>();

  constructor(
    store: ConversationStore,
    findConversation: (id: string) => MutableConversation | undefined,
    fireChatEvent: (event: ChatEvent) => void,
  ) {
    this.#store = store;
    this.#findConversation = findConversation;
    this.#fireChatEvent = fireChatEvent;
  }

  /** Returns the draft of a conversation, even if it was never created. */
  getDraft(id: string): Promise<string> {
    return this.#store.drafts.get(id);
  }

  /** Stores the draft. `page`: the one in whose composer it was changed, which has it already. */
  setDraft(id: string, text: string, page?: object): void {
    const conversation = this.#findConversation(id);
    if (!conversation || conversation.draft === text) return;
    conversation.draft = text;
    this.#storeDraft(id);
    this.#fireChatEvent({ type: 'draft', conversationId: id, text, ...(page && { page }) });
  }

  /** Stores the composer's contents other than the draft. */
  setState(id: string, change: Partial<Omit<ComposerState, 'queuedEdit'>>): void {
    if (this.#storeState(id, change)) this.#fireChatEvent({ type: 'composing', conversationId: id });
  }

  /** Stores the text in the editor of a queued message; undefined if it is saved or discarded. */
  setQueuedEdit(id: string, queuedEdit: QueuedEdit | undefined): void {
    if (!this.#storeState(id, { queuedEdit })) return;
    this.#edited.add(id);
    this.#fireChatEvent({ type: 'queue', conversationId: id });
  }

  addContext(id: string, chips: readonly ContextChip[]): void {
    const context = this.#findConversation(id)?.composing?.context ?? [];
    this.setState(id, { context: [...context, ...chips] });
  }

  removeContext(id: string, chipIds: readonly string[]): void {
    const context = this.#findConversation(id)?.composing?.context ?? [];
    const left = context.filter((chip) => !chipIds.includes(chip.id));
    if (left.length < context.length) this.setState(id, { context: left });
  }

  /** Removes what is stored elsewhere now from the composer; anything added since stays. */
  removeSent(id: string, message: SentMessage): void {
    this.takeSent(id, message);
    this.#setSent(
      id,
      this.#getSent(id).filter((each) => each !== message),
    );
    this.#removeFromFiles(id);
  }

  /** As `removeSent`, for a message that is about to become a turn: it stays in the files until its turn is on disk. */
  takeSent(id: string, message: SentMessage): void {
    this.#setSent(id, [...this.#getSent(id), message]);
    const { text, context, page } = message;
    const { draft = '' } = this.#findConversation(id) ?? {};
    if (draft.startsWith(text)) this.setDraft(id, draft.slice(text.length), page);
    this.removeContext(
      id,
      context.map((chip) => chip.id),
    );
  }

  /** Returns whether only the files have what was sent, because its turn isn't on disk yet. */
  hasSent(id: string): boolean {
    return this.#sent.has(id);
  }

  /**
   * Removes what was sent from the files too, unless another window has written them since. Called whenever the turns of a
   * conversation are on disk.
   */
  forgetSent(id: string): void {
    if (this.#sent.delete(id)) this.#removeFromFiles(id);
  }

  appendToDraft(id: string, text: string): void {
    this.setDraft(id, joinTexts(this.#findConversation(id)?.draft.trimEnd() ?? '', text));
  }

  /**
   * Returns a message that was refused, or isn't sent, to the composer, before anything written since. `taken` is what
   * `takeSent` got.
   */
  returnUnsent(id: string, { text, context }: ComposedMessage, taken?: ComposedMessage): void {
    this.#setSent(
      id,
      this.#getSent(id).filter((each) => each !== taken),
    );
    const { draft = '', composing } = this.#findConversation(id) ?? {};
    this.setDraft(id, joinTexts(text, draft));
    if (context.length > 0) {
      this.setState(id, { context: [...context, ...(composing?.context ?? [])] });
    }
  }

  /**
   * Moves the text in the editor of a queued message that has left the queue to the draft, unless it was sent. If it was
   * typed in another window, or before this one was reloaded, only shows it there: the files still have it, or what that
   * window made of it.
   */
  returnQueuedEdit(id: string, edit: QueuedEdit): void {
    const conversation = this.#findConversation(id);
    if (!conversation || conversation.composing?.queuedEdit !== edit) return;
    const { composing, draft, turns } = conversation;
    const turn = turns.find((each) => each.id === edit.messageId);
    const isSent = turn?.kind === 'message' && turn.text.includes(edit.text);
    conversation.composing = { ...EMPTY_COMPOSER, ...composing, queuedEdit: undefined };
    if (!isSent) {
      conversation.draft = joinTexts(edit.text, draft);
      this.#unwritten.add(id);
    }
    if (this.#edited.delete(id)) this.#storeState(id, {});
    if (!isSent) this.#fireChatEvent({ type: 'draft', conversationId: id, text: conversation.draft });
    this.#fireChatEvent({ type: 'queue', conversationId: id });
  }

  #storeDraft(id: string): void {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    this.#store.drafts.set(id, this.#addSentTexts(id, conversation.draft));
    if (this.#unwritten.delete(id)) this.#storeState(id, {});
  }

  #storeState(id: string, change: Partial<ComposerState>): boolean {
    const conversation = this.#findConversation(id);
    if (!conversation) return false;
    conversation.composing = { ...EMPTY_COMPOSER, ...conversation.composing, ...change };
    this.#store.composers.set(id, this.#addSentChips(id, conversation.composing));
    if (this.#unwritten.delete(id)) this.#storeDraft(id);
    return true;
  }

  /** Removes what was sent from the files, unless another window has written them since. */
  #removeFromFiles(id: string): void {
    const { draft, composing } = this.#findConversation(id) ?? {};
    if (draft !== undefined) this.#store.drafts.replaceOwn(id, this.#addSentTexts(id, draft));
    if (composing) this.#store.composers.replaceOwn(id, this.#addSentChips(id, composing));
  }

  #getSent(id: string): readonly ComposedMessage[] {
    return this.#sent.get(id) ?? [];
  }

  #setSent(id: string, sent: readonly ComposedMessage[]): void {
    if (sent.length > 0) this.#sent.set(id, sent);
    else this.#sent.delete(id);
  }

  #addSentTexts(id: string, draft: string): string {
    return joinTexts(...this.#getSent(id).map(({ text }) => text), draft);
  }

  #addSentChips(id: string, composing: ComposerState): ComposerState {
    const sent = this.#getSent(id).flatMap(({ context }) => context);
    return { ...composing, context: [...sent, ...composing.context] };
  }

  /**
   * Restores everything except the draft, after a conversation was opened or created with its old ID. If it can't be read
   * now, adds it once it can be.
   */
  async restoreComposer(id: string): Promise<void> {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    // They are about what was closed, and the draft has what was sent.
    for (const ids of [this.#sent, this.#edited, this.#unwritten]) ids.delete(id);
    try {
      conversation.composing = await this.#store.composers.get(id);
    } catch (error) {
      this.#store.reportError(error);
      this.#store.composers.readAgain(id, (stored) => this.#addStored(id, stored));
    }
  }

  /** Adds what couldn't be read before to what has been entered since. */
  #addStored(id: string, stored: ComposerState): void {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    const { composing } = conversation;
    if (!composing) conversation.composing = stored;
    else {
      const { queuedEdit = stored.queuedEdit } = composing;
      this.#storeState(id, {
        context: [...stored.context, ...composing.context],
        webSearch: stored.webSearch || composing.webSearch,
        queuedEdit,
      });
      // There is only one editor.
      if (stored.queuedEdit && queuedEdit !== stored.queuedEdit)
        this.returnUnsent(id, { text: stored.queuedEdit.text, context: [] });
    }
    this.#fireChatEvent({ type: 'composing', conversationId: id });
    this.#fireChatEvent({ type: 'queue', conversationId: id });
  }
}
