import type { Chat } from '../conversations/chat';
import { findBaseUrl, getServiceName } from '../model/conversation';
import type { RemoteConversations } from '../remote/remoteConversations';
import type { Connect } from '../remote/service';

/**
 * Sets the documents that the bot may answer from in a conversation, which is created on the service if needed
 * (docs/service.md: Focus). Sends no empty list. Throws ServiceError.
 */
export async function setInitialFocus(
  { chat, remote, connect }: { chat: Chat; remote: RemoteConversations; connect: Connect },
  id: string,
  documentIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (documentIds.length === 0) return;
  const service = connect(findBaseUrl(chat.findConversation(id)));
  const remoteId = await remote.ensureCreated(id, service, signal);
  const conversation = chat.findConversation(id);
  if (!conversation?.bot) return;
  const name = getServiceName(conversation);
  await service.client.updateConversation(
    remoteId,
    { name, botId: conversation.bot.id, documentIds },
    signal,
  );
}
