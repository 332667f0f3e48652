import { once } from 'node:events';
import * as http from 'node:http';
import * as net from 'node:net';

/** A request as received by the server. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Resolves once `count` connections have closed in total. */
  untilClosed(count?: number): Promise<void>;
}

export type Answer = (request: SeenRequest, response: http.ServerResponse) => void;

const running: net.Server[] = [];
const sockets = new Set<net.Socket>();

/** Starts an HTTP server on loopback that records each request with its body and then answers. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const server = http.createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      // The client disconnected within its body, so nobody reads an answer.
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    answer(request, response);
  });
  return listen(server, requests);
}

/** Starts a raw TCP server, for responses that no HTTP server sends. */
export async function startRawServer(onConnection: (socket: net.Socket) => void): Promise<TestServer> {
  const server = net.createServer((socket) => {
    onConnection(socket);
    // A socket notices that its client has disconnected only while reading.
    socket.resume();
  });
  return listen(server, []);
}

/** Starts a server that sends these bytes after the head of a request, and then calls `next`. */
export async function startByteServer(
  bytes: string | Buffer,
  next: (socket: net.Socket) => void = (socket) => socket.end(),
): Promise<TestServer> {
  return startRawServer((socket) => {
    socket.once('data', () => {
      socket.write(bytes, () => next(socket));
    });
  });
}

/**
 * A port that nobody listens on or will be assigned: systems assign ports from 1024 on. Port 1 is not usable
 * because `fetch` refuses it.
 */
export const CLOSED_PORT = 2;

/** Registers a started server with `stopServers` and records when its connections close. */
export async function listen(server: net.Server, requests: SeenRequest[]): Promise<TestServer> {
  let closed = 0;
  // A client would otherwise lose its connection to a machine that stops for some seconds.
  if (server instanceof http.Server) server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    // Clients disconnect in every possible way here.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      closed++;
      server.emit('connectionClosed');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(server);
  const { port } = server.address() as net.AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    async untilClosed(count = 1) {
      while (closed < count) await once(server, 'connectionClosed');
    },
  };
}

/** Stops every server of the test and closes its connections. */
export async function stopServers(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await Promise.all(
    running.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
}

/** Creates an `Answer` of JSON. */
export function json(body: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Creates an `Answer` that depends on the path, without query. */
export function routes(table: Record<string, Answer>): Answer {
  return (request, response) => {
    const answer = table[request.url.replace(/\?.*/, '')];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  };
}
