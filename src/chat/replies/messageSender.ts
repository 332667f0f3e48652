import { findPendingDocuments } from '../../shared/documentReadiness';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import { splitMessage } from '../../shared/splitMessage';
import type { Overflow, SendTime } from '../../shared/viewModel';
import type { Chat } from '../conversations/chat';
import type { ComposedMessage } from '../model/composerState';
import { type Conversation, findDocument, isStreaming } from '../model/conversation';
import type { QueuedMessage } from '../model/queue';
import type { RemoteConversations } from '../remote/remoteConversations';
import { findPendingServiceDocuments } from '../remote/serviceDocuments';
import type { FileToUpload } from '../uploads/fileToUpload';
import type { UploadQueue } from '../uploads/uploadQueue';
import { createDocumentName, createLeadIn } from './longMessage';
import type { MessageOrigin, Replies, SendResult } from './replies';

/** What a person sends: what was typed, and the chips that stood above it. */
export interface OutgoingMessage {
  readonly text: string;
  /** Ids. */
  readonly context: readonly string[];
  /** What to do where it is too long for one message. */
  readonly overflow?: Overflow;
  /** Whether it waits for documents that are being converted; it does unless told. */
  readonly time?: SendTime;
}

/** `unsaved`: the disk doesn't take it into the queue. */
export type ComposerResult = SendResult | 'queued' | 'notUploaded' | 'unsaved';

/** The words and files that only the host can make. */
interface SenderHost {
  /** A message that refers to a document, and says how that begins. */
  readonly refer: (name: string, beginning: string) => string;
  /** The sentence, behind a question, that says where its context is. */
  readonly contextIsIn: (name: string) => string;
  readonly toFile: (name: string, text: string) => FileToUpload;
}

/** Sends what a composer holds: as a message, as a document that a message refers to, or as several messages; or queues it. */
export class MessageSender {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #replies: Replies;
  readonly #uploads: UploadQueue;
  readonly #means: SenderHost;

  constructor(
    services: { chat: Chat; remote: RemoteConversations; replies: Replies; uploads: UploadQueue },
    means: SenderHost,
  ) {
    this.#chat = services.chat;
    this.#remote = services.remote;
    this.#replies = services.replies;
    this.#uploads = services.uploads;
    this.#means = means;
  }

  /** Resolves when the message was sent or is queued, or says why not; then nothing of the composer is lost. */
  async send(
    id: string,
    { text, context, overflow, time = 'ready' }: OutgoingMessage,
  ): Promise<ComposerResult> {
    const conversation = this.#chat.find(id);
    if (!conversation?.bot) return 'noBot';
    const chips = conversation.composing?.context.filter((chip) => context.includes(chip.id)) ?? [];
    const content = composeMessage(text, chips);
    const composed = { text, context: chips };
    if (countCodePoints(content) <= MESSAGE_LIMIT) {
      return this.#sendOrQueue(conversation, composed, time, this.#replies.fromComposer(id, composed));
    }
    if (overflow === 'document') return this.#sendAsDocument(conversation, composed, content, time);
    if (overflow !== 'split') return 'tooLong';
    const parts = splitMessage(content).map((part) => ({ text: part, context: [] }));
    return this.#queue(conversation, parts, composed, time);
  }

  /** A question that is short enough stays the message; then only what stands below it becomes the document. */
  async #sendAsDocument(
    { id, turns }: Conversation,
    composed: ComposedMessage,
    content: string,
    time: SendTime,
  ): Promise<ComposerResult> {
    const below = composeMessage('', composed.context);
    const asked = createDocumentName(below, turns);
    const question = `${composed.text.trim()}\n\n${this.#means.contextIsIn(asked)}`;
    const asks = below !== '' && composed.text.trim() !== '' && countCodePoints(question) <= MESSAGE_LIMIT;
    const document = asks ? below : content;
    const name = asks ? asked : createDocumentName(content, turns);
    const text = asks ? question : this.#means.refer(name, createLeadIn(content));
    this.#remote.nameAfter(id, content);
    const { turnId, finished } = this.#uploads.add(id, this.#means.toFile(name, document));
    await finished;
    const conversation = this.#chat.find(id);
    const turn = findDocument(conversation, turnId);
    if (!conversation || turn?.state !== 'attached') return 'notUploaded';
    // Refused, the message comes back as it is: its document is there already.
    const message = { text, context: [] };
    return this.#sendOrQueue(
      conversation,
      message,
      time,
      this.#replies.fromComposer(id, composed, message),
      composed,
    );
  }

  /** Sends a message at once, unless something that comes first is under way. */
  async #sendOrQueue(
    conversation: Conversation,
    message: ComposedMessage,
    time: SendTime,
    origin: MessageOrigin,
    composed = message,
  ): Promise<ComposerResult> {
    const { id, queue } = conversation;
    const content = composeMessage(message.text, message.context);
    if (content.trim() === '') return 'empty';
    const isUnderWay =
      this.#replies.isBusy(id) || isStreaming(conversation) || conversation.heldElsewhere === true;
    const waits =
      time === 'ready' &&
      (findPendingDocuments(conversation.turns).length > 0 ||
        findPendingServiceDocuments(conversation).length > 0);
    // What is queued and moves was said before. A paused queue holds up nothing.
    const comesAfter = time === 'ready' && queue !== undefined && queue.paused === undefined;
    const queueIt = () => this.#queue(conversation, [message], composed, time);
    if (isUnderWay || waits || comesAfter) return queueIt();
    const result = await this.#replies.send(id, content, origin);
    // Another window began to write in this moment, or one that died did: its turn to end.
    return result === 'elsewhere' ? queueIt() : result;
  }

  /** Puts messages at the end of the queue; once they are on the disk, what they were made of leaves the composer. */
  async #queue(
    conversation: Conversation,
    messages: readonly ComposedMessage[],
    composed: ComposedMessage,
    time: SendTime,
  ): Promise<ComposerResult> {
    const { id } = conversation;
    const isLater = time === 'ready';
    const documents = isLater ? findPendingDocuments(conversation.turns) : [];
    const serviceDocuments = isLater ? findPendingServiceDocuments(conversation) : [];
    const queued = messages.map(
      (message): QueuedMessage => ({
        id: crypto.randomUUID(),
        ...message,
        ...(conversation.composing?.webSearch && { webSearch: true }),
        ...(documents.length > 0 && { documents }),
        ...(serviceDocuments.length > 0 && { serviceDocuments }),
      }),
    );
    if (!(await this.#chat.queues.change(id, (before) => [...before, ...queued]))) return 'unsaved';
    this.#chat.composers.take(id, composed);
    this.#remote.nameAfter(id, composeMessage(composed.text, composed.context));
    return 'queued';
  }
}
