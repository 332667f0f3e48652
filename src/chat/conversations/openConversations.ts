import { createLazily } from '../base/lazy';
import type { ChatEvent } from '../model/chatEvent';
import type { Conversation } from '../model/conversation';
import {
  applyConversationChange,
  type ConversationChange,
  type MutableConversation,
} from '../model/conversationChange';
import type { Turn } from '../model/turn';
import type { ConversationStore } from '../store/store';

/** The conversations that are open in this window, with their turns. */
export class OpenConversations {
  readonly #store: ConversationStore;
  readonly #fireChatEvent: (event: ChatEvent) => void;
  readonly #conversations = new Map<string, MutableConversation>();
  /** IDs of those that had a file when they were opened, or got one since. */
  readonly #stored = new Set<string>();
  readonly #opening = new Map<string, Promise<Conversation | undefined>>();
  /** For conversations opened with only their last turns: functions that resolve when the earlier turns are loaded. */
  readonly #earlier = new WeakMap<Conversation, () => Promise<void>>();
  /** Callbacks to run once the earlier turns are loaded. */
  readonly #waiting = new WeakMap<Conversation, (() => void)[]>();

  constructor(store: ConversationStore, fireChatEvent: (event: ChatEvent) => void) {
    this.#store = store;
    this.#fireChatEvent = fireChatEvent;
  }

  get all(): MutableConversation[] {
    return [...this.#conversations.values()];
  }

  has(id: string): boolean {
    return this.#conversations.has(id);
  }

  findConversation(id: string): MutableConversation | undefined {
    return this.#conversations.get(id);
  }

  addConversation(conversation: MutableConversation): void {
    this.#conversations.set(conversation.id, conversation);
  }

  /** Returns whether it is open and has a file, which one from the service has before its turns. */
  isStored(id: string): boolean {
    return this.#stored.has(id);
  }

  setStored(id: string): void {
    this.#stored.add(id);
  }

  /** Returns false if it isn't open. */
  removeConversation(id: string): boolean {
    this.#stored.delete(id);
    return this.#conversations.delete(id);
  }

  /** Applies a change and fires its event, without saving it. */
  applyAndFire(conversation: MutableConversation, change: ConversationChange): ChatEvent {
    applyConversationChange(conversation, change);
    const event = { ...change, conversationId: conversation.id };
    this.#fireChatEvent(event);
    return event;
  }

  /**
   * Opens a conversation with its last turns; an `earlierTurns` event adds the rest, which are read again if that failed
   * before. `restore` is called before the conversation is returned for the first time. Throws file system errors.
   */
  openConversation(id: string, restore: (id: string) => Promise<void>): Promise<Conversation | undefined> {
    // It may be found before all of it is restored.
    const running = this.#opening.get(id);
    if (running) return running;
    const found = this.findConversation(id);
    if (found) {
      this.readEarlierTurns([found]);
      return Promise.resolve(found);
    }
    const opening = this.#read(id, restore).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  /** Reads the earlier turns of open conversations that aren't loaded. */
  readEarlierTurns(conversations: readonly Conversation[] = this.all): void {
    for (const each of conversations) this.whenWhole(each).catch(this.#store.reportError);
  }

  /** Resolves when all turns of an open conversation are loaded. Throws file system errors; the next call reads again. */
  async whenWhole(conversation: Conversation): Promise<void> {
    await this.#earlier.get(conversation)?.();
  }

  /** Calls `apply` once the earlier turns of a conversation are loaded. */
  applyLater(conversation: MutableConversation, apply: () => void): void {
    const waiting = this.#waiting.get(conversation);
    if (waiting) waiting.push(apply);
    else this.#waiting.set(conversation, [apply]);
  }

  async #read(id: string, restore: (id: string) => Promise<void>): Promise<Conversation | undefined> {
    const opened = await this.#store.openTranscript(id);
    if (opened?.kind !== 'conversation') return;
    const conversation: MutableConversation = {
      ...opened.conversation,
      ...(!opened.whole && { earlier: true }),
      ...(opened.heldBy && { heldByOtherWindow: true }),
    };
    this.addConversation(conversation);
    this.setStored(id);
    // Another window may have deleted it, or stopped writing it, before this one listened to its events.
    await this.#store.readFolderChanges(id);
    // A failure must not leave it open without what is restored next; the writer is checked again later.
    if (opened.heldBy) await this.#store.reportWriter(id).catch(this.#store.reportError);
    if (!this.has(id)) return;
    await restore(id);
    if (!opened.whole) {
      const readEarlier = createLazily(() => this.#readEarlier(conversation, opened.earlier));
      this.#earlier.set(conversation, readEarlier);
      this.readEarlierTurns([conversation]);
    }
    return conversation;
  }

  async #readEarlier(
    conversation: MutableConversation,
    read: () => Promise<{ readonly turns: readonly Turn[] }>,
  ): Promise<void> {
    const { turns } = await read();
    conversation.turns = [...turns, ...conversation.turns];
    conversation.earlier = false;
    this.#fireChatEvent({ type: 'earlierTurns', conversationId: conversation.id, turns });
    for (const apply of this.#waiting.get(conversation) ?? []) apply();
    this.#waiting.delete(conversation);
  }
}
