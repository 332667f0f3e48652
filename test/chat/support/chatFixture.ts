import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Chat } from '../../../src/chat/conversations/chat';
import { DocumentStatus } from '../../../src/chat/documents/documentStatus';
import { FocusSync } from '../../../src/chat/documents/focusSync';
import { ServiceDocuments } from '../../../src/chat/documents/serviceDocuments';
import { UploadQueue } from '../../../src/chat/documents/uploadQueue';
import type { ChatEvent } from '../../../src/chat/model/chatEvent';
import type { Conversation } from '../../../src/chat/model/conversation';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { QueueRunner } from '../../../src/chat/queue/queueRunner';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import { MessageSync } from '../../../src/chat/remote/messageSync';
import { RemoteConversations } from '../../../src/chat/remote/remoteConversations';
import type { Connect, Service } from '../../../src/chat/remote/service';
import { Replies } from '../../../src/chat/replies/replies';
import { DEFAULT_LEASE_TIMES, type LeaseTimes } from '../../../src/chat/store/files/lease';
import type { Storage } from '../../../src/chat/store/files/storage';
import { ConversationStore } from '../../../src/chat/store/store';
import { DEFAULT_DEADLINES, type Deadlines } from '../../../src/client/abortScope';
import type { Fetch } from '../../../src/client/fetch';
import { ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/serviceError';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { createPatientFetch } from '../../client/support/clients';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../service/localService';
import { AskedForFolder } from './askedForFolder';

/** A chat connected to the local service, with a record of its events. */
export interface ChatFixture {
  /** The folder with the conversations. */
  readonly folder: string;
  readonly service: LocalService;
  readonly store: ConversationStore;
  readonly chat: Chat;
  readonly remote: RemoteConversations;
  readonly replies: Replies;
  readonly uploads: UploadQueue;
  readonly folders: AskedForFolder;
  readonly queueRunner: QueueRunner;
  readonly documentStatus: DocumentStatus;
  readonly focusSync: FocusSync;
  readonly messageSync: MessageSync;
  readonly serviceDocuments: ServiceDocuments;
  readonly connect: Connect;
  readonly events: readonly ChatEvent[];
  /** Changes the key for the next request. */
  useKey(key: string | undefined): void;
  useBaseUrl(url: string): void;
  /** Sets up another service besides the first. */
  addService(other: Pick<LocalService, 'baseUrl' | 'key'>): void;
  removeService(other: Pick<LocalService, 'baseUrl'>): void;
  /** Replaces the clock of the refreshes of messages; returns ms since the epoch. */
  useClock(now: () => number): void;
  /** Changes the delays of the next request; unnamed ones keep their defaults. */
  useDeadlines(deadlines: Partial<Deadlines>): void;
  newConversation(botId?: string): Conversation;
  /** Resolves with the first matching event, past or future. */
  until(fits: (event: ChatEvent) => boolean): Promise<ChatEvent>;
  /** Resolves with the reply to the conversation's latest message once it has ended. */
  ended(conversationId: string): Promise<ReplyTurn>;
  /** Opens another window on the same conversations and the same service. */
  otherWindow(options?: WindowOptions): Promise<ChatFixture>;
  /** Opens a window on another machine, with the same service and an empty disk. */
  otherMachine(): Promise<ChatFixture>;
  /** How many requests of this window wait for their response or read it. */
  countRunningRequests(): number;
  /** Background failures; any other must not occur until the fixture is closed. */
  takeErrors(): unknown[];
  /** Closes the window, and the service and the folder if it created them. */
  close(): Promise<void>;
}

/** A window that a slow machine stops for some seconds isn't taken for one that has ended. */
const PATIENT_LEASE_TIMES: LeaseTimes = { ...DEFAULT_LEASE_TIMES, staleMs: 600_000 };

export interface WindowOptions {
  readonly createStorage?: (folder: string) => Storage;
  /** The window's name for other windows. */
  readonly owner?: string;
  readonly leaseTimes?: LeaseTimes;
  readonly wrapFetch?: (fetch: Fetch) => Fetch;
}

/** Answers yes to whether to send a message again. */
export const sendAgain = async (): Promise<boolean> => true;

export async function startChat(
  options?: LocalServiceOptions,
  createStorage?: (folder: string) => Storage,
): Promise<ChatFixture> {
  const service = await startLocalService(options);
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-chat-'));
  const cleanUp = async () => {
    await service.close();
    // What is written last may be written now.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    service.reset();
  };
  return openWindow(service, folder, cleanUp, { ...(createStorage && { createStorage }) });
}

async function openWindow(
  service: LocalService,
  folder: string,
  cleanUp: () => Promise<void>,
  {
    createStorage = (at) => new NodeStorage(at),
    owner = 'test',
    leaseTimes = PATIENT_LEASE_TIMES,
    wrapFetch = (fetch) => fetch,
  }: WindowOptions = {},
): Promise<ChatFixture> {
  let key: string | undefined = service.key;
  let baseUrl = service.baseUrl;
  let deadlines = DEFAULT_DEADLINES;
  let running = 0;
  const nodeFetch = wrapFetch(createPatientFetch());
  const fetch: Fetch = (...request) => {
    running++;
    return nodeFetch(...request);
  };
  const onRequest = () => running--;
  const otherKeys = new Map<string, string>();
  const connected = new Map<string, Service>();
  const connect: Connect = (wanted = baseUrl) => {
    if (wanted !== baseUrl && !otherKeys.has(wanted))
      throw new ServiceError('serviceMissing', { operation: 'connect', message: 'removed', maySend: true });
    const known = connected.get(wanted);
    if (known) return known;
    const apiKey = async () => otherKeys.get(wanted) ?? key;
    const client = new ServiceClient({ baseUrl: wanted, apiKey, fetch, onRequest, deadlines });
    const created = { baseUrl: wanted, client, capabilities: new Capabilities() };
    connected.set(wanted, created);
    return created;
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const store = new ConversationStore(createStorage(folder), owner, onError, leaseTimes);
  const chat = new Chat(store);
  const remote = new RemoteConversations(chat, connect);
  let now = Date.now;
  const messageSync = new MessageSync(chat, remote, connect, () => now());
  const replies = new Replies(chat, remote, messageSync, connect);
  const queueRunner = new QueueRunner({ chat, replies });
  const pauses = { firstMs: 20, maxMs: 40, minListAgeMs: 30_000 };
  const documentStatus = new DocumentStatus(chat, remote, connect, pauses);
  const focusSync = new FocusSync(chat, remote, connect);
  const events: ChatEvent[] = [];
  const waiting: { fits: (event: ChatEvent) => boolean; resolve: (event: ChatEvent) => void }[] = [];
  chat.onChatEvent((event) => {
    events.push(event);
    for (const waiter of [...waiting]) {
      if (!waiter.fits(event)) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve(event);
    }
  });
  const folders = new AskedForFolder();
  const uploads = new UploadQueue(chat, remote, folders, connect);
  const until = (fits: (event: ChatEvent) => boolean) => {
    const past = events.find(fits);
    return past
      ? Promise.resolve(past)
      : new Promise<ChatEvent>((resolve) => waiting.push({ fits, resolve }));
  };
  return {
    takeErrors: () => errors.splice(0),
    service,
    folder,
    store,
    chat,
    remote,
    replies,
    uploads,
    folders,
    queueRunner,
    documentStatus,
    focusSync,
    messageSync,
    serviceDocuments: new ServiceDocuments(chat, remote),
    connect,
    events,
    useKey(next) {
      key = next;
    },
    useBaseUrl(url) {
      baseUrl = url;
    },
    addService(other) {
      otherKeys.set(other.baseUrl, other.key);
    },
    removeService(other) {
      otherKeys.delete(other.baseUrl);
    },
    useClock(clock) {
      now = clock;
    },
    useDeadlines(next) {
      deadlines = { ...DEFAULT_DEADLINES, ...next };
      connected.clear();
    },
    newConversation(botId = 'echo') {
      const bot = service.bots.find(({ id }) => id === botId) ?? { id: botId, name: botId };
      return chat.createConversation(bot);
    },
    until,
    async ended(conversationId) {
      const current = chat.findConversation(conversationId)?.turns.findLast((turn) => turn.kind === 'reply');
      if (current?.kind === 'reply' && current.ending) return current;
      const event = await until((e) => e.type === 'ended' && e.turn.id === current?.id);
      if (event.type !== 'ended') throw new Error('unreachable');
      return event.turn;
    },
    countRunningRequests: () => running,
    async otherMachine() {
      const own = await mkdtemp(path.join(tmpdir(), 'parley-chat-'));
      return openWindow(service, own, () => rm(own, { recursive: true, force: true }));
    },
    otherWindow: (options) => openWindow(service, folder, async () => undefined, options),
    async close() {
      queueRunner.dispose();
      messageSync.dispose();
      documentStatus.dispose();
      focusSync.dispose();
      uploads.dispose();
      remote.dispose();
      await replies.dispose();
      await chat.queues.whenSettled();
      await store.dispose();
      chat.dispose();
      await cleanUp();
      assert.deepEqual(errors, []);
    },
  };
}
