import { basePath, createApi } from './api/api';
import { addControl } from './control';
import { type Conversions, createConversions } from './conversions';
import type { Fault } from './faults/faults';
import { createHistory, type History } from './history';
import { listen, stopServer } from './http/http';
import type { RecordedRequest } from './http/recorder';
import type { Conversation, Folder, Message, ServiceDocument } from './records';
import type { LocalServiceOptions } from './settings';
import { addInitialFolders, createState } from './state';
import { createObjectStore } from './storage/objectStore';
import { createScript, type ScriptedReply } from './streams/scriptedReply';
import { createStreamHost } from './streams/streamHost';

export type { ProfileName } from './profiles';
export type { LocalServiceOptions } from './settings';

/** What a client needs; `main.ts --json` prints it. */
export interface ServiceAddress {
  /** The value for `parley.baseUrl`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly bots: readonly { readonly id: string; readonly name: string }[];
}

export interface LocalService extends ServiceAddress {
  readonly apiOrigin: string;
  readonly streamOrigin: string;
  readonly storageOrigin: string;
  /** All requests to the three origins so far. */
  readonly requests: readonly RecordedRequest[];
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly messages: ReadonlyMap<string, Message>;
  /** How many messages were accepted, also in conversations that were deleted. */
  readonly acceptedMessages: number;
  readonly documents: ReadonlyMap<string, ServiceDocument>;
  readonly folders: ReadonlyMap<string, Folder>;
  /** Controls when documents are listed and converted. */
  readonly conversions: Conversions;
  /** Controls when the history has late replies. */
  readonly history: History;
  /** The uploaded bytes by key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /**
   * Resolves to the first past or future request that `predicate` accepts. Rejects when nothing has moved for
   * `hangMs` (default 60,000).
   */
  waitForRequest(predicate: (request: RecordedRequest) => boolean, hangMs?: number): Promise<RecordedRequest>;
  /** Lets the test drive the reply to the next message instead of the bot. Scripts are used in order. */
  script(): ScriptedReply;
  inject(fault: Fault): void;
  clearFaults(): void;
  /**
   * Clears scripts, faults and requests. Throws if a script or a fault was never used, because its test then
   * proves nothing.
   */
  reset(): void;
  /** Deletes all conversations, messages and documents, and the folders that clients created. */
  clearRecords(): void;
  /** Closes all connections; leaves no socket or timer. */
  close(): Promise<void>;
}

/**
 * Starts the service on loopback: API, stream host and object store on three ports. Rejects if a port is in
 * use.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const state = createState(options);
  const ports = options.ports ?? { api: 0, stream: 0, storage: 0 };
  const started = await Promise.allSettled([
    listen('api', ports.api, state.recorder, addControl(state, createApi(state))),
    listen('stream', ports.stream, state.recorder, createStreamHost(state)),
    listen('storage', ports.storage, state.recorder, createObjectStore(state)),
  ]);
  const listening = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async () => {
    state.closing.abort();
    state.recorder.close();
    await Promise.all(listening.map(({ server }) => stopServer(server)));
  };
  const [api, stream, storage] = listening;
  if (!api || !stream || !storage) {
    await close();
    throw started.find((result) => result.status === 'rejected')?.reason;
  }
  Object.assign(state.origins, { api: api.origin, stream: stream.origin, storage: storage.origin });
  return {
    baseUrl: api.origin + basePath,
    key: state.settings.key,
    bots: state.settings.bots.map(({ id, name }) => ({ id, name })),
    apiOrigin: api.origin,
    streamOrigin: stream.origin,
    storageOrigin: storage.origin,
    requests: state.recorder.requests,
    conversations: state.conversations,
    messages: state.messages,
    get acceptedMessages() {
      return state.acceptedAt.length;
    },
    documents: state.documents,
    folders: state.folders,
    conversions: createConversions(state),
    history: createHistory(state),
    objects: state.objects,
    waitForRequest: (predicate, hangMs) => state.recorder.waitFor(predicate, hangMs),
    script() {
      const script = createScript();
      state.scripts.push(script);
      return script.reply;
    },
    inject: (fault) => state.faults.inject(fault),
    clearFaults: () => state.faults.clear(),
    reset() {
      const unused = [...state.faults.describeUnused(), ...state.scripts.map(() => 'a scripted reply')];
      state.faults.clear();
      state.scripts.length = 0;
      state.recorder.clear();
      if (unused.length > 0) throw new Error(`The local service never used ${unused.join(', ')}`);
    },
    clearRecords() {
      const { conversations, messages, documents, folders, uploads, objects } = state;
      for (const records of [conversations, messages, documents, folders, uploads, objects]) records.clear();
      state.acceptedAt.length = 0;
      addInitialFolders(state);
    },
    close,
  };
}
