import type { Document } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import type { Chat } from '../conversations/chat';
import { type Conversation, isReplaced } from '../model/conversation';
import { readDocuments } from './readDocuments';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';

/** A document that the service has of a conversation, and that is none of those that are shown as uploaded here. */
export interface ServiceDocument {
  readonly document: Document;
  /** `older`: a newer version was uploaded here since. */
  readonly origin: 'elsewhere' | 'older';
}

/** Finds what the service lists besides the documents that were uploaded here. */
export function findServiceDocuments(conversation: Conversation): ServiceDocument[] {
  const own = conversation.turns.filter((turn) => turn.kind === 'document');
  const byId = new Map(own.map((turn) => [turn.documentId, turn]));
  // The service may list a document before this side has heard its id.
  const nameless = new Set(
    own.flatMap(({ documentId, state, name }) =>
      documentId === undefined && state !== 'failed' && state !== 'cancelled' ? [name.normalize()] : [],
    ),
  );
  const { listed, focus } = conversation;
  // The service lists only what is in the focus.
  const documents = [
    ...(listed?.documents ?? []),
    ...(focus?.excluded ?? []),
    ...(focus?.changes ?? []).map(({ document }) => document),
  ];
  const unique = new Map(documents.map((document) => [document.id, document]));
  return [...unique.values()].flatMap((document): ServiceDocument[] => {
    const turn = byId.get(document.id);
    if (turn) return isReplaced(conversation, turn.id) ? [{ document, origin: 'older' }] : [];
    return nameless.has(document.name.normalize()) ? [] : [{ document, origin: 'elsewhere' }];
  });
}

/** Removes documents from the service. */
export class ServiceDocuments {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: () => Service;

  constructor(chat: Chat, remote: RemoteConversations, connect: () => Service) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
  }

  /** False where the service has no such operation, which is not offered again. Throws ServiceError. */
  async remove(id: string, documentId: string): Promise<boolean> {
    const { remote } = this.#chat.find(id) ?? {};
    const service = this.#connect();
    if (!remote || remote.baseUrl !== service.baseUrl) return false;
    let removed: true | undefined;
    try {
      removed = await service.capabilities.use(
        'DELETE /documents/{id}',
        async () => {
          await service.client.deleteDocument(documentId);
          return true as const;
        },
        async () => {
          const documents = await readDocuments(service, this.#remote, id, remote.id);
          return documents?.some((document) => document.id === documentId) ? 'there' : 'gone';
        },
      );
    } catch (error) {
      // What is gone already needs no removal.
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      removed = true;
    }
    const { documents = [] } = this.#chat.find(id)?.listed ?? {};
    this.#chat.setListedDocuments(id, {
      documents: removed ? documents.filter((document) => document.id !== documentId) : documents,
      canRemove: removed === true,
    });
    const { focus } = this.#chat.find(id) ?? {};
    if (removed && focus) {
      const excluded = focus.excluded.filter((document) => document.id !== documentId);
      this.#chat.setFocus(id, { ...focus, excluded });
    }
    return removed === true;
  }
}
