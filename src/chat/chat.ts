import { countCodePoints, MAX_MESSAGE_CODE_POINTS } from '../client/limits';
import type { Bot, Ending, MessageTurn } from '../shared/conversation';
import { orAborted } from './abort';
import {
  type Conversation,
  canRetry,
  type DocumentTurn,
  isStreaming,
  lastReply,
  nameFrom,
  type ReplyTurn,
  type Turn,
} from './conversation';
import { Emitter } from './emitter';
import type { ChatEvent } from './events';
import { type Failure, returnsText, toFailure } from './failure';
import type { Service } from './service';

export type SendResult = 'sent' | 'empty' | 'tooLong' | 'busy' | 'noBot';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** All conversations, and the replies in flight. One reply a conversation; conversations stream side by side. */
export class Chat {
  readonly #connect: () => Service;
  readonly #conversations = new Map<string, Mutable<Conversation>>();
  readonly #replies = new Map<string, AbortController>();
  readonly #creating = new Map<string, Promise<string>>();
  readonly #events = new Emitter<ChatEvent>();
  readonly onEvent = this.#events.on;

  constructor(connect: () => Service) {
    this.#connect = connect;
  }

  /** Conversations in which something was said, newest first. */
  list(): Conversation[] {
    const lastAt = (c: Conversation) => c.turns.at(-1)?.at ?? c.createdAt;
    return [...this.#conversations.values()]
      .filter((c) => c.turns.length > 0)
      .sort((a, b) => lastAt(b) - lastAt(a));
  }

  find(id: string): Conversation | undefined {
    return this.#conversations.get(id);
  }

  /** An empty conversation; `restored` has the id and the draft of one that a window took with it. */
  create(bot: Bot | undefined, restored?: { readonly id: string; readonly draft: string }): Conversation {
    const conversation: Conversation = {
      id: restored?.id ?? newId(),
      name: '',
      ...(bot && { bot }),
      turns: [],
      draft: restored?.draft ?? '',
      unread: false,
      pinned: false,
      createdAt: Date.now(),
    };
    this.#conversations.set(conversation.id, conversation);
    this.#events.fire({ type: 'created', conversationId: conversation.id });
    return conversation;
  }

  /** Takes in a conversation that was read from a file, with all its turns. */
  adopt(conversation: Conversation): void {
    this.#conversations.set(conversation.id, { ...conversation });
    this.#events.fire({ type: 'created', conversationId: conversation.id });
  }

  /** Remembers what stands in the composer; `announce` where it was not the composer that changed it. */
  setDraft(id: string, text: string, announce = false): void {
    const conversation = this.#conversations.get(id);
    if (!conversation) return;
    conversation.draft = text;
    this.#events.fire({ type: 'draft', conversationId: id, text, announce });
  }

  markRead(id: string): void {
    this.#setUnread(id, false);
  }

  setPinned(id: string, pinned: boolean): void {
    const conversation = this.#conversations.get(id);
    if (!conversation || conversation.pinned === pinned) return;
    conversation.pinned = pinned;
    this.#events.fire({ type: 'changed', conversationId: id });
  }

  /** Sends a message and streams the reply into the conversation. Takes the text, or says why not and changes nothing. */
  send(id: string, text: string): SendResult {
    const conversation = this.#conversations.get(id);
    if (!conversation?.bot) return 'noBot';
    if (text.trim() === '') return 'empty';
    if (countCodePoints(text) > MAX_MESSAGE_CODE_POINTS) return 'tooLong';
    if (isStreaming(conversation)) return 'busy';
    const message: MessageTurn = { kind: 'message', id: newId(), text, at: Date.now() };
    this.setDraft(id, '');
    this.#name(conversation, text);
    this.putTurn(id, message);
    this.#reply(conversation, message);
    return 'sent';
  }

  /** Asks again for the reply that failed or was interrupted, if it is the conversation's last. */
  retry(id: string, turnId: string): void {
    const conversation = this.#conversations.get(id);
    if (!conversation || !canRetry(conversation, turnId)) return;
    const reply = lastReply(conversation);
    const message = conversation.turns.find((turn) => turn.id === reply?.messageId);
    if (message?.kind !== 'message') return;
    // A partial reply stays where it is; an empty one gives way to the next.
    if (reply?.text === '') this.#removeTurn(conversation, turnId);
    this.#reply(conversation, message);
  }

  stop(id: string): void {
    this.#replies.get(id)?.abort();
  }

  /** Ends every reply: the window closes. */
  dispose(): void {
    for (const reply of this.#replies.values()) reply.abort();
    this.#events.dispose();
  }

  /** The conversation's id on the service, where it is created if need be; throws ServiceError. */
  async ensureRemote(id: string, service: Service, signal: AbortSignal): Promise<string> {
    const conversation = this.#conversations.get(id);
    if (!conversation?.bot) throw new Error(`No conversation ${id} with a bot`);
    if (conversation.remote?.baseUrl === service.baseUrl) return conversation.remote.id;
    let creating = this.#creating.get(id);
    if (!creating) {
      // A message and an upload may both be the first: they share one conversation, and neither's Stop breaks the other.
      creating = this.#createRemote(conversation, conversation.bot, service).finally(() =>
        this.#creating.delete(id),
      );
      this.#creating.set(id, creating);
    }
    return orAborted(creating, signal);
  }

  /** Renames on the service first, where it knows the conversation; throws ServiceError. */
  async rename(id: string, name: string): Promise<void> {
    await this.#update(id, { name });
  }

  /** Binds the conversation to another bot, on the service first; throws ServiceError. */
  async changeBot(id: string, bot: Bot): Promise<void> {
    await this.#update(id, { bot });
  }

  /** Deletes on the service first, then here; throws ServiceError. What the service no longer knows is deleted here. */
  async delete(id: string): Promise<void> {
    const conversation = this.#conversations.get(id);
    if (!conversation) return;
    this.stop(id);
    const service = this.#connect();
    if (conversation.remote?.baseUrl === service.baseUrl) {
      try {
        await service.client.deleteConversation(conversation.remote.id);
      } catch (error) {
        if (toFailure(error, Date.now()).code !== 'notFound') throw error;
      }
    }
    this.#conversations.delete(id);
    this.#events.fire({ type: 'deleted', conversationId: id });
  }

  /** Adds a turn, or replaces the one with its id. */
  putTurn(id: string, turn: Turn): void {
    const conversation = this.#conversations.get(id);
    if (!conversation) return;
    const index = conversation.turns.findLastIndex((other) => other.id === turn.id);
    conversation.turns = index < 0 ? [...conversation.turns, turn] : conversation.turns.with(index, turn);
    this.#events.fire({ type: 'turn', conversationId: id, turn });
  }

  /** Names a conversation that has no name yet after the file that came first. */
  putDocument(id: string, turn: DocumentTurn): void {
    const conversation = this.#conversations.get(id);
    if (!conversation) return;
    this.#name(conversation, turn.name);
    this.putTurn(id, turn);
  }

  #reply(conversation: Mutable<Conversation>, message: MessageTurn): void {
    const reply: Mutable<ReplyTurn> = {
      kind: 'reply',
      id: newId(),
      messageId: message.id,
      bot: conversation.bot?.name ?? '',
      text: '',
      at: Date.now(),
    };
    const controller = new AbortController();
    this.#replies.set(conversation.id, controller);
    this.putTurn(conversation.id, reply);
    void this.#stream(conversation, reply, message.text, controller.signal).finally(() => {
      if (this.#replies.get(conversation.id) === controller) this.#replies.delete(conversation.id);
    });
  }

  async #stream(
    conversation: Mutable<Conversation>,
    reply: Mutable<ReplyTurn>,
    content: string,
    signal: AbortSignal,
  ): Promise<void> {
    const conversationId = conversation.id;
    let sending = false;
    try {
      const service = this.#connect();
      const remoteId = await this.ensureRemote(conversationId, service, signal);
      sending = true;
      const stream = service.client.streamReply(
        { conversationId: remoteId, content },
        {
          signal,
          onSkipped: () => {
            reply.skipped = true;
          },
        },
      );
      for await (const text of stream) {
        reply.text += text;
        this.#events.fire({ type: 'chunk', conversationId, turnId: reply.id, text });
      }
      this.#end(conversation, reply, 'complete');
    } catch (error) {
      // Until the conversation exists, no message has left: it may be sent again.
      const failure = { ...toFailure(error, Date.now()), ...(!sending && { maySend: true }) };
      if (signal.aborted) this.#end(conversation, reply, 'stopped');
      else if (reply.text !== '' || failure.code === 'interrupted')
        this.#end(conversation, reply, 'interrupted', failure);
      else {
        this.#end(conversation, reply, 'failed', failure);
        if (returnsText(failure) && conversation.draft === '') {
          this.setDraft(conversationId, content, true);
        }
      }
    }
  }

  #end(conversation: Mutable<Conversation>, reply: ReplyTurn, ending: Ending, failure?: Failure): void {
    const ended: ReplyTurn = { ...reply, ending, ...(failure && { failure }) };
    const index = conversation.turns.findLastIndex((turn) => turn.id === reply.id);
    if (index >= 0) conversation.turns = conversation.turns.with(index, ended);
    // Unread first: a page that shows the ending takes the mark off again.
    conversation.unread = true;
    this.#events.fire({ type: 'ended', conversationId: conversation.id, turn: ended });
  }

  async #createRemote(conversation: Mutable<Conversation>, bot: Bot, service: Service): Promise<string> {
    const { id } = await service.client.createConversation({ name: conversation.name, botId: bot.id });
    conversation.remote = { baseUrl: service.baseUrl, id };
    return id;
  }

  async #update(id: string, change: { name?: string; bot?: Bot }): Promise<void> {
    const conversation = this.#conversations.get(id);
    if (!conversation) return;
    const { name, bot } = { ...conversation, ...change };
    const service = this.#connect();
    if (conversation.remote?.baseUrl === service.baseUrl && bot) {
      await service.client.updateConversation(conversation.remote.id, { name, botId: bot.id });
    }
    Object.assign(conversation, change);
    this.#events.fire({ type: 'changed', conversationId: id });
  }

  #name(conversation: Mutable<Conversation>, text: string): void {
    if (conversation.name !== '') return;
    conversation.name = nameFrom(text);
    this.#events.fire({ type: 'changed', conversationId: conversation.id });
  }

  #removeTurn(conversation: Mutable<Conversation>, turnId: string): void {
    conversation.turns = conversation.turns.filter((turn) => turn.id !== turnId);
    this.#events.fire({ type: 'turnRemoved', conversationId: conversation.id, turnId });
  }

  #setUnread(id: string, unread: boolean): void {
    const conversation = this.#conversations.get(id);
    if (!conversation || conversation.unread === unread) return;
    conversation.unread = unread;
    this.#events.fire({ type: 'changed', conversationId: id });
  }
}

function newId(): string {
  return crypto.randomUUID();
}
