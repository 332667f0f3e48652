import type { ChatEvent } from '../model/chatEvent';
import type { About, Conversation, DocumentFocus, ListedDocuments, SourceState } from '../model/conversation';
import type { MutableConversation } from '../model/conversationChange';

/** The documents of open conversations, as the service reports them. */
export class DocumentStore {
  readonly #findConversation: (id: string) => MutableConversation | undefined;
  readonly #update: (id: string, about: Pick<About, 'excluded'>) => void;
  readonly #fireChatEvent: (event: ChatEvent) => void;

  /** `update` updates a conversation's properties and saves them. */
  constructor(
    findConversation: (id: string) => MutableConversation | undefined,
    update: (id: string, about: Pick<About, 'excluded'>) => void,
    fireChatEvent: (event: ChatEvent) => void,
  ) {
    this.#findConversation = findConversation;
    this.#update = update;
    this.#fireChatEvent = fireChatEvent;
  }

  /** Stores which documents the service lists for a conversation; undefined if it isn't known. */
  setListed(id: string, listed: ListedDocuments | undefined): void {
    const conversation = this.#findConversation(id);
    if (!conversation || JSON.stringify(conversation.listed) === JSON.stringify(listed)) return;
    if (listed) conversation.listed = listed;
    else delete conversation.listed;
    this.#fireChatEvent({ type: 'documents', conversationId: id });
  }

  /** Stores how a file that replies were made from is now. */
  setSourceState(id: string, uri: string, state: SourceState): void {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    if (JSON.stringify(conversation.sourceStates?.get(uri)) === JSON.stringify(state)) return;
    conversation.sourceStates = new Map(conversation.sourceStates).set(uri, state);
    this.#fireChatEvent({ type: 'sourceFile', conversationId: id, uri });
  }

  /** Stores which documents the bot may answer from; `excluded` are the known others. */
  setFocus(
    id: string,
    focus: DocumentFocus | undefined,
    excluded: NonNullable<Conversation['excluded']>,
  ): void {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    const before = JSON.stringify([conversation.focus, conversation.excluded ?? []]);
    if (before === JSON.stringify([focus, excluded])) return;
    if (focus) conversation.focus = focus;
    else delete conversation.focus;
    if (JSON.stringify(conversation.excluded ?? []) !== JSON.stringify(excluded))
      this.#update(id, { excluded });
    this.#fireChatEvent({ type: 'focus', conversationId: id });
  }
}
