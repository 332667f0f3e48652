import { ServiceError } from '../../client/serviceError';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import type { Ending } from '../../shared/viewModel';
import type { Chat } from '../conversations/chat';
import type { ComposedMessage } from '../model/composerState';
import {
  type Conversation,
  canRetry,
  isStreaming,
  lastReply,
  type MessageTurn,
  type ReplyTurn,
} from '../model/conversation';
import { type Failure, returnsText, toFailure } from '../model/failure';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Service } from '../remote/service';
import { findFailure, readReply } from '../remote/sources';

/** Where a message comes from: a composer, the queue, or an agent. */
export interface MessageOrigin extends Pick<MessageTurn, 'via' | 'webSearch'> {
  /** Of its turn; a new one unless it is given. */
  readonly id?: string;
  /** The message has become a turn. */
  onTaken?(): void;
  /** The service took nothing, and the text must change, or wait. */
  onRefused?(failure: Failure): void;
}

/** `elsewhere`: another window is writing the conversation. */
export type SendResult = 'sent' | 'empty' | 'tooLong' | 'busy' | 'noBot' | 'elsewhere';

/** Why a reply is left although nobody pressed Stop: its window closes, or another one took the conversation over. */
const DETACHED: Failure = { code: 'interrupted', maySend: false };

interface ActiveReply {
  readonly controller: AbortController;
  /** Settles when everything of the reply is on the disk. */
  done: Promise<void>;
}

/** The replies in flight: one a conversation; conversations stream side by side. */
export class Replies {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: () => Service;
  readonly #running = new Map<string, ActiveReply>();

  constructor(chat: Chat, remote: RemoteConversations, connect: () => Service) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
  }

  /**
   * Sends a message and streams the reply into the conversation. Takes the text, or says why not and changes nothing.
   * Without an origin the text is the composer's.
   */
  async send(
    id: string,
    text: string,
    origin: MessageOrigin = this.fromComposer(id, { text, context: [] }),
  ): Promise<SendResult> {
    const conversation = this.#chat.find(id);
    if (!conversation?.bot) return 'noBot';
    if (text.trim() === '') return 'empty';
    if (countCodePoints(text) > MESSAGE_LIMIT) return 'tooLong';
    if (this.#running.has(id) || isStreaming(conversation)) return 'busy';
    const message: MessageTurn = {
      kind: 'message',
      id: origin.id ?? crypto.randomUUID(),
      text,
      at: Date.now(),
      ...(origin.webSearch && { webSearch: true }),
      ...(origin.via && { via: origin.via }),
    };
    const begun = await this.#begin(conversation, message, origin, () => {
      origin.onTaken?.();
      this.#remote.nameAfter(id, text);
      this.#chat.putTurn(id, message);
    });
    return begun ? 'sent' : 'elsewhere';
  }

  /** What a composer holds leaves it with the message; `returns` comes back to it, should the service refuse. */
  fromComposer(id: string, composed: ComposedMessage, returns = composed): MessageOrigin {
    const { composers } = this.#chat;
    return {
      ...(this.#chat.find(id)?.composing?.webSearch && { webSearch: true }),
      onTaken: () => composers.take(id, composed),
      onRefused: () => composers.giveBack(id, returns),
    };
  }

  /** Whether this window sends a message, or streams a reply, in the conversation. */
  isBusy(id: string): boolean {
    return this.#running.has(id);
  }

  /** Asks again for the reply that failed or was interrupted, if it is the conversation's last; false where it is not done. */
  async retry(id: string, turnId: string): Promise<boolean> {
    const conversation = this.#chat.find(id);
    if (!conversation || this.#running.has(id) || !canRetry(conversation, turnId)) return false;
    const reply = lastReply(conversation);
    const message = conversation.turns.find((turn) => turn.id === reply?.messageId);
    if (message?.kind !== 'message') return false;
    return this.#begin(
      conversation,
      message,
      this.fromComposer(id, { text: message.text, context: [] }),
      () => {
        // A partial reply stays where it is; an empty one gives way to the next.
        if (reply?.text === '') this.#chat.removeTurn(id, turnId);
      },
    );
  }

  /** Resolves when the reply in flight has ended and is on the disk; at once where there is none. */
  async done(id: string): Promise<void> {
    await this.#running.get(id)?.done;
  }

  /** False where this window has no reply in flight. */
  stop(id: string): boolean {
    const running = this.#running.get(id);
    running?.controller.abort();
    return running !== undefined;
  }

  /** Ends what another window writes: from then on this one may. */
  async takeOver(id: string): Promise<void> {
    const lease = await this.#chat.acquire(id, { force: true });
    await lease?.release();
  }

  /** Ends every reply, because the window closes; resolves when what came of them is on the disk. */
  async dispose(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(DETACHED);
    await Promise.all(running.map(({ done }) => done));
  }

  /** Takes the right to write, and puts an open reply into the conversation; false where another window has it. */
  async #begin(
    conversation: Conversation,
    message: MessageTurn,
    origin: MessageOrigin,
    prepare: () => void,
  ): Promise<boolean> {
    const { id } = conversation;
    const running: ActiveReply = { controller: new AbortController(), done: Promise.resolve() };
    this.#running.set(id, running);
    const lease = await this.#chat.acquire(id);
    if (!lease) {
      this.#running.delete(id);
      return false;
    }
    prepare();
    const reply: ReplyTurn = {
      kind: 'reply',
      id: crypto.randomUUID(),
      messageId: message.id,
      bot: conversation.bot?.name ?? '',
      text: '',
      at: Date.now(),
      ...(message.webSearch && { webSearch: true }),
    };
    this.#chat.putTurn(id, reply);
    const leave = () => running.controller.abort(DETACHED);
    lease.lost.addEventListener('abort', leave);
    running.done = this.#run(id, reply.id, message, origin, running.controller.signal)
      .finally(() => this.#running.delete(id))
      .then(() => this.#saved(id))
      .finally(() => {
        // Replies that follow each other closely share one lease.
        lease.lost.removeEventListener('abort', leave);
        return lease.release();
      });
    return true;
  }

  async #run(
    id: string,
    turnId: string,
    { text: content, webSearch }: MessageTurn,
    origin: MessageOrigin,
    signal: AbortSignal,
  ): Promise<void> {
    let sentTo: Service | undefined;
    let skipped = false;
    const end = (ending: Ending, failure?: Failure) => this.#end(id, turnId, ending, skipped, failure);
    try {
      // What the person said is on the disk before it leaves.
      await this.#saved(id);
      signal.throwIfAborted();
      const service = this.#connect();
      const conversationId = await this.#remote.ensureCreated(id, service, signal);
      sentTo = service;
      if (webSearch) {
        await this.#search(service, id, turnId, { conversationId, content }, signal);
        return;
      }
      const stream = service.client.streamReply(
        { conversationId, content },
        {
          signal,
          onSkipped: () => {
            skipped = true;
          },
        },
      );
      for await (const text of stream) this.#chat.appendText(id, turnId, text);
      end('complete');
    } catch (error) {
      const gone = sentTo && !signal.aborted && (await this.#remote.isGone(id, sentTo, error));
      // Until the conversation exists, no message has left: it may be sent again.
      const failure: Failure = gone
        ? { code: 'gone', maySend: true }
        : { ...toFailure(error, Date.now()), ...(!sentTo && { maySend: true }) };
      const partial = this.#find(id, turnId)?.text !== '';
      if (signal.reason === DETACHED) end('interrupted', DETACHED);
      else if (signal.aborted) end('stopped');
      else if (partial || failure.code === 'interrupted') end('interrupted', failure);
      else {
        end('failed', failure);
        if (returnsText(failure)) origin.onRefused?.(failure);
      }
    }
  }

  /** Web search has no stream (docs/service.md: POST /messages): the whole reply comes at once, with its sources. */
  async #search(
    { client }: Service,
    id: string,
    turnId: string,
    message: { conversationId: string; content: string },
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await client.createMessage({ ...message, isWebSearch: true }, signal);
    signal.throwIfAborted();
    // Not the message itself, should a service answer with that, and not nothing: the list of messages may have more.
    const failure = findFailure(answer);
    if (answer.machine === false || (answer.content === '' && !failure)) {
      const details = { operation: 'POST /messages', message: 'the answer has no reply', maySend: false };
      throw new ServiceError('invalidResponse', { ...details, reason: 'empty' });
    }
    if (answer.content !== '') this.#chat.appendText(id, turnId, answer.content);
    this.#end(id, turnId, failure ? 'failed' : 'complete', false, failure);
    const reply = this.#find(id, turnId);
    const learnt = readReply(answer);
    if (reply && Object.keys(learnt).length > 0) this.#chat.putTurn(id, { ...reply, ...learnt });
  }

  #end(id: string, turnId: string, ending: Ending, skipped: boolean, failure?: Failure): void {
    const reply = this.#find(id, turnId);
    if (!reply || reply.ending !== undefined) return;
    this.#chat.endReply(id, {
      ...reply,
      ending,
      ...(failure && { failure }),
      ...(skipped && { skipped: true }),
    });
  }

  /** Where the disk takes nothing the conversation says so itself, and the chat goes on. */
  async #saved(id: string): Promise<void> {
    await this.#chat.saved(id).catch(() => undefined);
  }

  #find(id: string, turnId: string): ReplyTurn | undefined {
    const turn = this.#chat.find(id)?.turns.findLast((each) => each.id === turnId);
    return turn?.kind === 'reply' ? turn : undefined;
  }
}
