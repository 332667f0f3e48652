import { Emitter } from '../../chat/base/emitter';
import type { Chat } from '../../chat/conversations/chat';
import { isStreaming, type ReplyTurn } from '../../chat/model/conversation';
import type { ChatEvent } from '../../chat/model/events';

/** A reply of this window that has ended. */
export interface EndedReply {
  readonly conversationId: string;
  readonly turn: ReplyTurn;
}

/** What goes on in the conversations: the replies that this window streams, and how many ended unseen. */
export class Activity {
  readonly #chat: Pick<Chat, 'find' | 'list' | 'onEvent'>;
  readonly #streaming = new Set<string>();
  readonly #changes = new Emitter<void>();
  readonly #endings = new Emitter<EndedReply>();
  readonly #listening: { dispose(): void };
  readonly onDidChange = this.#changes.on;
  readonly onDidEnd = this.#endings.on;

  constructor(chat: Pick<Chat, 'find' | 'list' | 'onEvent'>) {
    this.#chat = chat;
    this.#listening = chat.onEvent((event) => this.#follow(event));
  }

  /** Conversations in which a reply streams; another window's are its own. */
  get streaming(): number {
    return this.#streaming.size;
  }

  /** Conversations with a reply that no page has shown, as far as the list was read. */
  get unseen(): number {
    return this.#chat.list().filter(({ unread }) => unread).length;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
    this.#endings.dispose();
  }

  #follow(event: ChatEvent): void {
    const { conversationId } = event;
    switch (event.type) {
      case 'turn': {
        const conversation = this.#chat.find(conversationId);
        if (event.turn.kind !== 'reply' || !conversation || conversation.heldElsewhere) return;
        if (!isStreaming(conversation)) return;
        this.#streaming.add(conversationId);
        this.#changes.fire();
        break;
      }
      case 'ended':
        // Whether a page has shown it comes as `changed`, a moment later.
        if (this.#streaming.delete(conversationId)) this.#endings.fire({ conversationId, turn: event.turn });
        break;
      case 'changed':
      case 'deleted':
        if (event.type === 'deleted') this.#streaming.delete(conversationId);
        this.#changes.fire();
    }
  }
}
