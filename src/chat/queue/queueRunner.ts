import { getReadiness } from '../../shared/view/documentReadiness';
import type { Chat } from '../conversations/chat';
import { getServiceReadiness } from '../documents/serviceDocuments';
import type { ChatEvent } from '../model/chatEvent';
import { type Conversation, findDocument, findNewestVersion, isStreaming } from '../model/conversation';
import { type Failure, returnsText } from '../model/failure';
import {
  composeQueuedMessage,
  filterAwaitedDocuments,
  type PauseReason,
  type QueuedMessage,
} from '../model/queuedMessage';
import type { ReplyTurn } from '../model/turn';
import type { MessageOrigin, Replies, SendResult } from '../replies/replies';

/**
 * Sends queued messages one by one, each when the previous reply is complete and its documents are ready. Any
 * other outcome pauses the queue. A message is marked as being sent on disk before it is sent, so that a
 * crash never sends it twice.
 */
export class QueueRunner {
  readonly #chat: Chat;
  readonly #replies: Replies;
  /** Pending work on each queue, which runs sequentially. */
  readonly #work = new Map<string, Promise<unknown>>();
  /** Conversations whose reply is being stopped in favor of a queued message. */
  readonly #preempting = new Set<string>();
  readonly #subscription: { dispose(): void };

  constructor(services: { chat: Chat; replies: Replies }) {
    this.#chat = services.chat;
    this.#replies = services.replies;
    this.#subscription = this.#chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /** Resumes a paused queue. It no longer waits for documents that have failed, but for their newer versions. */
  async resume(id: string): Promise<void> {
    await this.#chat.queues.change(id, (messages) =>
      messages.map((message) => this.#removeFailedDocuments(id, this.#followNewVersions(id, message))),
    );
    this.#chat.queues.resume(id);
  }

  /**
   * Sends a queued message before all others without waiting for its documents, stopping a streaming reply. One that is
   * shown as maybe sent is sent again.
   */
  sendNow(id: string, messageId: string): Promise<SendResult> {
    const isConfirmed = this.#findMessage(id, messageId)?.sending;
    return this.#runInTurn(id, async () => {
      // When called twice, it must not stop the reply to its own message.
      if (!this.#findMessage(id, messageId)) return 'empty';
      this.#preempting.add(id);
      try {
        this.#replies.stop(id);
        await this.#replies.whenDone(id);
      } finally {
        // Before the message is sent: if its own reply fails, the queue must pause.
        this.#preempting.delete(id);
      }
      return this.#sendMessage(id, messageId, { isConfirmed });
    });
  }

  /**
   * Stops the reply and pauses the queue, even if the reply has just ended. Returns false if this window has
   * none in flight.
   */
  stop(id: string): boolean {
    this.#chat.queues.pause(id, 'stopped');
    return this.#replies.stop(id);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #handleEvent(event: ChatEvent): void {
    const { conversationId: id } = event;
    // The queue may be empty by now.
    if (event.type === 'queue' || event.type === 'earlierTurns') void this.#chat.returnQueuedEdit(id);
    if (!this.#chat.findConversation(id)?.queue) return;
    switch (event.type) {
      case 'turn':
        if (event.turn.kind === 'message') this.#chat.queues.removeSent(id);
        else if (event.turn.kind === 'document') this.#advanceQueue(id);
        break;
      case 'earlierTurns':
        this.#chat.queues.removeSent(id);
        break;
      case 'ended':
        this.#pauseAfter(id, event.turn);
        this.#advanceQueue(id);
        break;
      case 'documents':
      case 'turnRemoved':
      case 'noticed':
      case 'queue':
        this.#advanceQueue(id);
    }
  }

  /** A queue that is paused already, as after a reload, keeps its reason. */
  #pauseAfter(id: string, reply: ReplyTurn): void {
    if (reply.ending === 'complete' || this.#preempting.has(id)) return;
    if (!this.#chat.findConversation(id)?.queue?.paused) this.#chat.queues.pause(id, toPauseReason(reply));
  }

  #advanceQueue(id: string): void {
    this.#runInTurn(id, () => this.#sendNext(id)).catch((error: unknown) => {
      this.#chat.reportError(error);
      // Otherwise nothing would send it, and nobody could.
      this.#chat.queues.pause(id, 'unsaved');
    });
  }

  async #sendNext(id: string): Promise<void> {
    // Wait until the ended reply is saved.
    if (!isWriting(this.#chat.findConversation(id))) await this.#replies.whenDone(id);
    const conversation = this.#chat.findConversation(id);
    const [message] = conversation?.queue?.messages ?? [];
    if (!conversation || !message || this.#isHeldBack(id, message.id) || isWriting(conversation)) return;
    if (message.documents && conversation.earlier) await this.#chat.openWhole(id);
    const documents = this.#getReadiness(id, message);
    if (documents.includes('failed')) this.#chat.queues.pause(id, 'documentFailed');
    else if (!documents.includes('pending')) {
      await this.#sendMessage(id, message.id, { canSend: () => !this.#isHeldBack(id, message.id) });
    }
  }

  /** `canSend` is checked last, because the user may pause or edit until then. */
  async #sendMessage(
    id: string,
    messageId: string,
    { canSend = () => true, isConfirmed = false },
  ): Promise<SendResult> {
    const { queues } = this.#chat;
    // From here until the message has become a turn, no other window may send it.
    const permission = await this.#chat.acquirePermission(id);
    if (!permission) return 'otherWindow';
    try {
      await this.#chat.readChanges(id);
      if (!(await queues.markSending(permission, messageId, isConfirmed))) return 'empty';
      // Read the message after all earlier changes have been applied.
      const message = this.#findMessage(id, messageId);
      if (!message) return 'empty';
      const origin: MessageOrigin = {
        id: messageId,
        ...(message.webSearch && { webSearch: true }),
        onRefused: (failure) => void this.#requeueRefused(id, message, toRefusalReason(failure)),
      };
      const result = canSend() ? await this.#replies.send(id, composeQueuedMessage(message), origin) : 'busy';
      if (result === 'sent') return result;
      await queues.unmarkSending(id, messageId);
      if (result !== 'busy' && result !== 'otherWindow') queues.pause(id, 'refused');
      return result;
    } finally {
      await permission.release();
    }
  }

  /** Queues a refused message again as a new message; the turn it had become stays. */
  async #requeueRefused(
    id: string,
    { sending: _, ...message }: QueuedMessage,
    reason: PauseReason,
  ): Promise<void> {
    const { queues, composers } = this.#chat;
    const again: QueuedMessage = { ...message, id: crypto.randomUUID() };
    const saved = await queues.change(id, (messages) => [again, ...messages], reason);
    if (!saved) composers.returnUnsent(id, message);
  }

  #followNewVersions(id: string, message: QueuedMessage): QueuedMessage {
    const { turns = [] } = this.#chat.findConversation(id) ?? {};
    const findNewest = (turnId: string) => findNewestVersion(turns, turnId);
    return message.documents ? { ...message, documents: message.documents.map(findNewest) } : message;
  }

  #removeFailedDocuments(id: string, message: QueuedMessage): QueuedMessage {
    const conversation = this.#chat.findConversation(id);
    return filterAwaitedDocuments(
      message,
      (turnId) => {
        const turn = findDocument(conversation, turnId);
        return turn !== undefined && getReadiness(turn) !== 'failed';
      },
      (documentId) => getServiceReadiness(conversation, documentId) !== 'failed',
    );
  }

  #getReadiness(id: string, { documents = [], serviceDocuments = [] }: QueuedMessage): string[] {
    const conversation = this.#chat.findConversation(id);
    const onService = serviceDocuments.map((documentId) => getServiceReadiness(conversation, documentId));
    const own = documents.flatMap((turnId) => {
      const turn = findDocument(conversation, turnId);
      return turn ? [getReadiness(turn)] : [];
    });
    return [...own, ...onService];
  }

  /** Returns whether the queue is paused or the message is being edited, even in a page that was left. */
  #isHeldBack(id: string, messageId: string): boolean {
    const { queue, composing } = this.#chat.findConversation(id) ?? {};
    const { paused, editing } = queue ?? {};
    if (paused !== undefined || editing === messageId) return true;
    const { queuedEdit } = composing ?? {};
    return queuedEdit?.messageId === messageId && queuedEdit.text !== this.#findMessage(id, messageId)?.text;
  }

  #findMessage(id: string, messageId: string): QueuedMessage | undefined {
    return this.#chat.findConversation(id)?.queue?.messages.find((message) => message.id === messageId);
  }

  #runInTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
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

/** Returns whether a reply is streaming or another window is writing. */
function isWriting(conversation: Conversation | undefined): boolean {
  return conversation !== undefined && (conversation.heldByOtherWindow === true || isStreaming(conversation));
}

function toPauseReason({ ending, failure }: ReplyTurn): PauseReason {
  if (failure && returnsText(failure)) return toRefusalReason(failure);
  return ending === 'stopped' || ending === 'interrupted' ? ending : 'failed';
}

/** `failure` returns the text. */
function toRefusalReason({ code }: Failure): PauseReason {
  return code === 'quotaReached' ? 'quotaReached' : 'refused';
}
