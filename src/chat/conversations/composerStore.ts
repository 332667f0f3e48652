import type { ContextChip } from '../../shared/conversation/message';
import type { QueuedEdit } from '../../shared/view/viewModel';
import type { ChatEvent } from '../model/chatEvent';
import { type ComposedMessage, type ComposerState, EMPTY_COMPOSER } from '../model/composerState';
import type { MutableConversation } from '../model/conversationChange';
import type { ConversationStore } from '../store/store';

/** The contents of the composers of open conversations, kept across restarts. */
export class ComposerStore {
  readonly #store: ConversationStore;
  readonly #findConversation: (id: string) => MutableConversation | undefined;
  readonly #fireChatEvent: (event: ChatEvent) => void;
  /** What was sent and has left the composers, but not their files: its turn isn't on disk yet, and a crash must not lose it. */
  readonly #sent = new Map<string, ComposedMessage>();

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

  /** Stores the draft; `announce` if the change did not come from the composer itself. */
  setDraft(id: string, text: string, announce = false): void {
    const conversation = this.#findConversation(id);
    if (!conversation || conversation.draft === text) return;
    conversation.draft = text;
    this.#storeDraft(id);
    this.#fireChatEvent({ type: 'draft', conversationId: id, text, announce });
  }

  /** Stores the composer's contents other than the draft. */
  setState(id: string, change: Partial<Omit<ComposerState, 'queuedEdit'>>): void {
    if (this.#storeState(id, change)) this.#fireChatEvent({ type: 'composing', conversationId: id });
  }

  /** Stores the text in the editor of a queued message; undefined if it is saved or discarded. */
  setQueuedEdit(id: string, queuedEdit: QueuedEdit | undefined): void {
    if (this.#storeState(id, { queuedEdit })) this.#fireChatEvent({ type: 'queue', conversationId: id });
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

  /**
   * Removes what became a message from the composer; anything added since stays. `announce` if it wasn't sent from the
   * composer itself.
   */
  removeSent(id: string, { text, context }: ComposedMessage, announce = false): void {
    const { draft = '' } = this.#findConversation(id) ?? {};
    if (draft.startsWith(text)) this.setDraft(id, draft.slice(text.length), announce);
    this.removeContext(
      id,
      context.map((chip) => chip.id),
    );
  }

  /** As `removeSent`, for a message that is about to become a turn: it stays in the files until its turn is on disk. */
  takeSent(id: string, message: ComposedMessage): void {
    const { text = '', context = [] } = this.#sent.get(id) ?? {};
    this.#sent.set(id, {
      text: joinTexts(text, message.text),
      context: [...context, ...message.context],
    });
    this.removeSent(id, message);
  }

  /** Removes what was sent from the files too. Called whenever the turns of a conversation are on disk. */
  forgetSent(id: string): void {
    const sent = this.#sent.get(id);
    this.#sent.delete(id);
    if (sent?.text) this.#storeDraft(id);
    if (sent?.context.length) this.#storeState(id, {});
  }

  /** Returns a message that was refused, or isn't sent, to the composer, before anything written since. */
  returnUnsent(id: string, { text, context }: ComposedMessage): void {
    const { draft = '', composing } = this.#findConversation(id) ?? {};
    this.setDraft(id, joinTexts(text, draft), true);
    if (context.length > 0) {
      this.setState(id, { context: [...context, ...(composing?.context ?? [])] });
    }
  }

  /** Moves the text in the editor of a queued message to the draft if another text was sent from the queue. */
  returnQueuedEdit(id: string): void {
    const { composing, turns = [] } = this.#findConversation(id) ?? {};
    const edit = composing?.queuedEdit;
    const turn = turns.find((each) => each.id === edit?.messageId);
    if (!edit || turn?.kind !== 'message') return;
    if (!turn.text.includes(edit.text)) this.returnUnsent(id, { text: edit.text, context: [] });
    this.setQueuedEdit(id, undefined);
  }

  #storeDraft(id: string): void {
    const conversation = this.#findConversation(id);
    if (conversation)
      this.#store.drafts.set(id, joinTexts(this.#sent.get(id)?.text ?? '', conversation.draft));
  }

  #storeState(id: string, change: Partial<ComposerState>): boolean {
    const conversation = this.#findConversation(id);
    if (!conversation) return false;
    conversation.composing = { ...EMPTY_COMPOSER, ...conversation.composing, ...change };
    const { context = [] } = this.#sent.get(id) ?? {};
    const { composing } = conversation;
    this.#store.composers.set(id, { ...composing, context: [...context, ...composing.context] });
    return true;
  }

  /**
   * Restores everything except the draft, after a conversation was opened or created with its old ID. If it can't be read
   * now, adds it once it can be.
   */
  async restoreComposer(id: string): Promise<void> {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    try {
      conversation.composing = await this.#store.composers.get(id);
    } catch (error) {
      this.#store.reportError(error);
      this.#store.composers.readAgain(id, (stored) => this.#addStored(id, stored));
    }
  }

  /** Adds what couldn't be read before to what has been entered since. */
  #addStored(id: string, stored: ComposerState): void {
    const { context, webSearch, queuedEdit } = this.#findConversation(id)?.composing ?? EMPTY_COMPOSER;
    this.setState(id, {
      context: [...stored.context, ...context],
      webSearch: stored.webSearch || webSearch,
    });
    this.setQueuedEdit(id, queuedEdit ?? stored.queuedEdit);
    this.returnQueuedEdit(id);
  }
}

function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
