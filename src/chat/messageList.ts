import type { Message, Page } from '../client/models';
import { ServiceError } from '../client/serviceError';
import type { Service } from './service';

/** Reads a page of a conversation's messages, with what they cost where the service tells it. Throws ServiceError. */
export async function listMessages(
  { client, capabilities }: Service,
  query: { readonly conversationId: string; readonly page?: number | undefined },
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
