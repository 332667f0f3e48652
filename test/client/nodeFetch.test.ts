import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { mock } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import type { FetchInit } from '../../src/client/fetch';
import { createNodeFetch } from '../../src/host/platform/nodeFetch';
import { createSelfSignedCertificate } from './support/certificate';
import { createClient, getServiceError } from './support/clients';
import {
  CLOSED_PORT,
  listen,
  startByteServer,
  startRawServer,
  startServer,
  stopServers,
} from './support/servers';

const fetch = createNodeFetch();

function createInit(more: Partial<FetchInit> = {}): FetchInit {
  return { method: 'GET', headers: {}, redirect: 'manual', signal: new AbortController().signal, ...more };
}

/** Returns the `cause` with which a fetch rejects. */
async function getCause(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof TypeError, String(error));
  return error.cause;
}

function createStream(...pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new Blob(pieces as string[]).stream();
}

describe('createNodeFetch', () => {
  afterEach(() => {
    mock.restoreAll();
    return stopServers();
  });

  it('returns a Response like fetch', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(
        201,
        [
          ['Content-Type', 'text/plain'],
          ['X-Two', 'a'],
          ['X-Two', 'b'],
        ].flat(),
      );
      response.end('Hello 👍');
    });
    const response = await fetch(
      `${server.origin}/a?b=c#d`,
      createInit({ method: 'POST', headers: { 'X-Own': '1' }, body: 'é' }),
    );
    assert.ok(response instanceof Response);
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('content-type'), 'text/plain');
    assert.equal(response.headers.get('x-two'), 'a, b');
    assert.equal(await response.text(), 'Hello 👍');
    const [seen] = server.requests;
    assert.deepEqual([seen?.method, seen?.url, seen?.body], ['POST', '/a?b=c', 'é']);
    assert.deepEqual(seen?.headers, {
      'x-own': '1',
      'content-length': '2',
      connection: 'close',
      host: new URL(server.origin).host,
    });
  });

  it('sends a string, a Blob or a stream with its length, never chunked', async () => {
    const server = await startServer((_request, response) => response.end());
    const bodies: Partial<FetchInit>[] = [
      { body: 'abc' },
      { body: new Blob(['abc'], { type: 'text/x' }) },
      { body: createStream('a', 'bc'), headers: { 'Content-Length': '3' } },
    ];
    for (const body of bodies) await fetch(server.origin, createInit({ method: 'PUT', ...body }));
    for (const { headers, body } of server.requests) {
      assert.deepEqual(
        [body, headers['content-length'], headers['transfer-encoding']],
        ['abc', '3', undefined],
      );
      assert.equal(headers['content-type'], undefined);
    }
    await assert.rejects(
      fetch(server.origin, createInit({ method: 'PUT', body: createStream('a') })),
      /Content-Length/,
    );
  });

  it('does not follow redirects', async () => {
    const server = await startServer((_request, response) =>
      response.writeHead(302, { Location: '/b' }).end(),
    );
    const response = await fetch(server.origin, createInit());
    assert.deepEqual(
      [response.status, response.headers.get('location'), server.requests.length],
      [302, '/b', 1],
    );
  });

  it('never reuses a connection, which may already be closed', async () => {
    const ports = new Set<number>();
    const server = await startServer((_request, response) => {
      ports.add(response.socket?.remotePort ?? 0);
      response.end('{}');
    });
    for (let count = 0; count < 3; count++) await (await fetch(server.origin, createInit())).text();
    assert.equal(ports.size, 3);
    await server.untilClosed(3);

    const unheeding = await startByteServer(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      () => undefined,
    );
    await (await fetch(unheeding.origin, createInit())).text();
    await unheeding.untilClosed();
  });

  it('ignores 1xx responses', async () => {
    const server = await startByteServer(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
    assert.equal(await (await fetch(server.origin, createInit())).text(), 'ok');
  });

  it('returns no body for statuses without one', async () => {
    for (const status of [204, 205, 304]) {
      const server = await startServer((_request, response) => response.writeHead(status).end());
      const response = await fetch(server.origin, createInit());
      assert.deepEqual([response.status, response.body], [status, null]);
      await server.untilClosed();
    }
    const open = await startByteServer('HTTP/1.1 204 No Content\r\n\r\n', () => undefined);
    assert.equal((await fetch(open.origin, createInit())).status, 204);
    await open.untilClosed();
  });

  it("rejects responses that a Response can't represent", async () => {
    const invalid = 'ERR_HTTP_INVALID_STATUS_CODE';
    for (const [status, code] of [
      ['000', invalid],
      ['101', invalid],
      // Node waits for the final response after this one.
      ['199', 'ECONNRESET'],
      ['600', invalid],
      ['999', invalid],
    ]) {
      const server = await startByteServer(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`);
      const cause = await getCause(fetch(server.origin, createInit()));
      assert.deepEqual(cause, { code, connected: true }, status);
      await server.untilClosed();
    }
    const highest = await startByteServer('HTTP/1.1 599 Odd\r\nContent-Length: 0\r\n\r\n');
    assert.equal((await fetch(highest.origin, createInit())).status, 599);
    const switching = await startByteServer(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      () => undefined,
    );
    assert.deepEqual(await getCause(fetch(switching.origin, createInit())), {
      code: 'ECONNRESET',
      connected: true,
    });
    await switching.untilClosed();
  });

  it('refuses a compressed response, which it did not ask for', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('xx');
    });
    assert.deepEqual(await getCause(fetch(server.origin, createInit())), {
      code: 'ERR_CONTENT_ENCODING',
      connected: true,
    });
    assert.equal(server.requests[0]?.headers['accept-encoding'], undefined);
  });

  it('rejects with a code and no other details', async () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    for (const [bytes, code] of [
      ['garbage\r\n\r\n', /^HPE_/],
      [`${head}X: ${'x'.repeat(17_000)}\r\n\r\n`, /^HPE_HEADER_OVERFLOW$/],
      [`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, /^HPE_/],
      ['HTTP/1.1 200', /^(ECONNRESET|HPE_)/],
    ] as const) {
      const server = await startByteServer(bytes);
      const cause = (await getCause(fetch(server.origin, createInit()))) as { code: string };
      assert.deepEqual(Object.keys(cause), ['code', 'connected']);
      assert.match(cause.code, code);
    }
    const closing = await startRawServer((socket) => socket.once('data', () => socket.end()));
    assert.deepEqual(await getCause(fetch(closing.origin, createInit())), {
      code: 'ECONNRESET',
      connected: true,
    });
  });

  it('fails the body when the connection breaks', async () => {
    let reset: () => void = () => undefined;
    const server = await startByteServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', (socket) => {
      reset = () => socket.resetAndDestroy();
    });
    const reader = (await fetch(server.origin, createInit())).body?.getReader();
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'half');
    reset();
    await assert.rejects(async () => reader?.read(), { cause: { code: 'ECONNRESET', connected: true } });
  });

  it('returns what arrived before the connection broke, however late it is read', async () => {
    const server = await startByteServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    const response = await fetch(server.origin, createInit());
    await server.untilClosed();
    const reader = response.body?.getReader();
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'half');
    await assert.rejects(async () => reader?.read(), TypeError);
  });

  it('closes the connection immediately when the body is canceled', async () => {
    const server = await startServer((_request, response) => response.write('some'));
    const response = await fetch(server.origin, createInit());
    await response.body?.cancel();
    await server.untilClosed();
  });

  it('ignores the end of a response that was canceled', async () => {
    const server = await startServer((_request, response) => response.end('all'));
    const { body } = await fetch(server.origin, createInit());
    await body?.cancel();
    await server.untilClosed();
    // What Node throws from its own callback until then fails this test.
    await tick();
  });

  it('aborts with the signal, before and after the headers, and removes its listener', async () => {
    const silent = await startRawServer(() => undefined);
    const before = new AbortController();
    const pending = fetch(silent.origin, createInit({ signal: before.signal }));
    before.abort(new Error('mine'));
    await assert.rejects(pending, /mine/);
    await silent.untilClosed();

    const open = await startServer((_request, response) => response.write('some'));
    const after = new AbortController();
    const reader = (await fetch(open.origin, createInit({ signal: after.signal }))).body?.getReader();
    await reader?.read();
    after.abort(new Error('mine'));
    await assert.rejects(async () => reader?.read(), /mine/);
    await open.untilClosed();

    await assert.rejects(
      fetch(silent.origin, createInit({ signal: AbortSignal.abort(new Error('mine')) })),
      /mine/,
    );
    for (const { signal } of [before, after]) assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('removes its listener from the signal after success', async () => {
    const server = await startServer((_request, response) => response.end('ok'));
    const { signal } = new AbortController();
    await (await fetch(server.origin, createInit({ signal }))).text();
    await server.untilClosed();
    while (getEventListeners(signal, 'abort').length > 0)
      await new Promise((resolve) => setImmediate(resolve));
  });

  it('reads no faster than its consumer', async () => {
    const size = 64 * 1024 * 1024;
    let sent = 0;
    const server = await startServer(async (_request, response) => {
      const piece = Buffer.alloc(256 * 1024);
      while (sent < size) {
        sent += piece.length;
        if (!response.write(piece)) await once(response, 'drain');
      }
      response.end();
    });
    const response = await fetch(server.origin, createInit());
    // Until the server has been blocked for a while.
    for (let last = -1, same = 0; same < 5; same = last === sent ? same + 1 : 0) {
      last = sent;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(sent < 24 * 1024 * 1024, `${sent} bytes were sent`);
    assert.equal((await response.arrayBuffer()).byteLength, size);
  });

  it('fails a request whose stream is too short or too long', async () => {
    for (const length of ['2', '4']) {
      const server = await startServer((_request, response) => response.end());
      const body = {
        method: 'PUT',
        body: createStream('abc'),
        headers: { 'Content-Length': length },
      } as const;
      assert.deepEqual(await getCause(fetch(server.origin, createInit(body))), {
        code: 'ERR_BODY_LENGTH',
        connected: true,
      });
      await server.untilClosed();
      assert.equal(server.requests.length, 0);
    }
  });

  describe('sending a stream', () => {
    /** Creates a request of 20 bytes; `chunks` are sent, and the stream then stays open. */
    const createUpload = (...chunks: readonly string[]) => {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      let onCancel: () => void = () => undefined;
      const cancelled = new Promise<void>((resolve) => {
        onCancel = resolve;
      });
      const body = new ReadableStream<Uint8Array>({
        start(own) {
          controller = own;
          for (const chunk of chunks) own.enqueue(Buffer.from(chunk));
        },
        cancel: () => onCancel(),
      });
      const init = createInit({ method: 'PUT', body, headers: { 'Content-Length': '20' } });
      return { init, controller: controller ?? assert.fail(), cancelled };
    };

    it('resolves once all is sent when the service accepts it before', async () => {
      const server = await startRawServer((socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      });
      let onResponse: () => void = () => undefined;
      const arrived = new Promise<void>((resolve) => {
        onResponse = resolve;
      });
      subscribe('http.client.response.finish', onResponse);
      try {
        const { init, controller } = createUpload('0123456789');
        let hasResolved = false;
        const fetching = fetch(server.origin, init).then((response) => {
          hasResolved = true;
          return response;
        });
        await arrived;
        await tick();
        assert.equal(hasResolved, false);
        controller.enqueue(Buffer.from('0123456789'));
        controller.close();
        assert.equal((await fetching).status, 200);
      } finally {
        unsubscribe('http.client.response.finish', onResponse);
      }
    });

    it('resolves at once when the service refuses it, and cancels the stream', async () => {
      for (const status of [300, 413]) {
        const server = await startByteServer(
          `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`,
          () => undefined,
        );
        const { init, cancelled } = createUpload('0123456789');
        const response = await fetch(server.origin, init);
        assert.equal(response.status, status);
        await response.text();
        await cancelled;
      }
    });

    it('cancels the stream when the connection breaks', async () => {
      const server = await startRawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const { init, cancelled } = createUpload('0123456789');
      await assert.rejects(fetch(server.origin, init), TypeError);
      await cancelled;
    });

    it('reads no more of the stream once the request is aborted', async () => {
      const server = await startRawServer((socket) => socket.pause());
      const abort = new AbortController();
      let reads = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            reads++;
            // More than the connection takes at once.
            controller.enqueue(new Uint8Array(32 * 1024 * 1024));
            setImmediate(() => abort.abort());
          },
        },
        { highWaterMark: 0 },
      );
      const headers = { 'Content-Length': String(64 * 1024 * 1024) };
      await assert.rejects(
        fetch(server.origin, createInit({ method: 'PUT', body, headers, signal: abort.signal })),
        { name: 'AbortError' },
      );
      await tick();
      assert.equal(reads, 1);
    });

    it('leaves no listener behind for each chunk', async () => {
      const server = await startServer((_request, response) => response.end());
      const warnings: Error[] = [];
      const onWarning = (warning: Error) => warnings.push(warning);
      process.on('warning', onWarning);
      try {
        const { init, controller } = createUpload(...Array(20).fill('x'));
        controller.close();
        await fetch(server.origin, init);
        await tick();
      } finally {
        process.off('warning', onWarning);
      }
      assert.deepEqual(warnings, []);
    });
  });

  describe('connecting', () => {
    it('reports that nothing was sent when the connection is refused', async () => {
      assert.deepEqual(await getCause(fetch(`http://127.0.0.1:${CLOSED_PORT}`, createInit())), {
        code: 'ECONNREFUSED',
        connected: false,
      });
    });

    it('gives up after a time', async () => {
      // Accepts the connection but never answers the handshake.
      const server = await startRawServer(() => undefined);
      const impatient = createNodeFetch({ connectTimeoutMs: 20 });
      const cause = await getCause(impatient(server.origin.replace('http:', 'https:'), createInit()));
      assert.deepEqual(cause, { code: 'UND_ERR_CONNECT_TIMEOUT', connected: false });
      await server.untilClosed();
    });

    it('knows a connection that was established before, such as a proxy’s', async () => {
      const server = await startRawServer((socket) => socket.once('data', () => socket.destroy()));
      const socket = net.connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      mock.method(http.globalAgent, 'createConnection', () => socket);
      assert.deepEqual(await getCause(fetch(server.origin, createInit())), {
        code: 'ECONNRESET',
        connected: true,
      });
    });

    it('knows when a TLS connection is established', async () => {
      const certificate = createSelfSignedCertificate('localhost');
      const server = https.createServer(certificate, (request) => request.socket.destroy());
      const { port } = await listen(server, []);
      const { options } = https.globalAgent;
      const { ca } = options;
      options.ca = certificate.cert;
      try {
        assert.deepEqual(await getCause(fetch(`https://localhost:${port}`, createInit())), {
          code: 'ECONNRESET',
          connected: true,
        });
      } finally {
        options.ca = ca;
      }
    });

    it('recognizes the failure of a proxy, for which VS Code sets no code, and no other', async () => {
      let message = 'Failed to establish a socket connection to proxies: ["PROXY proxy.invalid:1"]';
      mock.method(
        http.globalAgent,
        'createConnection',
        (_options: unknown, callback: (error: Error) => void) => callback(new Error(message)),
      );
      assert.deepEqual(await getCause(fetch('http://service.invalid', createInit())), {
        code: 'ERR_PROXY',
        connected: false,
      });
      message = 'Something else';
      assert.deepEqual(await getCause(fetch('http://service.invalid', createInit())), { connected: false });
    });
  });

  it('refuses an untrusted certificate before anything is sent [fault 3]', async () => {
    let requests = 0;
    const server = https.createServer(createSelfSignedCertificate(), () => requests++);
    server.on('tlsClientError', () => undefined);
    const { port } = await listen(server, []);
    assert.deepEqual(await getCause(fetch(`https://127.0.0.1:${port}`, createInit())), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      connected: false,
    });
    for (const transport of [fetch, globalThis.fetch]) {
      const { client } = createClient(`https://127.0.0.1:${port}`, { fetch: transport });
      const message = client.createMessage({ conversationId: 'c', content: 'x', isWebSearch: true });
      const error = await getServiceError(message, 'unreachable');
      assert.deepEqual([error.reason, error.maySend], ['certificate', true]);
      assert.equal((await getServiceError(client.listBots(), 'unreachable')).reason, 'certificate');
    }
    assert.equal(requests, 0);
  });

  it('reports that nothing was sent when the TLS handshake fails', async () => {
    const plain = await startByteServer('HTTP/1.1 400 Bad Request\r\n\r\n');
    const { client } = createClient(plain.origin.replace('http:', 'https:'));
    const message = client.createMessage({ conversationId: 'c', content: 'x', isWebSearch: true });
    const error = await getServiceError(message, 'unreachable');
    assert.deepEqual([error.reason, error.maySend], ['tls', true]);

    const closing = await startRawServer((socket) => socket.once('data', () => socket.end()));
    const other = createClient(closing.origin.replace('http:', 'https:')).client;
    const broken = await getServiceError(other.createConversation({ name: 'a', botId: 'b' }), 'unreachable');
    assert.deepEqual([broken.reason, broken.maySend], ['reset', true]);
  });
});
