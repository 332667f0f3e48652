import { getReadiness } from '../../shared/documentReadiness';
import type { Chat } from '../conversations/chat';
import { type Conversation, findDocument, isStreaming, type ReplyTurn } from '../model/conversation';
import type { ChatEvent } from '../model/events';
import { returnsText } from '../model/failure';
import { composeQueued, type PauseReason, type QueuedMessage } from '../model/queue';
import { getServiceReadiness } from '../remote/serviceDocuments';
import type { MessageOrigin, Replies, SendResult } from './replies';

/**
 * Sends queued messages, one after the other, each when the reply before it is complete and its documents are ready. Whatever
 * else happens pauses the queue. A message is stored as being sent before it leaves, so no crash makes it leave twice.
 */
export class QueueRunner {
  readonly #chat: Chat;
  readonly #replies: Replies;
  readonly #onError: (error: unknown) => void;
  /** What is done about each queue, in turn. */
  readonly #work = new Map<string, Promise<unknown>>();
  /** Conversations whose reply is stopped because a queued message goes first. */
  readonly #yielding = new Set<string>();
  readonly #listening: { dispose(): void };

  /** `onError` hears of what fails in the background. */
  constructor(services: { chat: Chat; replies: Replies }, onError: (error: unknown) => void) {
    this.#chat = services.chat;
    this.#replies = services.replies;
    this.#onError = onError;
    this.#listening = this.#chat.onEvent((event) => this.#follow(event));
  }

  /** Goes on after a pause. Documents that failed are waited for no longer. */
  async resume(id: string): Promise<void> {
    await this.#chat.queues.change(id, (messages) =>
      messages.map((message) => this.#withoutFailed(id, message)),
    );
    this.#chat.queues.resume(id);
  }

  /** Sends a queued message before all others, whatever it waits for; a reply that streams is stopped for it. */
  sendNow(id: string, messageId: string): Promise<SendResult> {
    return this.#inTurn(id, async () => {
      // Asked twice, it must not stop the reply to itself.
      if (!this.#find(id, messageId)) return 'empty';
      this.#yielding.add(id);
      try {
        this.#replies.stop(id);
        await this.#replies.done(id);
        return await this.#send(id, messageId);
      } finally {
        this.#yielding.delete(id);
      }
    });
  }

  /** Stops the reply; what is queued waits, also where the reply has just ended. False where this window has none in flight. */
  stop(id: string): boolean {
    this.#chat.queues.pause(id, 'stopped');
    return this.#replies.stop(id);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #follow(event: ChatEvent): void {
    const { conversationId: id } = event;
    if (!this.#chat.find(id)?.queue) return;
    switch (event.type) {
      case 'turn':
        if (event.turn.kind === 'message') this.#chat.queues.removeSent(id);
        else if (event.turn.kind === 'document') this.#advance(id);
        break;
      case 'earlierTurns':
        this.#chat.queues.removeSent(id);
        break;
      case 'ended':
        if (event.turn.ending !== 'complete' && !this.#yielding.has(id)) {
          this.#chat.queues.pause(id, toPauseReason(event.turn));
        }
        this.#advance(id);
        break;
      case 'documents':
      case 'turnRemoved':
      case 'noticed':
      case 'queue':
        this.#advance(id);
    }
  }

  #advance(id: string): void {
    this.#inTurn(id, () => this.#sendNext(id)).catch(this.#onError);
  }

  async #sendNext(id: string): Promise<void> {
    // A reply that has ended is written to the disk first.
    if (!isWriting(this.#chat.find(id))) await this.#replies.done(id);
    const conversation = this.#chat.find(id);
    const [message] = conversation?.queue?.messages ?? [];
    if (!conversation || !message || this.#isHeld(id, message.id) || isWriting(conversation)) return;
    if (message.sending) return this.#chat.queues.pause(id, 'maybeSent');
    if (message.documents && conversation.earlier) await this.#chat.whole(id);
    const documents = this.#readiness(id, message);
    if (documents.includes('failed')) this.#chat.queues.pause(id, 'documentFailed');
    else if (!documents.includes('pending')) {
      await this.#send(id, message.id, () => !this.#isHeld(id, message.id));
    }
  }

  /** `mayLeave` is asked last, because the person may pause or edit until then. */
  async #send(id: string, messageId: string, mayLeave = () => true): Promise<SendResult> {
    const { queues } = this.#chat;
    // From here to the message's turn nobody else may send it.
    const lease = await this.#chat.acquire(id);
    if (!lease) return 'elsewhere';
    try {
      await this.#chat.follow(id);
      if (!(await queues.markSending(id, messageId))) return 'empty';
      // As it is after all changes that were made before.
      const message = this.#find(id, messageId);
      if (!message) return 'empty';
      const origin: MessageOrigin = {
        id: messageId,
        ...(message.webSearch && { webSearch: true }),
        onRefused: (failure) =>
          void this.#putBack(id, message, failure.code === 'quotaReached' ? 'quotaReached' : 'refused'),
      };
      const result = mayLeave() ? await this.#replies.send(id, composeQueued(message), origin) : 'busy';
      if (result === 'sent') return result;
      // It has not left: the mark goes again.
      await queues.change(id, (messages) => messages);
      if (result !== 'busy' && result !== 'elsewhere') queues.pause(id, 'refused');
      return result;
    } finally {
      await lease.release();
    }
  }

  /** What the service refused waits again, as a new message: the turn that it became stays. */
  async #putBack(id: string, { sending: _, ...message }: QueuedMessage, reason: PauseReason): Promise<void> {
    const { queues, composers } = this.#chat;
    const again: QueuedMessage = { ...message, id: crypto.randomUUID() };
    const saved = await queues.change(id, (messages) => [again, ...messages], reason);
    if (!saved) composers.giveBack(id, message);
  }

  #withoutFailed(id: string, message: QueuedMessage): QueuedMessage {
    const { documents = [], serviceDocuments = [], ...rest } = message;
    const conversation = this.#chat.find(id);
    const leftOnService = serviceDocuments.filter(
      (documentId) => getServiceReadiness(conversation, documentId) !== 'failed',
    );
    const left = documents.filter((turnId) => {
      const turn = findDocument(conversation, turnId);
      return turn && getReadiness(turn) !== 'failed';
    });
    return {
      ...rest,
      ...(left.length > 0 && { documents: left }),
      ...(leftOnService.length > 0 && { serviceDocuments: leftOnService }),
    };
  }

  #readiness(id: string, { documents = [], serviceDocuments = [] }: QueuedMessage): string[] {
    const conversation = this.#chat.find(id);
    const onService = serviceDocuments.map((documentId) => getServiceReadiness(conversation, documentId));
    const own = documents.flatMap((turnId) => {
      const turn = findDocument(conversation, turnId);
      return turn ? [getReadiness(turn)] : [];
    });
    return [...own, ...onService];
  }

  /** Whether the person keeps a message from being sent by itself. */
  #isHeld(id: string, messageId: string): boolean {
    const { paused, editing } = this.#chat.find(id)?.queue ?? {};
    return paused !== undefined || editing === messageId;
  }

  #find(id: string, messageId: string): QueuedMessage | undefined {
    return this.#chat.find(id)?.queue?.messages.find((message) => message.id === messageId);
  }

  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#work.get(id) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        if (this.#work.get(id) === settled) this.#work.delete(id);
      });
    this.#work.set(id, settled);
    return done;
  }
}

/** Whether a reply streams, or another window is at it. */
function isWriting(conversation: Conversation | undefined): boolean {
  return conversation !== undefined && (conversation.heldElsewhere === true || isStreaming(conversation));
}

function toPauseReason({ ending, failure }: ReplyTurn): PauseReason {
  if (failure?.code === 'quotaReached') return 'quotaReached';
  if (failure && returnsText(failure)) return 'refused';
  return ending === 'stopped' || ending === 'interrupted' ? ending : 'failed';
}
