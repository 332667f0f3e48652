import type { Document } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { Chat } from '../conversations/chat';
import { dropOthers, isFiltered } from '../remote/conversationLists';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Service } from '../remote/service';
import { readDocumentIds } from './focusSync';
import { matchDocuments } from './matchDocuments';

/**
 * Reads all documents of a conversation (docs/service.md: GET /documents). Returns undefined if the service lacks
 * the operation or answers without a list. Throws ServiceError.
 */
export async function readDocuments(
  service: Service,
  { chat, remote }: { readonly chat: Chat; readonly remote: RemoteConversations },
  id: string,
  remoteId: string,
  signal?: AbortSignal,
): Promise<readonly Document[] | undefined> {
  const read = (conversationId: string | undefined) => (page?: number) =>
    service.client.listDocuments({ conversationId, page }, signal);
  try {
    const readAgain = () => collectItems(readPages(read(remoteId)));
    const documents = await service.capabilities.use('GET /documents', readAgain, {
      id: remoteId,
      check: (error) => remote.checkConversation(id, service, error, signal),
    });
    if (!documents) return undefined;
    const listed = dropOthers(documents, remoteId);
    const { turns = [], focus } = chat.findConversation(id) ?? {};
    const known = new Set([
      ...turns.map((turn) => turn.kind === 'document' && turn.documentId),
      ...[...matchDocuments(turns, listed).values()].map((document) => document.id),
      ...(focus?.included ?? []),
    ]);
    const isKnown = (document: Document) => known.has(document.id);
    const readAll = read(undefined);
    if (listed.every(isKnown) || (await isFiltered(service, 'documents', listed, { readAll, readAgain })))
      return listed;
    // An empty focus may mean anything; without a document of ours the list may be anyone's.
    const included = await readDocumentIds(service, remoteId, signal);
    if (included?.length) return listed.filter((document) => included.includes(document.id));
    return listed.some(isKnown) ? listed : [];
  } catch (error) {
    const isNoList = error instanceof ServiceError && (error.reason === 'empty' || error.reason === 'field');
    if (isNoList) return undefined;
    throw error;
  }
}

const MAX_PAGES = 10;

/**
 * Lists the documents of the account, or of one conversation, as the service filters them; undefined if it lacks the list.
 * Throws ServiceError.
 */
export async function listDocuments(
  { client, capabilities }: Service,
  conversationId: string | undefined,
  signal?: AbortSignal,
): Promise<readonly Document[] | undefined> {
  return capabilities.use('GET /documents', () =>
    collectItems(
      readPages((page) => client.listDocuments({ conversationId, page }, signal), { maxPages: MAX_PAGES }),
    ),
  );
}
