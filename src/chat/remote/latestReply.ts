import type { Message } from '../../client/models';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/serviceError';

/** Maximum wait for a reply's sources after its end. */
const TIMEOUT_MS = 5_000;

/**
 * Finds the latest reply of a conversation that isn't stored here, for its sources and its cost. A failure only means that they
 * are unknown.
 */
export async function findLatestReply(
  client: ServiceClient,
  conversationId: string,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const { items } = await client.listMessages({ conversationId }, inTime);
    const replies = items.filter(
      (message) =>
        message.machine === true &&
        (message.conversationId === undefined || message.conversationId === conversationId),
    );
    const [latest] = replies.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
    if (!latest?.mayHaveMoreSources || latest.id === '') return latest;
    return await client.getMessage(latest.id, inTime);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
