import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { findPendingDocuments } from '../../shared/view/documentReadiness';
import type { Overflow, SendTime } from '../../shared/view/viewModel';
import type { Chat } from '../conversations/chat';
import type { ConfirmedFile } from '../documents/fileToUpload';
import { findPendingServiceDocuments } from '../documents/serviceDocuments';
import type { UploadQueue } from '../documents/uploadQueue';
import type { ComposedMessage, SentMessage } from '../model/composerState';
import { type Conversation, findDocument, isStreaming } from '../model/conversation';
import type { QueuedMessage } from '../model/queuedMessage';
import type { DocumentTurn } from '../model/turn';
import type { RemoteConversations } from '../remote/remoteConversations';
import { createDocumentName, createLeadIn } from './longMessage';
import type { MessageOrigin, Replies, SendResult } from './replies';

/** A message as the user sends it: the typed text and the chips above it. */
export interface OutgoingMessage {
  readonly text: string;
  /** IDs of the chips. */
  readonly context: readonly string[];
  /** Handling of a text that is too long for one message. */
  readonly overflow?: Overflow;
  /** Whether it waits for documents that are being converted; it does by default. */
  readonly time?: SendTime;
  /** The page in whose composer it was sent. */
  readonly page?: object;
}

/** `unsaved`: the queue couldn't be saved. */
export type ComposerResult = SendResult | 'queued' | 'notUploaded' | 'unsaved';

/** The texts, files and questions that only the host can create. */
interface SenderHost {
  /** Returns a message that refers to a document and quotes how it begins. */
  readonly formatReference: (name: string, beginning: string) => string;
  /** Returns the sentence, appended to a question, that says which document holds its context. */
  readonly formatContextNote: (name: string) => string;
  readonly createFile: (name: string, text: string) => ConfirmedFile;
  /** Asks whether to add a document again that the service may already have. */
  readonly confirmAddAgain: (turn: DocumentTurn) => Promise<boolean>;
}

/**
 * Sends or queues the contents of a composer: as a message, as a document with a message that refers to it,
 * or as several messages.
 */
export class MessageSender {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #replies: Replies;
  readonly #uploads: UploadQueue;
  readonly #host: SenderHost;

  constructor(
    services: { chat: Chat; remote: RemoteConversations; replies: Replies; uploads: UploadQueue },
    host: SenderHost,
  ) {
    this.#chat = services.chat;
    this.#remote = services.remote;
    this.#replies = services.replies;
    this.#uploads = services.uploads;
    this.#host = host;
  }

  /**
   * Resolves when the message is sent or queued, or to the reason why not; then the composer keeps its
   * contents.
   */
  async send(
    id: string,
    { text, context, overflow, time = 'ready', page }: OutgoingMessage,
  ): Promise<ComposerResult> {
    const conversation = this.#chat.findConversation(id);
    if (!conversation?.bot) return 'noBot';
    const chips = conversation.composing?.context.filter((chip) => context.includes(chip.id)) ?? [];
    const content = composeMessage(text, chips);
    const composed: SentMessage = { text, context: chips, page };
    if (countCodePoints(content) <= MESSAGE_LIMIT) {
      return this.#sendOrQueue(
        conversation,
        composed,
        time,
        this.#replies.createComposerOrigin(id, composed),
      );
    }
    if (overflow === 'document') return this.#sendAsDocument(conversation, composed, content, time);
    if (overflow !== 'split') return 'tooLong';
    const { splitMessage } = await import('../../shared/conversation/splitMessage');
    const parts = splitMessage(content).map((part) => ({ text: part, context: [] }));
    return this.#queueMessages(conversation, parts, composed, time);
  }

  /**
   * Uploads the text as a document, unless it is there from an attempt before, or may be there and the user declines. A question
   * that is short enough stays the message; then only its context is uploaded. Throws file system errors if it isn't known what
   * other windows did with the upload whose response was lost.
   */
  async #sendAsDocument(
    { id, turns }: Conversation,
    composed: SentMessage,
    content: string,
    time: SendTime,
  ): Promise<ComposerResult> {
    this.#remote.nameAfter(id, content);
    const prepare = async (document: string) => {
      const created = this.#host.createFile(createDocumentName(document, turns), document);
      const earlier = await this.#uploads.findEarlier(id, created);
      return { earlier, file: { ...created, name: (earlier ?? created).name } };
    };
    const contextText = composeMessage('', composed.context);
    const question = composed.text.trim();
    let { file, earlier } = await prepare(contextText);
    let text = `${question}\n\n${this.#host.formatContextNote(file.name)}`;
    if (contextText === '' || question === '' || countCodePoints(text) > MESSAGE_LIMIT) {
      ({ file, earlier } = await prepare(content));
      text = this.#host.formatReference(file.name, createLeadIn(content));
    }
    let turnId = earlier?.id;
    if (!earlier || (await this.#uploads.mayRepeat(id, earlier, this.#host.confirmAddAgain))) {
      const added = this.#uploads.add(id, file, turnId);
      ({ turnId } = added);
      await added.finished;
    }
    const conversation = this.#chat.findConversation(id);
    if (!conversation || findDocument(conversation, turnId)?.state !== 'attached') return 'notUploaded';
    // If refused, the message goes back to the composer without its context: the document has already been
    // uploaded.
    const message = { text, context: [] };
    return this.#sendOrQueue(
      conversation,
      message,
      time,
      this.#replies.createComposerOrigin(id, composed, message),
      composed,
    );
  }

  /** Sends a message right away, or queues it if something must finish first. */
  async #sendOrQueue(
    conversation: Conversation,
    message: ComposedMessage,
    time: SendTime,
    origin: MessageOrigin,
    composed: SentMessage = message,
  ): Promise<ComposerResult> {
    const { id, queue } = conversation;
    const content = composeMessage(message.text, message.context);
    if (content.trim() === '') return 'empty';
    const isBusy =
      this.#replies.isBusy(id) || isStreaming(conversation) || conversation.heldByOtherWindow === true;
    const waitsForDocuments = Object.keys(findAwaitedDocuments(conversation, time)).length > 0;
    // The queued messages were written earlier, so they go first, unless the queue is paused.
    const comesAfter = time === 'ready' && queue !== undefined && queue.paused === undefined;
    const queueMessage = () => this.#queueMessages(conversation, [message], composed, time);
    if (isBusy || waitsForDocuments || comesAfter) return queueMessage();
    const result = await this.#replies.send(id, content, origin);
    // Another window just started writing, or died while writing: wait for its turn to end.
    return result === 'otherWindow' ? queueMessage() : result;
  }

  /** Appends messages to the queue; once they are saved, removes their contents from the composer. */
  async #queueMessages(
    conversation: Conversation,
    messages: readonly ComposedMessage[],
    composed: SentMessage,
    time: SendTime,
  ): Promise<ComposerResult> {
    const { id } = conversation;
    const awaited = findAwaitedDocuments(conversation, time);
    const queued = messages.map(
      ({ text, context }): QueuedMessage => ({
        ...{ id: crypto.randomUUID(), text, context },
        ...(conversation.composing?.webSearch && { webSearch: true }),
        ...awaited,
      }),
    );
    if (!(await this.#chat.queues.change(id, (before) => [...before, ...queued]))) return 'unsaved';
    this.#chat.composers.removeSent(id, composed);
    this.#remote.nameAfter(id, composeMessage(composed.text, composed.context));
    return 'queued';
  }
}

/** Finds the documents that must be ready before a message is sent. A list without documents is left out. */
function findAwaitedDocuments(
  conversation: Conversation,
  time: SendTime,
): Pick<QueuedMessage, 'documents' | 'serviceDocuments'> {
  if (time !== 'ready') return {};
  const documents = findPendingDocuments(conversation.turns);
  const serviceDocuments = findPendingServiceDocuments(conversation);
  return {
    ...(documents.length > 0 && { documents }),
    ...(serviceDocuments.length > 0 && { serviceDocuments }),
  };
}
