import type { Document } from '../../client/models';
import { collect } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';

/**
 * Reads all documents of a conversation (docs/service.md: GET /documents). Returns undefined if the service lacks
 * the operation or answers without a list. Throws ServiceError.
 */
export async function readDocuments(
  service: Service,
  remote: RemoteConversations,
  conversationId: string,
  remoteId: string,
  signal?: AbortSignal,
): Promise<readonly Document[] | undefined> {
  try {
    return await service.capabilities.use(
      'GET /documents',
      () => collect(service.client.documents(remoteId, signal)),
      (error) => remote.checkConversation(conversationId, service, error),
    );
  } catch (error) {
    const isNoList = error instanceof ServiceError && (error.reason === 'empty' || error.reason === 'field');
    if (isNoList) return undefined;
    throw error;
  }
}
