import assert from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import type { ServiceClient } from '../../src/client/serviceClient';
import { ServiceError } from '../../src/client/serviceError';
import { createNodeFetch } from '../../src/host/platform/nodeFetch';
import {
  assertLogged,
  collectReply,
  createClient,
  getServiceError,
  KEY,
  TRANSPORTS,
} from './support/clients';
import {
  CLOSED_PORT,
  json,
  startByteServer,
  startRawServer,
  startServer,
  stopServers,
} from './support/servers';

const MAX_ATTEMPTS = 3;

function createMessage(client: ServiceClient, signal?: AbortSignal): Promise<unknown> {
  return client.createMessage({ conversationId: 'c1', content: 'Hi', isWebSearch: true }, signal);
}

for (const { name, fetch } of TRANSPORTS) {
  describe(`ServiceClient errors over ${name}`, () => {
    afterEach(stopServers);

    for (const [status, code, maySend] of [
      [400, 'service', true],
      [401, 'unauthorized', true],
      [402, 'quotaReached', true],
      [403, 'forbidden', true],
      [404, 'notFound', true],
      [405, 'notFound', true],
      [408, 'timeout', false],
      [409, 'service', true],
      [410, 'notFound', true],
      [413, 'tooLarge', true],
      [422, 'validation', true],
      [429, 'rateLimited', true],
      [500, 'service', false],
      [502, 'service', false],
      [503, 'service', false],
      [504, 'service', false],
      [304, 'invalidResponse', false],
    ] as const) {
      it(`fails with ${code} for ${status}, and sends the message once`, async () => {
        const server = await startServer((_request, response) => {
          response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' });
          response.end(status === 304 ? undefined : '{"message":"What the service says."}');
        });
        const { client, log } = createClient(server.origin, { fetch });
        const startedAt = Date.now();
        const error = await getServiceError(createMessage(client), code);
        assert.equal(error.status, status);
        assert.equal(error.operation, 'POST /messages');
        assert.equal(error.maySend, maySend);
        assert.equal(error.retryAfterMs, 0);
        assert.equal(error.serviceMessage, status === 304 ? undefined : 'What the service says.');
        assert.ok(!error.message.includes('What the service says'), 'logs have no text of the service');
        assert.equal(server.requests.length, 1);
        assertLogged(log, [{ operation: 'POST /messages', status, errorCode: code }], startedAt);
      });
    }

    it('returns the field errors of a 422 [fault 11]', async () => {
      const server = await startServer(
        json({ message: 'Invalid.', errors: { bot_id: ['Unknown bot.'] } }, 422),
      );
      const { client } = createClient(server.origin, { fetch });
      const error = await getServiceError(client.createConversation({ name: 'a', botId: 'x' }), 'validation');
      assert.deepEqual([error.serviceMessage, error.fieldErrors], ['Invalid.', { bot_id: ['Unknown bot.'] }]);
    });

    it('fails with validation for any status with field errors', async () => {
      const server = await startServer(json({ message: 'Invalid.', errors: { name: ['Too long.'] } }, 400));
      const { client } = createClient(server.origin, { fetch });
      assert.equal((await getServiceError(createMessage(client), 'validation')).status, 400);
    });

    it('survives errors of 1 MB and of 100 MB [fault 12]', async () => {
      const server = await startServer(
        json({ message: 'Invalid.', errors: { name: ['x'.repeat(1_000_000)] } }, 422),
      );
      const error = await getServiceError(
        createMessage(createClient(server.origin, { fetch }).client),
        'validation',
      );
      assert.equal(error.serviceMessage, 'Invalid.');
      assert.equal(error.fieldErrors?.name?.[0]?.length, 501);

      let sent = 0;
      const endless = await startServer((_request, response) => {
        response.writeHead(422);
        const piece = 'x'.repeat(1_000_000);
        const write = (): void => {
          while (!response.destroyed && ++sent <= 100 && response.write(piece));
        };
        response.on('drain', write);
        write();
      });
      const { client } = createClient(endless.origin, { fetch });
      assert.equal((await getServiceError(createMessage(client), 'validation')).serviceMessage, undefined);
      assert.ok(sent < 50, `${sent} MB were read`);
    });

    it('never exposes the key, even if the service repeats it [attack: key leak]', async () => {
      const server = await startServer(({ headers }, response) => {
        const echoed = `Bad header ${headers.authorization} (${encodeURIComponent(KEY)})`;
        response.writeHead(401).end(JSON.stringify({ message: echoed, errors: { [KEY]: [echoed] } }));
      });
      const { client } = createClient(server.origin, { fetch });
      const error = await getServiceError(createMessage(client), 'unauthorized');
      assert.equal(error.serviceMessage, 'Bad header Bearer ••• (•••)');
      assert.deepEqual(error.fieldErrors, { '•••': ['Bad header Bearer ••• (•••)'] });
    });

    it('exposes no HTML [fault 15]', async () => {
      const server = await startServer((_request, response) => {
        response.writeHead(500, { 'Content-Type': 'text/html' }).end('<h1>Internal error</h1>');
      });
      const { client } = createClient(server.origin, { fetch });
      assert.equal((await getServiceError(createMessage(client), 'service')).serviceMessage, undefined);
    });

    it('keeps the status of an error with a broken or endless body', async () => {
      const head = 'HTTP/1.1 402 Payment Required\r\nContent-Length: 100\r\n\r\n{"message"';
      const broken = await startByteServer(head, (socket) => socket.destroy());
      await getServiceError(createMessage(createClient(broken.origin, { fetch }).client), 'quotaReached');

      const stuck = await startByteServer(head, () => undefined);
      const { client } = createClient(stuck.origin, { fetch, deadlines: { body: 50 } });
      await getServiceError(createMessage(client), 'quotaReached');
      await stuck.untilClosed();
    });

    it('fails for a response that is empty, not JSON, or HTML instead of JSON [fault 16] [fault 22]', async () => {
      for (const [status, body, reason] of [
        [204, undefined, 'empty'],
        [200, '', 'empty'],
        [200, ' \n', 'empty'],
        [200, '<!doctype html><title>Sign in</title>', 'json'],
        [200, '{"data":', 'json'],
      ] as const) {
        const server = await startServer((_request, response) => response.writeHead(status).end(body));
        const error = await getServiceError(
          createMessage(createClient(server.origin, { fetch }).client),
          'invalidResponse',
        );
        assert.deepEqual([error.reason, error.status, error.maySend], [reason, status, false]);
      }
    });

    it('fails for an endless response at 16 MB', async () => {
      const server = await startServer((_request, response) => {
        const piece = Buffer.alloc(1024 * 1024, ' ');
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', write);
        write();
      });
      const error = await getServiceError(
        createMessage(createClient(server.origin, { fetch }).client),
        'invalidResponse',
      );
      assert.equal(error.reason, 'tooLarge');
      await server.untilClosed();
    });

    it('fails as interrupted when a response breaks off', async () => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":';
      for (const end of ['end', 'resetAndDestroy'] as const) {
        const server = await startByteServer(head, (socket) => socket[end]());
        const error = await getServiceError(
          createMessage(createClient(server.origin, { fetch }).client),
          'interrupted',
        );
        assert.equal(error.maySend, false);
      }
    });

    it('reports that nothing was sent when the connection is refused [fault 2]', async () => {
      const { client, log } = createClient(`http://127.0.0.1:${CLOSED_PORT}`, { fetch });
      const startedAt = Date.now();
      const error = await getServiceError(createMessage(client), 'unreachable');
      assert.deepEqual([error.reason, error.maySend, error.status], ['refused', true, undefined]);
      assertLogged(log, [{ operation: 'POST /messages', errorCode: 'unreachable' }], startedAt);
    });

    it('reports that nothing was sent when the host does not exist [fault 1]', async () => {
      const error = await getServiceError(
        createMessage(createClient('https://nowhere.invalid', { fetch }).client),
        'unreachable',
      );
      assert.deepEqual([error.reason, error.maySend], ['dns', true]);
    });

    it('reports that a request may have been sent, and does not repeat it, when closed before the first header [fault 7]', async () => {
      for (const end of ['end', 'resetAndDestroy'] as const) {
        let connections = 0;
        const server = await startRawServer((socket) => {
          connections++;
          socket.once('data', () => socket[end]());
        });
        const error = await getServiceError(
          createMessage(createClient(server.origin, { fetch }).client),
          'unreachable',
        );
        assert.deepEqual([error.reason, error.maySend, connections], ['reset', false, 1]);
      }
    });

    it('fails for a response that is not HTTP [fault 6]', async () => {
      for (const bytes of ['SSH-2.0-OpenSSH_9.2\r\n', '\u0000\u0001\u0002\r\n\r\n', 'HTTP/1.1 abc\r\n\r\n']) {
        const server = await startByteServer(bytes);
        const error = await getServiceError(
          createMessage(createClient(server.origin, { fetch }).client),
          'invalidResponse',
        );
        assert.deepEqual([error.reason, error.maySend], ['http', false], bytes);
      }
    });

    it('fails for headers over 16 KiB [fault 8]', async () => {
      const server = await startByteServer(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
      const error = await getServiceError(
        createMessage(createClient(server.origin, { fetch }).client),
        'invalidResponse',
      );
      assert.deepEqual([error.reason, error.maySend], ['http', false]);
    });

    it('times out when headers trickle in [fault 5]', async () => {
      const server = await startRawServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('X-More: 1\r\n'), 10);
        socket.on('close', () => clearInterval(timer));
      });
      const { client } = createClient(server.origin, {
        fetch,
        deadlines: { firstHeader: 100, reply: 150 },
      });
      const error = await getServiceError(createMessage(client), 'timeout');
      assert.deepEqual([error.maySend, error.status], [false, undefined]);
      await getServiceError(client.createConversation({ name: 'a', botId: 'b' }), 'timeout');
      await server.untilClosed(2);
    });

    it('times out when a body stops', async () => {
      const server = await startByteServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', () => undefined);
      const { client } = createClient(server.origin, { fetch, deadlines: { body: 50 } });
      const error = await getServiceError(createMessage(client), 'timeout');
      assert.deepEqual([error.maySend, error.status], [false, 200]);
      await server.untilClosed();
    });

    it('allows a generated reply more time than other responses', async () => {
      const server = await startServer((_request, response) => {
        setTimeout(() => response.end('{"data":{"id":"m1","content":"There."}}'), 150);
      });
      const { client } = createClient(server.origin, { fetch, deadlines: { firstHeader: 50 } });
      assert.equal(
        (await client.createMessage({ conversationId: 'c', content: 'x', isWebSearch: true })).content,
        'There.',
      );
    });

    it('fails for corrupt gzip in time [fault 38]', async () => {
      const server = await startServer((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        response.end(Buffer.from('1f8b0800000000000003ffffffff', 'hex'));
      });
      const { client } = createClient(server.origin, { fetch, deadlines: { body: 200 } });
      const error = await createMessage(client).catch((caught: unknown) => caught);
      assert.ok(error instanceof ServiceError);
      assert.ok(['invalidResponse', 'interrupted', 'timeout'].includes(error.code), error.code);
    });

    it("aborts with the caller's signal at any point", async () => {
      const controller = new AbortController();
      const silent = await startRawServer((socket) =>
        socket.once('data', () => controller.abort(new Error('mine'))),
      );
      const { client, log } = createClient(silent.origin, { fetch });
      const before = await getServiceError(createMessage(client, AbortSignal.abort()), 'aborted');
      assert.equal(before.maySend, true);
      assert.deepEqual(log, []);

      const sent = await getServiceError(createMessage(client, controller.signal), 'aborted');
      assert.equal(sent.maySend, false);
      await silent.untilClosed();

      const stuck = await startByteServer('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', () =>
        inBody.abort(),
      );
      const inBody = new AbortController();
      await getServiceError(
        createMessage(createClient(stuck.origin, { fetch }).client, inBody.signal),
        'aborted',
      );
      await stuck.untilClosed();
    });

    it('retries a GET after passing failures', async () => {
      for (const status of [429, 502, 503, 504]) {
        let count = 0;
        const server = await startServer((request, response) => {
          if (++count < MAX_ATTEMPTS) response.writeHead(status, { 'Retry-After': '0' }).end();
          else json({ data: [{ id: 'b1', name: 'Guide' }] })(request, response);
        });
        const { client, log } = createClient(server.origin, { fetch });
        assert.deepEqual((await client.listBots()).items, [{ id: 'b1', name: 'Guide' }]);
        assert.deepEqual(
          log.map((entry) => entry.status),
          [status, status, 200],
        );
      }
    });

    it('gives up a GET after three attempts, and immediately after a permanent failure', async () => {
      for (const [status, attempts] of [
        [503, MAX_ATTEMPTS],
        [500, 1],
        [404, 1],
        [401, 1],
        [200, 1],
      ] as const) {
        const server = await startServer((_request, response) =>
          response.writeHead(status, { 'Retry-After': '0' }).end(),
        );
        await assert.rejects(createClient(server.origin, { fetch }).client.listBots());
        assert.equal(server.requests.length, attempts, String(status));
      }
    });

    it('retries a GET whose connection broke', async () => {
      let connections = 0;
      const server = await startRawServer((socket) => {
        connections++;
        socket.once('data', () => {
          if (connections === 1) socket.resetAndDestroy();
          else if (connections === 2) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{');
          else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"data":[]}');
        });
      });
      assert.deepEqual((await createClient(server.origin, { fetch }).client.listBots()).items, []);
      assert.equal(connections, MAX_ATTEMPTS);
    });
  });
}

describe('ServiceClient retries', () => {
  afterEach(stopServers);

  it('waits as long as Retry-After says, and does not wait when that is too long', async () => {
    let firstAt = 0;
    const server = await startServer((request, response) => {
      if (firstAt === 0) {
        firstAt = performance.now();
        response.writeHead(429, { 'Retry-After': '1' }).end();
      } else json({ data: [] })(request, response);
    });
    await createClient(server.origin).client.listBots();
    assert.ok(performance.now() - firstAt >= 990);

    const long = await startServer((_request, response) =>
      response.writeHead(503, { 'Retry-After': '11' }).end(),
    );
    const error = await getServiceError(createClient(long.origin).client.listBots(), 'service');
    assert.deepEqual([error.retryAfterMs, long.requests.length], [11_000, 1]);
  });

  it('stops waiting when the caller aborts', async () => {
    const server = await startServer((_request, response) =>
      response.writeHead(503, { 'Retry-After': '9' }).end(),
    );
    const controller = new AbortController();
    const { client, log } = createClient(server.origin);
    let hasEnded = false;
    const ended = getServiceError(client.listBots({}, controller.signal), 'aborted').then(() => {
      hasEnded = true;
    });
    // The response has been read, so the pause starts now.
    while (log.length === 0) await tick();
    await tick();
    controller.abort();
    await tick();
    assert.ok(hasEnded, 'it still pauses');
    await ended;
    assert.equal(server.requests.length, 1);
  });

  it('never retries a write', async () => {
    const server = await startServer((_request, response) =>
      response.writeHead(503, { 'Retry-After': '0' }).end(),
    );
    const { client } = createClient(server.origin);
    await getServiceError(client.createConversation({ name: 'a', botId: 'b' }), 'service');
    await getServiceError(client.updateConversation('c', { name: 'a', botId: 'b' }), 'service');
    await getServiceError(client.deleteConversation('c'), 'service');
    await getServiceError(client.createSignedUpload({ fileName: 'a.b', contentType: 'c' }), 'service');
    await getServiceError(
      client.createDocument({ key: 'k', conversationId: 'c', fileName: 'a.b' }),
      'service',
    );
    await getServiceError(createMessage(client), 'service');
    assert.equal(
      (await collectReply(client.streamReply({ conversationId: 'c', content: 'x' }))).error?.status,
      503,
    );
    assert.equal(server.requests.length, 7);
  });
});

describe('ServiceClient with transport errors', () => {
  afterEach(stopServers);

  it('fails as unreachable with reason proxy when a proxy requires authentication [fault 4]', async () => {
    const server = await startServer((_request, response) => response.writeHead(407).end());
    const error = await getServiceError(createMessage(createClient(server.origin).client), 'unreachable');
    assert.deepEqual([error.reason, error.status, error.maySend], ['proxy', 407, true]);
  });

  it('reports that a request may have been sent when the error has no details', async () => {
    const { client } = createClient('https://api.example.com', {
      fetch: async () => {
        throw new TypeError('Failed to fetch');
      },
    });
    const error = await getServiceError(createMessage(client), 'unreachable');
    assert.deepEqual([error.reason, error.maySend], ['network', false]);
    assert.equal(
      (await getServiceError(client.getMessage('m1'), 'unreachable')).maySend,
      true,
      'a GET may always be repeated',
    );
  });

  it('exposes no text of the transport, which may quote the key [attack: key leak]', async () => {
    const { client } = createClient('https://api.example.com', {
      fetch: async (_url, { headers }) => {
        throw new TypeError(`bad header ${headers.Authorization}`, {
          cause: { code: headers.Authorization, message: headers.Authorization },
        });
      },
    });
    await getServiceError(createMessage(client), 'unreachable');
  });

  it('recognizes a connection timeout', async () => {
    const { client } = createClient('https://api.example.com', {
      fetch: async () => {
        throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } });
      },
    });
    const error = await getServiceError(createMessage(client), 'timeout');
    assert.deepEqual([error.reason, error.maySend], ['connect', true]);
  });

  it('ends a body that hangs although its fetch was aborted, as with corrupt gzip', async () => {
    const { client } = createClient('https://api.example.com', {
      fetch: async () => new Response(new ReadableStream()),
      deadlines: { body: 50 },
    });
    await getServiceError(createMessage(client), 'timeout');
    const aborting = createClient('https://api.example.com', {
      fetch: async () => new Response(new ReadableStream()),
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await getServiceError(createMessage(aborting.client, controller.signal), 'aborted');
  });

  it('reports that a browser hides the target of a redirect', async () => {
    const { client } = createClient('https://api.example.com', {
      fetch: async () =>
        Object.defineProperties(new Response(null), {
          type: { value: 'opaqueredirect' },
          status: { value: 0 },
          ok: { value: false },
        }),
    });
    assert.equal((await getServiceError(client.listBots(), 'invalidResponse')).reason, 'redirect');
    assert.equal((await getServiceError(createMessage(client), 'invalidResponse')).reason, 'redirect');
    const { error } = await collectReply(client.streamReply({ conversationId: 'c', content: 'x' }));
    assert.deepEqual([error?.code, error?.reason, error?.maySend], ['invalidResponse', 'redirect', false]);
    assert.match(error?.message ?? '', /browser/);
  });

  it('times out when a connection is not established', async () => {
    // Accepts the connection but never answers the handshake.
    const server = await startRawServer(() => undefined);
    const fetch = createNodeFetch({ connectTimeoutMs: 50 });
    const { client } = createClient(server.origin.replace('http:', 'https:'), { fetch });
    const error = await getServiceError(createMessage(client), 'timeout');
    assert.deepEqual([error.reason, error.maySend], ['connect', true]);
    await server.untilClosed();
  });
});
