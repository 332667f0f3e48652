import type { RateWindow } from './api/rateLimit';
import { idStyles } from './api/styles';
import { FaultQueue } from './faults/faults';
import { Recorder } from './http/recorder';
import { BoundedMap } from './limits';
import type { Conversation, Folder, Message, ServiceDocument, SignedUpload } from './records';
import { createSettings, type LocalServiceOptions, type Settings } from './settings';
import { Signer } from './storage/signer';
import type { PendingStream } from './streams/pendingStream';
import type { Script } from './streams/scriptedReply';

/** The state shared by the three origins. `settings.limits` bounds its collections. */
export interface ServiceState {
  readonly settings: Settings;
  readonly conversations: Map<string, Conversation>;
  readonly messages: Map<string, Message>;
  /** When messages were accepted, in ms since the epoch: the limit counts those of deleted conversations too. */
  readonly acceptedAt: number[];
  readonly documents: Map<string, ServiceDocument>;
  readonly folders: Map<string, Folder>;
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
  /** Aborted when the service closes. */
  readonly closing: AbortController;
  /** Set once the three origins are listening. */
  readonly origins: { api: string; stream: string; storage: string };
}

export function createState(options: LocalServiceOptions): ServiceState {
  const now = options.now ?? Date.now;
  const settings = createSettings(options);
  const { limits } = settings;
  const state: ServiceState = {
    settings,
    conversations: new BoundedMap(limits.conversations, (_, id) => deleteConversation(state, id)),
    messages: new BoundedMap(limits.messages),
    acceptedAt: [],
    documents: new BoundedMap(limits.documents, (document) => deleteDocument(state, document)),
    folders: new BoundedMap(limits.folders),
    uploads: new BoundedMap(limits.uploads, (_, key) => deleteObject(state, key)),
    objects: new BoundedMap(
      limits.objectBytes,
      (_, key) => deleteObject(state, key),
      (bytes) => bytes.length,
    ),
    streams: new BoundedMap(limits.streams),
    scripts: [],
    faults: new FaultQueue(),
    recorder: new Recorder(limits),
    rateWindow: { resetAt: 0, count: 0 },
    signer: new Signer(now),
    now,
    closing: new AbortController(),
    origins: { api: '', stream: '', storage: '' },
  };
  addInitialFolders(state);
  return state;
}

export function getUnixSeconds(state: ServiceState): number {
  return Math.floor(state.now() / 1000);
}

export function createId({ settings }: ServiceState): string {
  return idStyles[settings.ids]();
}

export function addConversation(state: ServiceState, name: string, botId: string): Conversation {
  const conversation = {
    id: createId(state),
    name,
    bot_id: botId,
    created_at: getUnixSeconds(state),
    document_ids: [],
  };
  state.conversations.set(conversation.id, conversation);
  return conversation;
}

export function addFolder(state: ServiceState, name: string, id = createId(state)): Folder {
  const folder = { id, name, created_at: getUnixSeconds(state) };
  state.folders.set(id, folder);
  return folder;
}

/** Adds the folders that the account has from the start. */
export function addInitialFolders(state: ServiceState): void {
  for (const { id, name } of state.settings.folders) addFolder(state, name, id);
}

export function addMessage(
  state: ServiceState,
  message: Pick<Message, 'conversation_id' | 'content' | 'machine' | 'is_web_search'>,
): Message {
  const added: Message = {
    id: createId(state),
    failed_responding: false,
    flagged: false,
    created_at: getUnixSeconds(state),
    publishedAt: 0,
    sources: [],
    usage: { tokens: 0, credits: 0 },
    ...message,
  };
  state.messages.set(added.id, added);
  return added;
}

/** Returns all messages of a conversation, also those that the history doesn't have yet. */
export function listConversationMessages(state: ServiceState, conversationId: string): Message[] {
  return [...state.messages.values()].filter((message) => message.conversation_id === conversationId);
}

/** Deletes a conversation with its messages and the documents that were uploaded to it. */
export function deleteConversation(state: ServiceState, id: string): void {
  state.conversations.delete(id);
  for (const message of state.messages.values()) {
    if (message.conversation_id === id) state.messages.delete(message.id);
  }
  for (const document of state.documents.values()) {
    if (document.conversation_id === id) deleteDocument(state, document);
  }
}

/** Deletes a document with its bytes, and removes it from the conversations that use it. */
export function deleteDocument(state: ServiceState, { id, key }: ServiceDocument): void {
  state.documents.delete(id);
  for (const conversation of state.conversations.values()) {
    if (!conversation.document_ids.includes(id)) continue;
    conversation.document_ids = conversation.document_ids.filter((other) => other !== id);
  }
  deleteObject(state, key);
}

/** Deletes stored bytes and the document that was created from them. */
function deleteObject(state: ServiceState, key: string): void {
  state.uploads.delete(key);
  state.objects.delete(key);
  for (const document of state.documents.values()) {
    if (document.key === key) deleteDocument(state, document);
  }
}

/** Returns the documents that the conversation's bot may use, in the order in which they were added. */
export function listConversationDocuments(state: ServiceState, conversationId: string): ServiceDocument[] {
  const ids = state.conversations.get(conversationId)?.document_ids ?? [];
  return ids.flatMap((id) => state.documents.get(id) ?? []);
}
