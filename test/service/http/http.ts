import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OriginName, RecordedRequest, Recorder } from './recorder';

/** An error response in the contract's form: `{ message, errors? }`. */
export class HttpError extends Error {
  readonly status: number;
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;

  constructor(status: number, message: string, errors?: Readonly<Record<string, readonly string[]>>) {
    super(message);
    this.status = status;
    this.errors = errors;
  }

  get body(): unknown {
    return { message: this.message, ...(this.errors && { errors: this.errors }) };
  }
}

/** A request with its response. A handler adds `record` to the recorder once it is complete. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly url: URL;
  readonly record: RecordedRequest;
}

export type Handler = (exchange: Exchange) => Promise<void>;

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(res, status, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
}

export function send(
  res: ServerResponse,
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

const MAX_JSON_BYTES = 1_000_000;

/**
 * Reads the whole body; returns undefined if the client disconnected before the end. Throws HttpError 413
 * beyond 1 MB.
 */
export async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_JSON_BYTES) chunks.push(chunk);
    }
  } catch (error) {
    if (req.destroyed) return undefined;
    throw error;
  }
  if (size > MAX_JSON_BYTES) throw new HttpError(413, 'The request body is too large.');
  return Buffer.concat(chunks);
}

const EXPOSED_HEADERS = 'Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

/** Allows CORS: the web worker's host sends requests with an `Origin`, after a preflight. */
function allowAnyOrigin(res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}

function answerPreflight(res: ServerResponse): void {
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Allow-Private-Network': 'true',
    'Access-Control-Max-Age': '600',
  });
  res.end();
}

const LOOP_PATH = /^\/redirect-loop\/(\d+)$/;

/** The first URL of the `redirect-loop` fault; each hop redirects to the next one, endlessly. */
export const LOOP_START = '/redirect-loop/1';

/** The ports of this process so far: VS Code, which outlives a service, keeps a key for each origin. */
const usedPorts = new Set<number>();

/**
 * Starts one origin on loopback. Rejects if the port is in use. With port 0, it gets one that no earlier origin of this process
 * had.
 */
export async function listen(
  name: OriginName,
  port: number,
  recorder: Recorder,
  handle: Handler,
): Promise<{ server: Server; origin: string }> {
  // A test may slow a request down for any time.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (req, res) => {
    allowAnyOrigin(res);
    if (req.method === 'OPTIONS') return answerPreflight(res);
    const record = recorder.track(name, req, res);
    const hop = LOOP_PATH.exec(req.url ?? '')?.[1];
    if (hop) {
      recorder.add(record);
      return send(res, 302, '', { Location: `/redirect-loop/${Number(hop) + 1}` });
    }
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    handle({ req, res, url, record }).catch((error: unknown) => sendError(res, error));
  });
  const actualPort = await startServer(server, port);
  return { server, origin: `http://127.0.0.1:${actualPort}` };
}

/** Starts a server on loopback; resolves to its port. */
async function startServer(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const actualPort = (server.address() as AddressInfo).port;
  if (port === 0 && usedPorts.has(actualPort)) {
    await stopServer(server);
    return await startServer(server, 0);
  }
  usedPorts.add(actualPort);
  return actualPort;
}

function sendError(res: ServerResponse, error: unknown): void {
  if (!(error instanceof HttpError)) console.error('The local service failed:', error);
  if (res.headersSent) res.destroy();
  else if (error instanceof HttpError) sendJson(res, error.status, error.body);
  else sendJson(res, 500, { message: 'The local service failed; its console says why.' });
}

/** Stops a server and closes all its connections. */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
