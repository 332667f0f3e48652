import type { Document } from '../../client/models';
import { collect } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';

/**
 * Reads all documents of a conversation from the service (contract: GET /documents). Returns undefined if it
 * lacks the operation or answers without a list, which the contract doesn't mention. Throws ServiceError.
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
