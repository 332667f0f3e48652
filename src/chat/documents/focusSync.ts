import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { Mutex } from '../base/mutex';
import type { Chat } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import {
  type Conversation,
  type FocusChange,
  findBaseUrl,
  getServiceName,
  isReplaced,
} from '../model/conversation';
import type { RemoteConversations } from '../remote/remoteConversations';
import { type Connect, type Service, waitForRateLimit } from '../remote/service';

/** Thrown instead of sending an empty list of documents, which may mean anything (docs/service.md: Focus). */
export class LastDocumentError extends Error {
  override readonly name = 'LastDocumentError';
}

/** A read of the focus since its conversation was shown. */
interface FocusRead {
  readonly remoteId: string;
  readonly controller: AbortController;
}

/**
 * Reads and changes which documents the bot may answer from (docs/service.md: Focus).
 *
 * Reads once each time a conversation with documents is shown. Failures of reads are only logged.
 */
export class FocusSync {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: Connect;
  readonly #reads = new Map<string, FocusRead>();
  /** One request about a conversation at a time: the service takes the whole list, not a change to it. */
  readonly #mutexes = new Map<string, Mutex>();
  #visible: ReadonlySet<string> = new Set();
  readonly #listener: { dispose(): void };

  constructor(chat: Chat, remote: RemoteConversations, connect: Connect) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
    this.#listener = chat.onChatEvent((event) => this.#handleChatEvent(event));
  }

  /** Sets the IDs of the conversations that are on screen. */
  setVisible(conversationIds: ReadonlySet<string>): void {
    this.#visible = conversationIds;
    for (const id of [...this.#reads.keys()]) if (!conversationIds.has(id)) this.#abortRead(id);
    for (const id of conversationIds) this.#startRead(id);
  }

  /**
   * Includes a document in the focus, or excludes it. The conversation shows the change at once, and reverts it if it
   * fails. Throws LastDocumentError and ServiceError.
   */
  async setIncluded(id: string, document: Document, included: boolean): Promise<void> {
    const change: FocusChange = { document, included };
    const before = this.#chat.findConversation(id);
    if (before?.focus) {
      const changes = [...before.focus.changes, change];
      this.#chat.documents.setFocus(id, { ...before.focus, changes }, before.excluded ?? []);
    }
    let accepted = false;
    try {
      await this.#getMutex(id).run(() => this.#sendChange(id, change));
      accepted = true;
      if (included) this.#addToList(id, document);
    } catch (error) {
      // The service may have made the change anyway.
      this.#abortRead(id);
      if (this.#visible.has(id)) this.#startRead(id);
      throw error;
    } finally {
      const { focus, excluded = [] } = this.#chat.findConversation(id) ?? {};
      if (focus) {
        const changes = focus.changes.filter((other) => other !== change);
        if (accepted) {
          const ids = focus.included.filter((other) => other !== document.id);
          const others = excluded.filter((other) => other.id !== document.id);
          this.#chat.documents.setFocus(
            id,
            { included: included ? [...ids, document.id] : ids, changes },
            included ? others : [...others, document],
          );
        } else this.#chat.documents.setFocus(id, { ...focus, changes }, excluded);
      }
    }
  }

  dispose(): void {
    this.#listener.dispose();
    for (const id of [...this.#reads.keys()]) this.#abortRead(id);
  }

  #handleChatEvent(event: ChatEvent): void {
    const { conversationId: id, type } = event;
    if (!this.#visible.has(id)) return;
    // Documents among the earlier turns may be excluded.
    if (type === 'earlierTurns') this.#abortRead(id);
    const mayHaveNews =
      type === 'earlierTurns' ||
      type === 'changed' ||
      type === 'documents' ||
      (type === 'turn' && event.turn.kind === 'document');
    if (mayHaveNews) this.#startRead(id);
  }

  #abortRead(id: string): void {
    this.#reads.get(id)?.controller.abort();
    this.#reads.delete(id);
  }

  #startRead(id: string): void {
    const conversation = this.#chat.findConversation(id);
    const { remote, listed, bot } = conversation ?? {};
    if (!conversation || !remote || remote.gone || !bot || this.#reads.get(id)?.remoteId === remote.id)
      return;
    const { excluded = [] } = conversation;
    if (!listed?.documents.length && !excluded.length && findOwnDocuments(conversation).length === 0) return;
    this.#abortRead(id);
    const read: FocusRead = { remoteId: remote.id, controller: new AbortController() };
    this.#reads.set(id, read);
    const { signal } = read.controller;
    this.#getMutex(id)
      .run(() => this.#readFocus(id, signal))
      .catch((error: unknown) => {
        if (!signal.aborted && !(error instanceof ServiceError)) this.#chat.reportError(error);
      });
  }

  async #readFocus(id: string, signal: AbortSignal): Promise<void> {
    const service = this.#connect(findBaseUrl(this.#chat.findConversation(id)));
    await waitForRateLimit(service, signal);
    const conversation = this.#chat.findConversation(id);
    if (signal.aborted || !conversation?.remote || conversation.remote.baseUrl !== service.baseUrl) return;
    // Found before the request: documents that are added in the meantime are in the focus.
    const knownExcluded = conversation.excluded ?? [];
    const documents = [...findOwnDocuments(conversation), ...knownExcluded];
    const included = await readDocumentIds(service, conversation.remote.id, signal);
    if (!included || signal.aborted) return;
    const excluded = new Map(
      // What an empty list means is unknown, so it excludes nothing.
      (included.length === 0 ? knownExcluded : documents).flatMap((document) =>
        included.includes(document.id) ? [] : [[document.id, document]],
      ),
    );
    const now = this.#chat.findConversation(id);
    // A document was excluded in another window, or an excluded one removed: the answer may be older.
    if (JSON.stringify(now?.excluded ?? []) !== JSON.stringify(knownExcluded))
      return this.#readFocus(id, signal);
    const { changes = [] } = now?.focus ?? {};
    this.#chat.documents.setFocus(id, { included, changes }, [...excluded.values()]);
  }

  async #sendChange(id: string, { document, included }: FocusChange): Promise<void> {
    const service = this.#connect(findBaseUrl(this.#chat.findConversation(id)));
    const operation = 'POST /conversations/{id}';
    for (;;) {
      // The service adds a registered file to the focus; a list read before that would remove it again.
      await this.#whenRegistered(id);
      const { remote } = this.#chat.findConversation(id) ?? {};
      if (!remote || remote.baseUrl !== service.baseUrl) {
        const message = 'the conversation is not on this service';
        throw new ServiceError('notFound', { operation, message, maySend: true });
      }
      try {
        const documentIds = await readDocumentIds(service, remote.id);
        if (!documentIds) {
          const message = 'the service has no "document_ids"';
          throw new ServiceError('invalidResponse', { operation, message, maySend: true });
        }
        const conversation = this.#chat.findConversation(id);
        if (!conversation?.bot) return;
        if (isRegistering(conversation)) continue;
        const others = documentIds.filter((other) => other !== document.id);
        if (!included && others.length === 0) throw new LastDocumentError();
        await service.client.updateConversation(remote.id, {
          name: getServiceName(conversation),
          botId: conversation.bot.id,
          documentIds: included ? [...others, document.id] : others,
        });
        return;
      } catch (error) {
        await this.#remote.isGone(id, service, error);
        throw error;
      }
    }
  }

  /** Resolves once no upload of the conversation is being registered. */
  async #whenRegistered(id: string): Promise<void> {
    while (isRegistering(this.#chat.findConversation(id))) {
      await new Promise<void>((resolve) => {
        const listener = this.#chat.onChatEvent((event) => {
          if (event.conversationId !== id || event.type === 'chunk') return;
          listener.dispose();
          resolve();
        });
      });
    }
  }

  /** Adds an included document to the list, as the service does, until the list is read again. */
  #addToList(id: string, document: Document): void {
    const { listed } = this.#chat.findConversation(id) ?? {};
    if (!listed || listed.documents.some((other) => other.id === document.id)) return;
    this.#chat.documents.setListed(id, { ...listed, documents: [...listed.documents, document] });
  }

  #getMutex(id: string): Mutex {
    const mutex = this.#mutexes.get(id) ?? new Mutex();
    this.#mutexes.set(id, mutex);
    return mutex;
  }
}

/** Reads the IDs of the documents in the focus; undefined if the service doesn't offer it. Throws ServiceError. */
export async function readDocumentIds(
  { client, capabilities }: Service,
  remoteId: string,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (!capabilities.has('document_ids')) return undefined;
  let documentIds: readonly string[] | undefined;
  try {
    documentIds = await client.getDocumentIds(remoteId, signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) throw error;
    // Throws unless it was `includes` that the service refused.
    await client.getConversation(remoteId, signal);
  }
  if (!documentIds) capabilities.setMissing('document_ids');
  return documentIds;
}

/** Finds the documents that were uploaded here, without older versions. */
function findOwnDocuments(conversation: Conversation): Document[] {
  return conversation.turns.flatMap((turn) =>
    turn.kind === 'document' &&
    turn.state === 'attached' &&
    turn.documentId !== undefined &&
    !isReplaced(conversation, turn.id)
      ? [{ id: turn.documentId, name: turn.name, status: turn.status }]
      : [],
  );
}

function isRegistering(conversation: Conversation | undefined): boolean {
  return (conversation?.turns ?? []).some(
    (turn) => turn.kind === 'document' && turn.state === 'registering' && turn.waitsUntil === undefined,
  );
}
