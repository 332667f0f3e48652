import { randomUUID } from 'node:crypto';
import type { Bot, Pace } from './bots/bot';
import type { FaultQueue } from './faults';
import type { PendingStream } from './pendingStream';
import type { Recorder } from './recorder';
import type { Conversation, Message, ServiceDocument, SignedUpload } from './records';
import type { Script } from './scriptedReply';
import type { Signer } from './signer';

/** A store of somebody else's make. */
export interface ObjectStorage {
  /** The URL that a PUT with this content type may go to; one that has expired already, where that is asked for. */
  presign(key: string, contentType: string, expired: boolean): Promise<string>;
  /** What was put there; undefined where nothing was. */
  read(key: string): Promise<Buffer | undefined>;
}

/** What the service was started with, complete. */
export interface Settings {
  readonly key: string;
  readonly lists: boolean;
  readonly quota: number;
  readonly pace: Pace;
  readonly maxUploadBytes: number;
  readonly discardUploads: boolean;
  readonly objectStorage: ObjectStorage | undefined;
  readonly acceptedExtensions: readonly string[];
  readonly wrapSigned: boolean;
  readonly wrapMessages: boolean;
  readonly streamOnApi: boolean;
  readonly syncMs: number;
}

/** Everything that the three origins share. */
export interface ServiceState {
  readonly settings: Settings;
  readonly bots: readonly Bot[];
  readonly conversations: Map<string, Conversation>;
  readonly messages: Map<string, Message>;
  readonly documents: Map<string, ServiceDocument>;
  /** What a signed URL was issued for, by key. */
  readonly uploads: Map<string, SignedUpload>;
  /** Stored bytes by key. */
  readonly objects: Map<string, Buffer>;
  /** Streams that were promised to a client, by token. */
  readonly streams: Map<string, PendingStream>;
  /** Replies that tests drive, for the next messages. */
  readonly scripts: Script[];
  readonly faults: FaultQueue;
  readonly recorder: Recorder;
  readonly signer: Signer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Known once the three are listening. */
  readonly origins: { api: string; stream: string; storage: string };
}

export function seconds(state: ServiceState): number {
  return Math.floor(state.now() / 1000);
}

export function addConversation(state: ServiceState, name: string, botId: string): Conversation {
  const conversation = { id: randomUUID(), name, bot_id: botId, created_at: seconds(state) };
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
    created_at: seconds(state),
    sources: [],
    ...message,
  };
  state.messages.set(added.id, added);
  return added;
}

export function messagesOf(state: ServiceState, conversationId: string): Message[] {
  return [...state.messages.values()].filter((message) => message.conversation_id === conversationId);
}

export function documentsOf(state: ServiceState, conversationId: string): ServiceDocument[] {
  return [...state.documents.values()].filter((document) => document.conversation_id === conversationId);
}
