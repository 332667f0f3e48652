import type { Message, Page } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import type { Service } from './service';

interface Query {
  readonly conversationId: string;
  readonly page?: number | undefined;
}

/**
 * Reads one page of a conversation's messages, with usage if the service supports it. Throws ServiceError.
 */
export async function listMessages(
  service: Service,
  query: Query,
  signal: AbortSignal,
): Promise<Page<Message>> {
  try {
    return await listPage(service, query, signal);
  } catch (error) {
    // After the last page some services return an empty one and others a 404, which doesn't mean that the
    // operation is missing.
    const isMissing = error instanceof ServiceError && error.status === 404 && (query.page ?? 1) > 1;
    if (isMissing) return { items: [] };
    throw error;
  }
}

async function listPage(
  { client, capabilities }: Service,
  query: Query,
  signal: AbortSignal,
): Promise<Page<Message>> {
  if (!capabilities.has('usage')) return client.listMessages(query, signal);
  try {
    return await client.listMessages({ ...query, withUsage: true }, signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) throw error;
    const page = await client.listMessages(query, signal);
    capabilities.setMissing('usage');
    return page;
  }
}
