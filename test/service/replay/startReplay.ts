import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cut, pause, waitUntilClosed, write } from '../http/connection';
import { type Exchange, type Handler, HttpError, listen, stopServer } from '../http/http';
import { Recorder } from '../http/recorder';
import { defaultLimits } from '../limits';
import type { ServiceAddress } from '../localService';
import { ExchangeMatcher } from './exchangeMatcher';
import type { RecordedExchange, Recording } from './recording';

const BASE_PATH = '/api/v1';
/** A body that wasn't recorded is sent as this many bytes at most. */
const MAX_UNRECORDED_BYTES = 1_000_000;

export interface ReplayOptions {
  /** Defaults to free ports. */
  readonly ports?: { readonly api: number; readonly stream: number; readonly storage: number };
  /** The key to print; any is accepted. Defaults to a random one. */
  readonly key?: string;
  /** Answers as late as the service did; otherwise at once. */
  readonly paced?: boolean;
}

export interface Replay extends ServiceAddress {
  /** Closes all connections; leaves no socket or timer. */
  close(): Promise<void>;
}

/** Starts a service on loopback that answers as a recording did. Rejects if a port is in use. */
export async function startReplay(recording: Recording, options: ReplayOptions = {}): Promise<Replay> {
  const { ports = { api: 0, stream: 0, storage: 0 }, paced = false } = options;
  const { key = `parley-replay-${randomBytes(6).toString('hex')}` } = options;
  const matcher = new ExchangeMatcher(recording.exchanges);
  const recorder = new Recorder(defaultLimits);
  const urls: Record<string, string> = {};
  const handle: Handler = async ({ req, res, url, record }) => {
    await drain(req);
    const isApi = record.origin === 'api' && url.pathname.startsWith(`${BASE_PATH}/`);
    const path = isApi ? url.pathname.slice(BASE_PATH.length) : url.pathname;
    const method = req.method ?? '';
    const exchange = matcher.take({ method, isApi, path, query: url.searchParams });
    if (!exchange) throw new HttpError(404, `The recording has no answer to ${method} ${path}.`);
    await answer(exchange, { req, res }, (text) => replaceUrls(text, urls), paced);
  };
  const started = await Promise.allSettled([
    listen('api', ports.api, recorder, handle),
    listen('stream', ports.stream, recorder, handle),
    listen('storage', ports.storage, recorder, handle),
  ]);
  const listening = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async () => {
    await Promise.all(listening.map(({ server }) => stopServer(server)));
  };
  const [api, stream, storage] = listening;
  if (!api || !stream || !storage) {
    await close();
    throw started.find((result) => result.status === 'rejected')?.reason;
  }
  const baseUrl = api.origin + BASE_PATH;
  // Other origins are answered by the same handler as these.
  Object.assign(urls, {
    api: baseUrl,
    stream: stream.origin,
    storage: storage.origin,
    other: storage.origin,
  });
  return { baseUrl, key, bots: findBots(recording.exchanges), close };
}

/** Replaces the names of the recording's origins by what they are on this machine. */
function replaceUrls(text: string, urls: Readonly<Record<string, string>>): string {
  return text.replace(/https:\/\/(api|stream|storage|other)\.invalid/g, (whole, name) => urls[name] ?? whole);
}

async function answer(
  { at, response, failure }: RecordedExchange,
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  localize: (text: string) => string,
  paced: boolean,
): Promise<void> {
  if (!response || response.status < 200) {
    // Parley gave up before there was an answer.
    if (failure === 'aborted') return waitUntilClosed(res);
    if (!res.destroyed) cut(req.socket, 'reset');
    return;
  }
  if (paced) await pause(res, response.at - at);
  if (res.destroyed) return;
  const { status, headers, body, text, bytes = 0, events } = response;
  // Its length on this machine may be another.
  const { 'content-length': _, ...others } = headers;
  for (const [name, value] of Object.entries(others)) res.setHeader(name, localize(value));
  res.writeHead(status);
  let sentAt = response.at;
  for (const event of events ?? []) {
    if (paced) await pause(res, event.at - sentAt);
    sentAt = event.at;
    // Each is a chunk of the HTTP message, which the client reads as one.
    if (event.text !== '') await write(res, localize(event.text));
  }
  if (body !== undefined) await write(res, localize(JSON.stringify(body)));
  else if (text !== undefined) await write(res, localize(text));
  else if (bytes > 0) await write(res, new Uint8Array(Math.min(bytes, MAX_UNRECORDED_BYTES)));
  if (failure === undefined || failure === 'aborted') res.end();
  else if (!res.destroyed) cut(req.socket, 'fin');
}

/** Reads and discards a body; resolves also if the client disconnects. */
function drain(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    req.once('end', resolve).once('close', resolve).resume();
  });
}

/** Returns the bots that the service listed, or else those of its conversations. */
function findBots(exchanges: readonly RecordedExchange[]): ServiceAddress['bots'] {
  const listed = new Map<string, string>();
  const mentioned = new Map<string, string>();
  for (const { operation, response } of exchanges) {
    for (const { id, name, bot_id: botId } of listItems(response?.body)) {
      if (operation === 'GET /bots' && id !== undefined) listed.set(String(id), String(name ?? id));
      if (botId !== undefined) mentioned.set(String(botId), String(botId));
    }
  }
  return [...(listed.size > 0 ? listed : mentioned)].map(([id, name]) => ({ id, name }));
}

/** Returns the objects of a body: one or many, in `data` or not. */
function listItems(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  const data = isObject(body) && 'data' in body ? body.data : body;
  return (Array.isArray(data) ? data : [data]).filter(isObject);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
