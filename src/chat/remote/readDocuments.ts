import type { Document } from '../../client/models';
import { collect } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';

/**
 * Reads all documents that the service has of a conversation (contract: GET /documents): undefined where it lacks the
 * operation, or answers without a list, which the contract doesn't show. Throws ServiceError.
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
