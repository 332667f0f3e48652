import type { Overflow } from '../shared/conversation';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../shared/message';
import { nextPart } from '../shared/split';
import type { Chat } from './chat';
import { type Conversation, documentOf, isStreaming, lastReply } from './conversation';
import { returnsText } from './failure';
import type { FileToUpload } from './fileToUpload';
import { beginningOf, documentNameOf } from './messageDocument';
import type { Remote } from './remote';
import type { Composed, Replies, SendResult } from './replies';
import type { Uploads } from './uploads';

/** What a person sends: what was typed, and the chips that stood above it. */
export interface Outgoing {
  readonly text: string;
  /** Ids. */
  readonly context: readonly string[];
  /** What to do where it is too long for one message. */
  readonly overflow?: Overflow;
}

/** The words and files that only the host can make. */
interface Means {
  /** A message that refers to a document, and says how that begins. */
  readonly refer: (name: string, beginning: string) => string;
  /** The sentence, behind a question, that says where its context is. */
  readonly contextIsIn: (name: string) => string;
  readonly toFile: (name: string, text: string) => FileToUpload;
}

const NOTHING: Composed = { text: '', context: [] };

/** Sends what a composer holds: as a message, as a document that a message refers to, or as several messages. */
export class Sending {
  readonly #chat: Chat;
  readonly #remote: Remote;
  readonly #replies: Replies;
  readonly #uploads: Uploads;
  readonly #means: Means;

  constructor(services: { chat: Chat; remote: Remote; replies: Replies; uploads: Uploads }, means: Means) {
    this.#chat = services.chat;
    this.#remote = services.remote;
    this.#replies = services.replies;
    this.#uploads = services.uploads;
    this.#means = means;
  }

  /** Resolves when the first message was taken, or says why not; then nothing of the composer is lost. */
  async send(id: string, { text, context, overflow }: Outgoing): Promise<SendResult | 'notUploaded'> {
    const conversation = this.#chat.find(id);
    if (!conversation?.bot) return 'noBot';
    const chips = conversation.composing?.context.filter((chip) => context.includes(chip.id)) ?? [];
    const content = composeMessage(text, chips);
    const composed = { text, context: chips };
    if (!overflow || countCodePoints(content) <= MESSAGE_LIMIT) {
      return this.#replies.send(id, content, composed);
    }
    if (isStreaming(conversation)) return 'busy';
    if (overflow === 'document') return this.#sendAsDocument(conversation, composed, content);
    const { part, rest } = nextPart(content);
    const result = await this.#replies.send(id, part, composed);
    if (result === 'sent') void this.#sendRest(id, rest);
    return result;
  }

  /** A question that is short enough stays the message; then only what stands below it becomes the document. */
  async #sendAsDocument(
    { id, turns }: Conversation,
    composed: Composed,
    content: string,
  ): Promise<SendResult | 'notUploaded'> {
    const below = composeMessage('', composed.context);
    const asked = documentNameOf(below, turns);
    const question = `${composed.text.trim()}\n\n${this.#means.contextIsIn(asked)}`;
    const asks = below !== '' && composed.text.trim() !== '' && countCodePoints(question) <= MESSAGE_LIMIT;
    const document = asks ? below : content;
    const name = asks ? asked : documentNameOf(content, turns);
    const message = asks ? question : this.#means.refer(name, beginningOf(content));
    this.#remote.nameAfter(id, content);
    const { turnId, finished } = this.#uploads.add(id, this.#means.toFile(name, document));
    await finished;
    if (documentOf(this.#chat.find(id), turnId)?.state !== 'attached') return 'notUploaded';
    // Refused, the message comes back as it is: its document is there already.
    return this.#replies.send(id, message, composed, { text: message, context: [] });
  }

  /** Sends part after part, each after the complete reply to the one before; else what is left goes back to the composer. */
  async #sendRest(id: string, first: string): Promise<void> {
    for (let rest = first; rest.trim() !== ''; ) {
      this.#chat.composers.setComposing(id, { unsent: rest });
      await this.#replies.done(id);
      const conversation = this.#chat.find(id);
      const reply = conversation && lastReply(conversation);
      // What was refused has come back with all that was to follow it.
      if (reply?.failure && returnsText(reply.failure)) break;
      if (reply?.ending !== 'complete') return this.#giveBack(id, rest);
      const next = nextPart(rest);
      const result = await this.#replies.send(id, next.part, NOTHING, { text: rest, context: [] });
      if (result !== 'sent') return this.#giveBack(id, rest);
      rest = next.rest;
    }
    this.#chat.composers.setComposing(id, { unsent: '' });
  }

  #giveBack(id: string, rest: string): void {
    const draft = this.#chat.find(id)?.draft ?? '';
    this.#chat.composers.setDraft(id, [rest, draft].filter((text) => text !== '').join('\n'), true);
    this.#chat.composers.setComposing(id, { unsent: '' });
  }
}
