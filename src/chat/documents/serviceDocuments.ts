import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { getStatusReadiness, type Readiness } from '../../shared/view/documentReadiness';
import type { Chat } from '../conversations/chat';
import { type Conversation, isReplaced } from '../model/conversation';
import { memoizeByList } from '../model/memoizeByList';
import type { RemoteConversations } from '../remote/remoteConversations';
import { createNameCheck } from './matchDocuments';
import { readDocuments } from './readDocuments';

/** A document on the service that isn't shown as uploaded here. */
export interface ServiceDocument {
  readonly document: Document;
  /** `older`: a newer version was uploaded here later. */
  readonly origin: 'addedElsewhere' | 'older';
}

/** Finds documents that the service lists besides those uploaded here. */
export function findServiceDocuments(conversation: Conversation): ServiceDocument[] {
  const ownTurns = conversation.turns.filter((turn) => turn.kind === 'document');
  const byId = new Map(ownTurns.map((turn) => [turn.documentId, turn]));
  // The service may list a document before its ID is known here.
  const mayBeOwn = createNameCheck(
    ownTurns.flatMap(({ documentId, state, name }) =>
      documentId === undefined && state !== 'failed' && state !== 'cancelled' ? [name] : [],
    ),
  );
  const { listed, focus, excluded = [] } = conversation;
  // The service lists only what is in the focus.
  const documents = [
    ...(listed?.documents ?? []),
    ...(focus ? excluded : []),
    ...(focus?.changes ?? []).map(({ document }) => document),
  ];
  const unique = new Map(documents.map((document) => [document.id, document]));
  return [...unique.values()].flatMap((document): ServiceDocument[] => {
    const turn = byId.get(document.id);
    if (turn) return isReplaced(conversation, turn.id) ? [{ document, origin: 'older' }] : [];
    return mayBeOwn(document.name) ? [] : [{ document, origin: 'addedElsewhere' }];
  });
}

/** Returns whether a bot can use a document on the service; one that isn't listed counts as ready. */
export function getServiceReadiness(conversation: Conversation | undefined, documentId: string): Readiness {
  const { documents = [] } = conversation?.listed ?? {};
  return getStatusReadiness(indexById(documents).get(documentId)?.status);
}

/** Returns the documents by their IDs: a service may list thousands. */
const indexById = memoizeByList(
  (documents: readonly Document[]): ReadonlyMap<string, Document> =>
    new Map(documents.map((document) => [document.id, document])),
);

/** Finds the service's IDs of documents that were added elsewhere and that a bot can't use yet. */
export function findPendingServiceDocuments(conversation: Conversation): string[] {
  return findServiceDocuments(conversation).flatMap(({ document, origin }) =>
    origin === 'addedElsewhere' && getServiceReadiness(conversation, document.id) === 'pending'
      ? [document.id]
      : [],
  );
}

/** Deletes documents on the service. */
export class ServiceDocuments {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;

  constructor(chat: Chat, remote: RemoteConversations) {
    this.#chat = chat;
    this.#remote = remote;
  }

  /** Returns false if the service lacks the operation, which is not offered again. Throws ServiceError. */
  async removeDocument(id: string, documentId: string): Promise<boolean> {
    const { remote } = this.#chat.findConversation(id) ?? {};
    const service = remote && this.#remote.findService(remote);
    if (!service) return false;
    let removed: true | undefined;
    try {
      removed = await service.capabilities.use(
        'DELETE /documents/{id}',
        async () => {
          await service.client.deleteDocument(documentId);
          return true as const;
        },
        {
          id: documentId,
          check: async () => {
            const places = { chat: this.#chat, remote: this.#remote };
            const documents = await readDocuments(service, places, id, remote.id);
            return documents?.some((document) => document.id === documentId) ? 'there' : 'gone';
          },
        },
      );
    } catch (error) {
      // It is already gone.
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      removed = true;
    }
    const { documents = [] } = this.#chat.findConversation(id)?.listed ?? {};
    this.#chat.documents.setListed(id, {
      documents: removed ? documents.filter((document) => document.id !== documentId) : documents,
      canRemove: removed === true,
    });
    const { focus, excluded = [] } = this.#chat.findConversation(id) ?? {};
    if (removed && focus) {
      const included = focus.included.filter((other) => other !== documentId);
      const others = excluded.filter((document) => document.id !== documentId);
      this.#chat.documents.setFocus(id, { ...focus, included }, others);
    }
    return removed === true;
  }
}
