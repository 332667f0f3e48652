import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Fetch, FetchFailure, FetchInit } from '../../client/fetch';

const BUFFERED_BYTES = 64 * 1024;

/**
 * Creates a `fetch` on top of `http(s).request`, which VS Code patches for proxies and certificates, and
 * which has no idle timeout for streams. It doesn't follow redirects or request compression, and uses each
 * connection once.
 *
 * Rejects with `signal.reason`, the error of the body's stream, or a TypeError with a `FetchFailure` as its
 * `cause`.
 */
export function createNodeFetch({ connectTimeoutMs = 10_000 }: { connectTimeoutMs?: number } = {}): Fetch {
  return async (url, init) => {
    init.signal.throwIfAborted();
    const target = new URL(url);
    const length = getBodyLength(init);
    // `request` is read at each call, because VS Code replaces it. There is no `agent`, because VS Code's
    // proxy setting `on` has no effect on requests with one.
    const request = (target.protocol === 'https:' ? https : http).request(target, {
      method: init.method,
      headers: {
        ...init.headers,
        ...(length !== undefined && { 'Content-Length': length }),
      },
    });
    // A reused connection may be closed by the server just as a message is sent.
    request.shouldKeepAlive = false;
    return new Promise((resolve, reject) => {
      let connected = false;
      const fail = (error: unknown): void => {
        reject(init.signal.aborted ? init.signal.reason : error);
        request.destroy();
      };
      const onAbort = (): void => fail(init.signal.reason);
      init.signal.addEventListener('abort', onAbort);
      const connectTimer = setTimeout(
        () => fail(createFailure({ code: 'UND_ERR_CONNECT_TIMEOUT', connected: false })),
        connectTimeoutMs,
      );
      const onConnected = (): void => {
        connected = true;
        clearTimeout(connectTimer);
      };

      request.on('socket', (socket) => onceConnected(socket, onConnected));
      request.on('error', (error) => fail(toFailure(error, connected)));
      request.on('close', () => {
        clearTimeout(connectTimer);
        init.signal.removeEventListener('abort', onAbort);
        // No effect if the promise has settled: this is for a connection that closes without an error.
        reject(createFailure({ code: 'ECONNRESET', connected }));
      });

      const bodySent = sendBody(request, init.body, length ?? 0);
      bodySent.catch(fail);
      request.on('response', async (incoming) => {
        try {
          // As in fetch, a response resolves once the request is sent; an error status resolves at once.
          if ((incoming.statusCode ?? 0) < 300) await bodySent;
          resolve(toResponse(incoming, request, init.signal));
        } catch (error) {
          fail(error);
        }
      });
    });
  };
}

/** Returns the length of the body in bytes; undefined if there is no body. */
function getBodyLength({ body, headers }: FetchInit): number | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Blob) return body.size;
  const length = Number(headers['Content-Length'] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new TypeError('A stream needs a Content-Length');
  return length;
}

function onceConnected(socket: Socket, onConnected: () => void): void {
  // A TLS socket over a proxy's tunnel is connected from the start, but its handshake isn't done.
  const { secureConnecting } = socket as Socket & { secureConnecting?: boolean };
  if (secureConnecting) socket.once('secureConnect', onConnected);
  else if (socket.connecting) socket.once('connect', onConnected);
  else onConnected();
}

/** Sends a body of exactly `length` bytes, with backpressure. */
async function sendBody(request: http.ClientRequest, body: FetchInit['body'], length: number): Promise<void> {
  if (body === undefined || typeof body === 'string') {
    request.end(body);
    return;
  }
  const reader = (body instanceof Blob ? body.stream() : body).getReader();
  // An error of the source has already been thrown by read().
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  request.once('close', cancel);
  let sent = 0;
  for (;;) {
    // Another read would report progress of a request that is over.
    if (request.destroyed) return;
    const { done, value } = await reader.read();
    sent += value?.byteLength ?? 0;
    if (sent > length || (done && sent < length)) {
      cancel();
      throw createFailure({ code: 'ERR_BODY_LENGTH', connected: true });
    }
    if (done) break;
    await writeChunk(request, value);
  }
  request.end();
}

/** Writes a chunk and waits until it is flushed, because the next one may use the same buffer. */
function writeChunk(request: http.ClientRequest, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      request.off('close', end);
      resolve();
    };
    request.once('close', end);
    // A write error is reported by the request's own `error` event.
    request.write(chunk, end);
  });
}

function toResponse(
  incoming: http.IncomingMessage,
  request: http.ClientRequest,
  signal: AbortSignal,
): Response {
  const status = incoming.statusCode ?? 0;
  // The Response constructor throws for such a status.
  if (status < 200 || status > 599)
    throw createFailure({ code: 'ERR_HTTP_INVALID_STATUS_CODE', connected: true });
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // No compression was requested: the compressed bytes would be read as text.
  if (!/^(identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw createFailure({ code: 'ERR_CONTENT_ENCODING', connected: true });
  }
  if (status === 204 || status === 205 || status === 304) {
    request.destroy();
    return new Response(null, { status, headers });
  }
  return new Response(toStream(incoming, request, signal), { status, headers });
}

/**
 * Converts a response to a stream. It reads ahead at most one buffer; cancelling it closes the connection at
 * once.
 */
function toStream(
  incoming: http.IncomingMessage,
  request: http.ClientRequest,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let isCancelled = false;
  let broken: Error | undefined;
  // An error would discard queued chunks, so it is raised once they are read.
  const failOnceRead = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (controller.desiredSize === BUFFERED_BYTES) controller.error(broken);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (settle: () => void): void => {
          // The response may end just after it was canceled.
          if (isCancelled) return;
          settle();
          request.destroy();
        };
        incoming.on('data', (chunk: Buffer) => {
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        incoming.on('end', () => end(() => controller.close()));
        incoming.on('error', (error) =>
          end(() => {
            broken = signal.aborted ? signal.reason : toFailure(error, true);
            failOnceRead(controller);
          }),
        );
        incoming.pause();
      },
      pull(controller) {
        if (broken) failOnceRead(controller);
        else incoming.resume();
      },
      cancel() {
        isCancelled = true;
        request.destroy();
      },
    },
    { highWaterMark: BUFFERED_BYTES, size: (chunk) => chunk.byteLength },
  );
}

function toFailure(error: unknown, connected: boolean): Error {
  const { code, message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  // VS Code's agent sets no code for this error.
  const isProxy = message.startsWith('Failed to establish a socket connection to proxies');
  const name = code ?? (isProxy ? 'ERR_PROXY' : undefined);
  return createFailure({ ...(name && { code: name }), connected });
}

/** Has codes only: Node's messages may include the data that was sent. */
function createFailure(cause: FetchFailure): TypeError {
  return new TypeError('The request failed', { cause });
}
