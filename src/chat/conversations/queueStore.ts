import { Mutex } from '../base/mutex';
import type { ChatEvent } from '../model/chatEvent';
import type { Conversation } from '../model/conversation';
import type { MutableConversation } from '../model/conversationChange';
import type { PauseReason, Queue, QueuedMessage } from '../model/queuedMessage';
import type { ConversationStore } from '../store/store';
import type { WritePermission } from './writePermissions';

type Change = (messages: readonly QueuedMessage[]) => readonly QueuedMessage[];

/**
 * The queues of open conversations and their files. Every change starts from the file, because other windows
 * change queues too, and shows only once it is on disk. The exception is sending: a sent message leaves the
 * queue at once, while its turn is still being written.
 */
export class QueueStore {
  readonly #store: ConversationStore;
  readonly #findConversation: (id: string) => MutableConversation | undefined;
  readonly #fireChatEvent: (event: ChatEvent) => void;
  readonly #mutex = new Mutex();
  /** IDs of the messages that this window marked: it knows whether they were sent, so it doesn't show the marks. */
  readonly #sending = new Set<string>();
  /** The first reads of queues, by their conversations' IDs, until the queues could be read. */
  readonly #unread = new Map<string, Promise<void>>();
  #onWritten: (id: string, messages: readonly QueuedMessage[]) => Promise<void> = async () => undefined;

  constructor(
    store: ConversationStore,
    findConversation: (id: string) => MutableConversation | undefined,
    fireChatEvent: (event: ChatEvent) => void,
  ) {
    this.#store = store;
    this.#findConversation = findConversation;
    this.#fireChatEvent = fireChatEvent;
  }

  /** `onWritten` is called, and waited for, after each change of a file in this window. It must not reject. */
  setOnWritten(onWritten: (id: string, messages: readonly QueuedMessage[]) => Promise<void>): void {
    this.#onWritten = onWritten;
  }

  /** Returns whether a message is queued, or its queue couldn't be read yet. */
  mayHave(id: string, messageId: string): boolean {
    const { messages = [] } = this.#findConversation(id)?.queue ?? {};
    return this.#unread.has(id) || messages.some((message) => message.id === messageId);
  }

  /**
   * Changes the messages, and pauses the queue if given a reason. Returns false, with nothing changed, if it
   * can't be saved.
   */
  change(id: string, change: Change, paused?: PauseReason): Promise<boolean> {
    return this.#writeQueue(id, change, (messages) =>
      this.#setQueue(id, { messages, ...(paused && { paused }) }),
    );
  }

  /**
   * Stores that a message is about to be sent, which only the window that may write the conversation may do; returns false
   * if it is no longer queued or can't be saved. A mark by another window, or from before a crash, pauses the queue
   * instead, unless the user has confirmed to send the message again.
   */
  async markSending(
    { conversationId: id }: WritePermission,
    messageId: string,
    isConfirmed = false,
  ): Promise<boolean> {
    let found = false;
    let mayBeSent = false;
    const saved = await this.#writeQueue(
      id,
      (messages) => {
        const message = messages.find((each) => each.id === messageId);
        found = message !== undefined;
        mayBeSent = message?.sending === true && !this.#sending.has(messageId);
        return mayBeSent
          ? messages
          : messages.map((each) => (each === message ? { ...each, sending: true } : each));
      },
      (messages) => {
        if (!mayBeSent) this.#sending.add(messageId);
        // Another window may have changed the message that is sent now.
        const shown = this.#hideOwnMarks(messages);
        this.#setQueue(id, { messages: shown, ...(mayBeSent && !isConfirmed && { paused: 'maybeSent' }) });
      },
    );
    if (!saved) this.pause(id, 'unsaved');
    return saved && found && (isConfirmed || !mayBeSent);
  }

  /** Stores that a message wasn't sent. A mark that isn't this window's stays. */
  async unmarkSending(id: string, messageId: string): Promise<void> {
    if (!this.#sending.has(messageId)) return;
    const change: Change = (messages) =>
      messages.map((message) => (message.id === messageId ? removeMark(message) : message));
    if (await this.change(id, change)) this.#sending.delete(messageId);
  }

  /** Removes messages that have become turns from the queue. */
  removeSent(id: string): void {
    const conversation = this.#findConversation(id);
    const { messages = [] } = conversation?.queue ?? {};
    if (!conversation) return;
    const unsent = filterUnsent(conversation, messages);
    if (unsent.length === messages.length) return;
    // If their turns are lost, such as with a deletion that is undone, nobody knows whether they were sent.
    for (const message of messages) if (!unsent.includes(message)) this.#sending.delete(message.id);
    this.#setQueue(id, { messages: unsent });
    void this.change(id, (now) => now);
  }

  pause(id: string, paused: PauseReason): void {
    const queue = this.#findConversation(id)?.queue;
    if (queue && queue.paused !== paused) this.#setQueue(id, { paused });
  }

  resume(id: string): void {
    const conversation = this.#findConversation(id);
    if (!conversation?.queue?.paused) return;
    const { paused: _, ...queue } = conversation.queue;
    conversation.queue = queue;
    this.#fireChatEvent({ type: 'queue', conversationId: id });
  }

  /** Holds back the message that is being edited; undefined holds back none. */
  setEditing(id: string, messageId: string | undefined): void {
    const conversation = this.#findConversation(id);
    if (!conversation?.queue || conversation.queue.editing === messageId) return;
    const { editing: _, ...queue } = conversation.queue;
    conversation.queue = { ...queue, ...(messageId !== undefined && { editing: messageId }) };
    this.#fireChatEvent({ type: 'queue', conversationId: id });
  }

  /** Pauses the queue of a message that was being edited in a page that is gone or loaded again. */
  abandonEditing(id: string): void {
    if (this.#findConversation(id)?.queue?.editing === undefined) return;
    this.pause(id, 'reopened');
    this.setEditing(id, undefined);
  }

  /** After a reload: reads the queue of a conversation that was just opened, or created with its old ID, as paused. */
  async restoreQueue(id: string): Promise<void> {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    // It doesn't wait for changes of other queues, which may wait for another window.
    const reading = this.#store.queues
      .read(id)
      .then((stored) => {
        const messages = filterUnsent(conversation, stored);
        if (messages.length > 0) conversation.queue = { messages, paused: 'reopened' };
        this.#unread.delete(id);
      })
      .catch(this.#store.reportError);
    this.#unread.set(id, reading);
    await reading;
  }

  /** Reads the queue again after another window may have changed it. */
  async rereadQueue(id: string): Promise<void> {
    await this.#mutex.run(async () => {
      // Otherwise that would show what it read before.
      await this.#unread.get(id);
      const conversation = this.#findConversation(id);
      if (!conversation) return;
      const messages = this.#hideOwnMarks(filterUnsent(conversation, await this.#store.queues.read(id)));
      const { queue } = conversation;
      const isFirst = this.#unread.delete(id);
      if (!isFirst && JSON.stringify(messages) === JSON.stringify(queue?.messages ?? [])) return;
      // Messages queued by the other window are sent by it.
      this.#setQueue(id, { messages, ...(!queue && { paused: 'reopened' }) });
    });
  }

  /** Resolves when all changes so far are saved or have failed. */
  async whenSettled(): Promise<void> {
    await this.#mutex.run(async () => undefined);
  }

  #writeQueue(
    id: string,
    change: Change,
    show: (messages: readonly QueuedMessage[]) => void,
  ): Promise<boolean> {
    return this.#mutex.run(async () => {
      await this.#unread.get(id);
      const conversation = this.#findConversation(id);
      if (!conversation) return false;
      try {
        await this.#store.queues.runExclusively(id, async () => {
          const stored = await this.#store.queues.read(id);
          this.#unread.delete(id);
          const waiting = filterUnsent(conversation, stored);
          // They are from another window, or couldn't be read when the conversation was opened.
          if (!conversation.queue && waiting.length > 0)
            this.#setQueue(id, { messages: waiting, paused: 'reopened' });
          // Remove a sent message only once its turn is on disk: a crash in between must not lose it.
          const isInTranscript = waiting.length === stored.length || (await this.#isSaved(id));
          const messages = change(waiting);
          const sent = isInTranscript ? [] : stored.filter((message) => !waiting.includes(message));
          await this.#store.queues.write(id, [...sent, ...messages]);
          await this.#onWritten(id, [...sent, ...messages]);
          show(this.#hideOwnMarks(filterUnsent(conversation, messages)));
        });
        return true;
      } catch (error) {
        this.#store.reportError(error);
        return false;
      }
    });
  }

  async #isSaved(id: string): Promise<boolean> {
    // The conversation reports disk errors itself.
    return this.#store.flush(id).then(
      () => true,
      () => false,
    );
  }

  #hideOwnMarks(messages: readonly QueuedMessage[]): readonly QueuedMessage[] {
    return messages.map((message) => (this.#sending.has(message.id) ? removeMark(message) : message));
  }

  #setQueue(id: string, change: Partial<Queue>): void {
    const conversation = this.#findConversation(id);
    if (!conversation) return;
    const { editing, ...queue }: Queue = { messages: [], ...conversation.queue, ...change };
    const edits = editing !== undefined && queue.messages.some((message) => message.id === editing);
    if (queue.messages.length > 0) conversation.queue = edits ? { ...queue, editing } : queue;
    else delete conversation.queue;
    this.#fireChatEvent({ type: 'queue', conversationId: id });
  }
}

function filterUnsent({ turns }: Conversation, messages: readonly QueuedMessage[]): readonly QueuedMessage[] {
  if (messages.length === 0) return messages;
  const sent = new Set(turns.flatMap((turn) => (turn.kind === 'message' ? [turn.id] : [])));
  return messages.filter(({ id }) => !sent.has(id));
}

function removeMark({ sending: _, ...message }: QueuedMessage): QueuedMessage {
  return message;
}
