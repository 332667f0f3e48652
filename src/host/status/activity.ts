import { Emitter } from '../../chat/base/emitter';
import type { Chat } from '../../chat/conversations/chat';
import type { ChatEvent } from '../../chat/model/chatEvent';
import { isStreaming } from '../../chat/model/conversation';
import type { ReplyTurn } from '../../chat/model/turn';

/** A reply that was streamed in this window and has ended. */
export interface EndedReply {
  readonly conversationId: string;
  readonly turn: ReplyTurn;
}

/** Tracks the replies that this window is streaming and the conversations with unseen replies. */
export class Activity {
  readonly #chat: Pick<Chat, 'findConversation' | 'listConversations' | 'onChatEvent'>;
  readonly #streaming = new Set<string>();
  readonly #changes = new Emitter<void>();
  readonly #endings = new Emitter<EndedReply>();
  readonly #subscription: { dispose(): void };
  readonly onDidChange = this.#changes.on;
  readonly onDidEnd = this.#endings.on;

  constructor(chat: Pick<Chat, 'findConversation' | 'listConversations' | 'onChatEvent' | 'whenListed'>) {
    this.#chat = chat;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
    void chat.whenListed.then(() => this.#changes.fire());
  }

  /** The number of conversations in which this window is streaming a reply. */
  get streaming(): number {
    return this.#streaming.size;
  }

  /** The number of conversations with a reply that no page has shown, of those loaded so far. */
  get unseen(): number {
    return this.#chat.listConversations().filter(({ unread }) => unread).length;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changes.dispose();
    this.#endings.dispose();
  }

  #handleEvent(event: ChatEvent): void {
    const { conversationId } = event;
    switch (event.type) {
      case 'turn': {
        const conversation = this.#chat.findConversation(conversationId);
        if (event.turn.kind !== 'reply' || !conversation || conversation.heldByOtherWindow) return;
        if (!isStreaming(conversation)) return;
        this.#streaming.add(conversationId);
        this.#changes.fire();
        break;
      }
      case 'ended':
        // The `changed` event that follows says whether a page has shown it.
        if (this.#streaming.delete(conversationId)) this.#endings.fire({ conversationId, turn: event.turn });
        break;
      case 'changed':
      case 'deleted':
        if (event.type === 'deleted') this.#streaming.delete(conversationId);
        this.#changes.fire();
    }
  }
}
