import { randomBytes } from 'node:crypto';
import { basePath, createApi } from './api';
import type { Bot, Pace } from './bots/bot';
import { echo } from './bots/echo';
import { guide } from './bots/guide';
import { createModelBot, type OpenAiOptions } from './bots/openAi';
import { type Fault, FaultQueue } from './faults';
import { listen, stop } from './http';
import { createObjectStore } from './objectStore';
import { type RecordedRequest, Recorder } from './recorder';
import type { Conversation, Message, ServiceDocument } from './records';
import { createScript, type ScriptedReply } from './scriptedReply';
import { Signer } from './signer';
import type { ObjectStorage, ServiceState } from './state';
import { createStreamHost } from './streamHost';

export interface LocalServiceOptions {
  /** Default: any free ones. */
  readonly ports?: { readonly api: number; readonly stream: number; readonly storage: number };
  /** Default: random. */
  readonly key?: string;
  /** GET /bots and GET /conversations exist (default); else they answer 404. */
  readonly lists?: boolean;
  /** Messages per 30 days, then 402. Default: no limit. */
  readonly quota?: number;
  /** How fast the bots talk. Default `instant`. */
  readonly pace?: Pace;
  /** Of a document. Default 100 MB. */
  readonly maxUploadBytes?: number;
  /** Uploaded bytes are counted and dropped, and the objects stay empty: for measurements. */
  readonly discardUploads?: boolean;
  /** Of a document, without the dot. */
  readonly acceptedExtensions?: readonly string[];
  /** Uploads go to this store in place of our own. */
  readonly objectStorage?: ObjectStorage;
  /** POST /uploads/signed-url answers `{ data: { url, key } }`, as the contract's usage example reads it. */
  readonly wrapSigned?: boolean;
  /** GET /messages answers `{ data: [...], meta }` in place of the contract's array. */
  readonly wrapMessages?: boolean;
  /** Stream URLs are on the API's own origin and want its key. */
  readonly streamOnApi?: boolean;
  /** How long a new document is `syncing`. Default 1500 ms. */
  readonly syncMs?: number;
  /** Milliseconds since the epoch, for quota, expiry and syncing. Default: the clock. */
  readonly now?: () => number;
  /** Adds the bot Model, which speaks to an OpenAI-compatible server. */
  readonly openAi?: OpenAiOptions;
}

export interface LocalService {
  /** What `parley.baseUrl` is set to. */
  readonly baseUrl: string;
  readonly key: string;
  readonly bots: readonly { readonly id: string; readonly name: string }[];
  readonly apiOrigin: string;
  readonly streamOrigin: string;
  readonly storageOrigin: string;
  /** Every request so far, of the three origins. */
  readonly requests: readonly RecordedRequest[];
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly messages: ReadonlyMap<string, Message>;
  readonly documents: ReadonlyMap<string, ServiceDocument>;
  /** Uploaded bytes by key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** The first request, past or to come, that `predicate` accepts. Rejects after `timeoutMs` (default 30,000). */
  waitForRequest(
    predicate: (request: RecordedRequest) => boolean,
    timeoutMs?: number,
  ): Promise<RecordedRequest>;
  /** The next message's reply is driven by the test, in place of the bot's. Several wait in order. */
  script(): ScriptedReply;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Forgets scripts, faults and requests. Throws where a script or a fault was never used: its test proved nothing by it. */
  reset(): void;
  /** Forgets every conversation, message and document. */
  clearRecords(): void;
  /** Ends every connection; leaves no socket or timer. */
  close(): Promise<void>;
}

export const defaultExtensions = ['txt', 'md', 'rtf', 'pdf', 'ppt', 'pptx', 'pptm', 'doc', 'docx', 'docm'];

/** Starts the service on loopback: API, stream host and object store on three ports. Rejects when a port is taken. */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const bots = [guide, echo, ...(options.openAi ? [createModelBot(options.openAi)] : [])];
  const state = createState(options, bots);
  const ports = options.ports ?? { api: 0, stream: 0, storage: 0 };
  const started = await Promise.allSettled([
    listen('api', ports.api, state.recorder, createApi(state)),
    listen('stream', ports.stream, state.recorder, createStreamHost(state)),
    listen('storage', ports.storage, state.recorder, createObjectStore(state)),
  ]);
  const listening = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async () => {
    state.recorder.close();
    await Promise.all(listening.map(({ server }) => stop(server)));
  };
  const [api, stream, storage] = listening;
  if (!api || !stream || !storage) {
    await close();
    throw started.find((each) => each.status === 'rejected')?.reason;
  }
  Object.assign(state.origins, { api: api.origin, stream: stream.origin, storage: storage.origin });
  return {
    baseUrl: api.origin + basePath,
    key: state.settings.key,
    bots: bots.map(({ id, name }) => ({ id, name })),
    apiOrigin: api.origin,
    streamOrigin: stream.origin,
    storageOrigin: storage.origin,
    requests: state.recorder.requests,
    conversations: state.conversations,
    messages: state.messages,
    documents: state.documents,
    objects: state.objects,
    waitForRequest: (predicate, timeoutMs = 30_000) => state.recorder.wait(predicate, timeoutMs),
    script() {
      const script = createScript();
      state.scripts.push(script);
      return script.reply;
    },
    inject: (fault) => state.faults.inject(fault),
    clearFaults: () => state.faults.clear(),
    reset() {
      const unused = [...state.faults.unused(), ...state.scripts.map(() => 'a scripted reply')];
      state.faults.clear();
      state.scripts.length = 0;
      state.recorder.forget();
      if (unused.length > 0) throw new Error(`The local service never used ${unused.join(', ')}`);
    },
    clearRecords() {
      const { conversations, messages, documents, uploads, objects } = state;
      for (const records of [conversations, messages, documents, uploads, objects]) records.clear();
    },
    close,
  };
}

function createState(options: LocalServiceOptions, bots: readonly Bot[]): ServiceState {
  const now = options.now ?? Date.now;
  return {
    settings: {
      key: options.key ?? `parley-local-${randomBytes(6).toString('hex')}`,
      lists: options.lists ?? true,
      quota: options.quota ?? Number.POSITIVE_INFINITY,
      pace: options.pace ?? 'instant',
      maxUploadBytes: options.maxUploadBytes ?? 100_000_000,
      discardUploads: options.discardUploads ?? false,
      objectStorage: options.objectStorage,
      acceptedExtensions: options.acceptedExtensions ?? defaultExtensions,
      wrapSigned: options.wrapSigned ?? false,
      wrapMessages: options.wrapMessages ?? false,
      streamOnApi: options.streamOnApi ?? false,
      syncMs: options.syncMs ?? 1500,
    },
    bots,
    conversations: new Map(),
    messages: new Map(),
    documents: new Map(),
    uploads: new Map(),
    objects: new Map(),
    streams: new Map(),
    scripts: [],
    faults: new FaultQueue(),
    recorder: new Recorder(),
    signer: new Signer(now),
    now,
    origins: { api: '', stream: '', storage: '' },
  };
}
