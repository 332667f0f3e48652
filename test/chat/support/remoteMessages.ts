import type { MessageTurn, ReplyTurn, Turn } from '../../../src/chat/model/turn';
import type { Message } from '../../../src/client/models';

/** The time of turns and messages by default: Unix time in seconds. */
export const NOW_SECONDS = 1_770_000_000;

export const createMessageTurn = (
  id: string,
  text: string,
  about: Partial<MessageTurn> = {},
): MessageTurn => ({ kind: 'message', id, text, at: NOW_SECONDS * 1000, ...about });

export const createReplyTurn = (
  id: string,
  messageId: string,
  text: string,
  about: Partial<ReplyTurn> = {},
): ReplyTurn => ({
  kind: 'reply',
  id,
  messageId,
  bot: 'Guide',
  text,
  at: NOW_SECONDS * 1000,
  ending: 'complete',
  ...about,
});

export const createDocumentTurn = (id: string, about: { at?: number } = {}): Turn => ({
  kind: 'document',
  id,
  name: 'a.txt',
  size: 1,
  sent: 1,
  at: NOW_SECONDS * 1000,
  state: 'attached',
  ...about,
});

export const createRemoteMessage = (
  id: string,
  content: string,
  machine: boolean | undefined,
  about: Partial<Message> = {},
): Message => ({ id, content, machine, createdAt: NOW_SECONDS, sources: [], ...about });
