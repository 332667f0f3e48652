import { Mutex } from '../base/mutex';
import type { Conversation } from '../model/conversation';
import type { ChatEvent } from '../model/events';
import type { PauseReason, Queue, QueuedMessage } from '../model/queue';
import type { MutableConversation } from '../model/reduce';
import type { QueueFiles } from '../store/queueFiles';

type Change = (messages: readonly QueuedMessage[]) => readonly QueuedMessage[];

/**
 * The queues of conversations that are open, and their files. A change is on the disk before it shows; it begins with what the
 * disk has, because other windows change queues too. Only sending a message changes the queue first: its turn is written meanwhile.
 */
export class QueueStore {
  readonly #files: QueueFiles;
  readonly #find: (id: string) => MutableConversation | undefined;
  readonly #tell: (event: ChatEvent) => void;
  readonly #saved: (id: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #mutex = new Mutex();

  /** `saved` resolves once all that happened to a conversation is on the disk, and rejects where the disk refuses. */
  constructor(
    files: QueueFiles,
    find: (id: string) => MutableConversation | undefined,
    tell: (event: ChatEvent) => void,
    saved: (id: string) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#files = files;
    this.#find = find;
    this.#tell = tell;
    this.#saved = saved;
    this.#onError = onError;
  }

  /** Changes the messages, and pauses the queue with a reason; false where the disk refuses, and then nothing has changed. */
  change(id: string, change: Change, paused?: PauseReason): Promise<boolean> {
    return this.#write(id, change, (messages) => this.#set(id, { messages, ...(paused && { paused }) }));
  }

  /** Stores that a message is about to be sent; false where it isn't queued any more, or the disk refuses. */
  async markSending(id: string, messageId: string): Promise<boolean> {
    let found = false;
    const saved = await this.#write(
      id,
      (messages) => {
        found = messages.some((message) => message.id === messageId);
        return messages.map((message) =>
          message.id === messageId ? { ...message, sending: true } : message,
        );
      },
      // While this window is at it, it knows.
      () => undefined,
    );
    if (!saved) this.pause(id, 'unsaved');
    return saved && found;
  }

  /** Takes messages that have become turns out of the queue. */
  removeSent(id: string): void {
    const conversation = this.#find(id);
    const { messages = [] } = conversation?.queue ?? {};
    if (!conversation || removeSent(conversation, messages).length === messages.length) return;
    this.#set(id, { messages: removeSent(conversation, messages) });
    void this.change(id, (now) => now);
  }

  pause(id: string, paused: PauseReason): void {
    const queue = this.#find(id)?.queue;
    if (queue && queue.paused !== paused) this.#set(id, { paused });
  }

  resume(id: string): void {
    const conversation = this.#find(id);
    if (!conversation?.queue?.paused) return;
    const { paused: _, ...queue } = conversation.queue;
    conversation.queue = queue;
    this.#tell({ type: 'queue', conversationId: id });
  }

  /** Keeps a message from being sent while the person edits it; without one, none is. */
  setEditing(id: string, messageId: string | undefined): void {
    const conversation = this.#find(id);
    if (!conversation?.queue || conversation.queue.editing === messageId) return;
    const { editing: _, ...queue } = conversation.queue;
    conversation.queue = { ...queue, ...(messageId !== undefined && { editing: messageId }) };
    this.#tell({ type: 'queue', conversationId: id });
  }

  /** The page in which a message was edited is gone, and what was typed there with it: the queue waits for the person. */
  abandonEditing(id: string): void {
    if (this.#find(id)?.queue?.editing === undefined) return;
    this.pause(id, 'reopened');
    this.setEditing(id, undefined);
  }

  /** Reads the queue of a conversation that was opened, or created under its id, just now: it waits for the person. */
  async restore(id: string): Promise<void> {
    const conversation = this.#find(id);
    if (!conversation) return;
    try {
      const messages = removeSent(conversation, await this.#files.read(id));
      if (messages.length > 0) conversation.queue = { messages, paused: 'reopened' };
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Another window may have changed the queue. */
  async reload(id: string): Promise<void> {
    await this.#mutex.run(async () => {
      const conversation = this.#find(id);
      if (!conversation) return;
      const messages = removeSent(conversation, await this.#read(id));
      const { queue } = conversation;
      if (JSON.stringify(messages) === JSON.stringify(queue?.messages ?? [])) return;
      // What the other window queued is its own to send.
      this.#set(id, { messages, ...(!queue && { paused: 'reopened' }) });
    });
  }

  /** Resolves when all changes so far are on the disk, or were refused. */
  async settle(): Promise<void> {
    await this.#mutex.run(async () => undefined);
  }

  #write(id: string, change: Change, show: (messages: readonly QueuedMessage[]) => void): Promise<boolean> {
    return this.#mutex.run(async () => {
      const conversation = this.#find(id);
      if (!conversation) return false;
      try {
        await this.#files.runExclusively(id, async () => {
          const stored = await this.#read(id);
          const waiting = removeSent(conversation, stored);
          // What became a turn leaves the file once that is on the disk: a crash in between must not lose it.
          const isInTranscript = waiting.length === stored.length || (await this.#isSaved(id));
          const messages = change(waiting);
          const sent = isInTranscript ? [] : stored.filter((message) => !waiting.includes(message));
          await this.#files.write(id, [...sent, ...messages]);
          show(removeSent(conversation, messages));
        });
        return true;
      } catch (error) {
        this.#onError(error);
        return false;
      }
    });
  }

  async #isSaved(id: string): Promise<boolean> {
    // The conversation itself says what the disk refuses.
    return this.#saved(id).then(
      () => true,
      () => false,
    );
  }

  /** A message that this window is sending is not one that may have been sent. */
  async #read(id: string): Promise<readonly QueuedMessage[]> {
    const known = new Map(this.#find(id)?.queue?.messages.map((message) => [message.id, message]));
    return (await this.#files.read(id)).map((message) => {
      const { sending, ...rest } = message;
      return sending && !known.get(message.id)?.sending && known.has(message.id) ? rest : message;
    });
  }

  #set(id: string, change: Partial<Queue>): void {
    const conversation = this.#find(id);
    if (!conversation) return;
    const { editing, ...queue }: Queue = { messages: [], ...conversation.queue, ...change };
    const edits = editing !== undefined && queue.messages.some((message) => message.id === editing);
    if (queue.messages.length > 0) conversation.queue = edits ? { ...queue, editing } : queue;
    else delete conversation.queue;
    this.#tell({ type: 'queue', conversationId: id });
  }
}

function removeSent({ turns }: Conversation, messages: readonly QueuedMessage[]): readonly QueuedMessage[] {
  if (messages.length === 0) return messages;
  const sent = new Set(turns.flatMap((turn) => (turn.kind === 'message' ? [turn.id] : [])));
  return messages.filter(({ id }) => !sent.has(id));
}
