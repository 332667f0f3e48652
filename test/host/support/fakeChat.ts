import { Emitter } from '../../../src/chat/base/emitter';
import type { ChatEvent } from '../../../src/chat/model/chatEvent';
import { type Conversation, summarize } from '../../../src/chat/model/conversation';
import type { ConversationSummary } from '../../../src/shared/view/viewModel';

/** A fake chat for tests of what shows conversations: tests set the conversations and fire the events. */
export class FakeChat {
  readonly conversations = new Map<string, Conversation>();
  readonly deletedIds = new Set<string>();
  readonly events = new Emitter<ChatEvent>();
  readonly onChatEvent = this.events.on;
  readonly queues = { setEditing: () => undefined };
  readonly whenListed = Promise.resolve();

  findConversation(id: string): Conversation | undefined {
    return this.conversations.get(id);
  }

  openConversation(id: string): Promise<Conversation | undefined> {
    return this.openWhole(id);
  }

  async openWhole(id: string): Promise<Conversation | undefined> {
    return this.findConversation(id);
  }

  readConversation(id: string): Promise<Conversation | undefined> {
    return this.openWhole(id);
  }

  async load(): Promise<void> {
    await Promise.resolve();
  }

  getSummary(id: string): ConversationSummary | undefined {
    const conversation = this.findConversation(id);
    return conversation && summarize(conversation);
  }

  async getUsedIds(): Promise<ReadonlySet<string>> {
    return new Set([...this.deletedIds, ...this.conversations.keys()]);
  }

  importConversation(conversation: Conversation): void {
    this.conversations.set(conversation.id, conversation);
    this.events.fire({ type: 'created', conversationId: conversation.id });
  }
}
