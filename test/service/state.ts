import { randomUUID } from 'node:crypto';
import type { RateWindow } from './api/rateLimit';
import type { Bot } from './bots/bot';
import type { FaultQueue } from './faults/faults';
import type { Recorder } from './http/recorder';
import type { Conversation, Message, ServiceDocument, SignedUpload } from './records';
import type { Settings } from './settings';
import type { Signer } from './storage/signer';
import type { PendingStream } from './streams/pendingStream';
import type { Script } from './streams/scriptedReply';

/** The state shared by the three origins. */
export interface ServiceState {
  readonly settings: Settings;
  readonly bots: readonly Bot[];
  readonly conversations: Map<string, Conversation>;
  readonly messages: Map<string, Message>;
  readonly documents: Map<string, ServiceDocument>;
  /** The uploads for which a signed URL was issued, by key. */
  readonly uploads: Map<string, SignedUpload>;
  /** The stored bytes, by key. */
  readonly objects: Map<string, Buffer>;
  /** The streams that were promised to clients, by token. */
  readonly streams: Map<string, PendingStream>;
  /** The scripts for the replies to the next messages. */
  readonly scripts: Script[];
  readonly faults: FaultQueue;
  readonly recorder: Recorder;
  readonly rateWindow: RateWindow;
  readonly signer: Signer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Set once the three origins are listening. */
  readonly origins: { api: string; stream: string; storage: string };
}

export function getUnixSeconds(state: ServiceState): number {
  return Math.floor(state.now() / 1000);
}

export function addConversation(state: ServiceState, name: string, botId: string): Conversation {
  const conversation = {
    id: randomUUID(),
    name,
    bot_id: botId,
    created_at: getUnixSeconds(state),
    document_ids: [],
  };
  state.conversations.set(conversation.id, conversation);
  return conversation;
}

export function addMessage(
  state: ServiceState,
  message: Pick<Message, 'conversation_id' | 'content' | 'machine' | 'is_web_search'>,
): Message {
  const added: Message = {
    id: randomUUID(),
    failed_responding: false,
    flagged: false,
    created_at: getUnixSeconds(state),
    sources: [],
    usage: { tokens: 0, credits: 0 },
    ...message,
  };
  state.messages.set(added.id, added);
  return added;
}

export function listConversationMessages(state: ServiceState, conversationId: string): Message[] {
  return [...state.messages.values()].filter((message) => message.conversation_id === conversationId);
}

/** Returns the documents that the conversation's bot may use, in the order in which they were added. */
export function listConversationDocuments(state: ServiceState, conversationId: string): ServiceDocument[] {
  const ids = state.conversations.get(conversationId)?.document_ids ?? [];
  return ids.flatMap((id) => state.documents.get(id) ?? []);
}
