import assert from 'node:assert/strict';
import { collectReply, createClient, getServiceError, KEY, TRANSPORTS } from './support/clients';
import { type Answer, json, routes, startServer, stopServers, type TestServer } from './support/servers';

const REPLY = 'data: {"chunk":"Hi"}\n\ndata: [END]\n\n';

function redirect(status: number, location?: string): Answer {
  return (_request, response) => {
    response.writeHead(status, location === undefined ? {} : { Location: location }).end();
  };
}

const events: Answer = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(REPLY);
};

function assertNoKeyAt(server: TestServer): void {
  assert.ok(server.requests.length > 0, 'it was asked nothing');
  for (const { headers, url, body } of server.requests) {
    assert.equal(headers.authorization, undefined);
    assert.ok(!`${JSON.stringify(headers)}${url}${body}`.includes(KEY));
  }
}

for (const { name, fetch } of TRANSPORTS) {
  describe(`Redirects and the API key over ${name}`, () => {
    afterEach(stopServers);

    for (const status of [301, 302, 303, 307, 308]) {
      it(`GET follows ${status} on the same origin with the key, relative or absolute [fault 18]`, async () => {
        const server = await startServer(
          routes({
            '/api/v1/bots': redirect(status, 'elsewhere?a=b'),
            '/api/v1/elsewhere': (request, response) =>
              redirect(status, `http://${request.headers.host}/end`)(request, response),
            '/end': json({ data: [] }),
          }),
        );
        await createClient(server.origin, { fetch }).client.listBots();
        assert.deepEqual(
          server.requests.map(({ url }) => url),
          ['/api/v1/bots', '/api/v1/elsewhere?a=b', '/end'],
        );
        for (const { headers } of server.requests) assert.equal(headers.authorization, `Bearer ${KEY}`);
      });

      it(`GET follows ${status} to another origin without the key, and does not send it on the way back either [fault 19] [attack: other origin]`, async () => {
        const other = await startServer((request, response) =>
          redirect(status, `${server.origin}/end`)(request, response),
        );
        const server = await startServer(
          routes({ '/api/v1/bots': redirect(status, `${other.origin}/x`), '/end': json({ data: [] }) }),
        );
        await createClient(server.origin, { fetch }).client.listBots();
        assertNoKeyAt(other);
        assert.equal(server.requests[1]?.headers.authorization, undefined);
      });

      it(`POST does not follow ${status} for messages and other writes`, async () => {
        const other = await startServer(json({ data: { id: 'c1' } }));
        const server = await startServer(redirect(status, `${other.origin}/x`));
        const { client } = createClient(server.origin, { fetch });
        const error = await getServiceError(
          client.createConversation({ name: 'a', botId: 'b' }),
          'invalidResponse',
        );
        assert.equal(error.reason, 'redirect');
        await getServiceError(
          client.createMessage({ conversationId: 'c', content: 'x', isWebSearch: true }),
          'invalidResponse',
        );
        await getServiceError(client.deleteConversation('c'), 'invalidResponse');
        assert.deepEqual([server.requests.length, other.requests.length], [3, 0]);
      });
    }

    it('does not send the key to another name of the same machine [attack: other origin]', async () => {
      const other = await startServer(json({ data: [] }));
      const server = await startServer(redirect(302, `http://localhost:${other.port}/x`));
      // The same port with another name.
      const same = await startServer(
        routes({
          '/api/v1/bots': (request, response) =>
            redirect(302, `http://localhost:${same.port}/x`)(request, response),
          '/x': json({ data: [] }),
        }),
      );
      await createClient(server.origin, { fetch }).client.listBots();
      assertNoKeyAt(other);
      await createClient(same.origin, { fetch }).client.listBots();
      assert.equal(same.requests[1]?.headers.authorization, undefined);
    });

    it('marks a response of another origin as redirected, because it did not get the key', async () => {
      const other = await startServer((_request, response) => response.writeHead(401).end());
      const server = await startServer(redirect(302, other.origin));
      const { client } = createClient(server.origin, { fetch });
      assert.equal((await getServiceError(client.listBots(), 'unauthorized')).reason, 'redirected');
    });

    it('refuses redirects to other schemes, plain http: and userinfo [fault 20]', async () => {
      for (const [location, reason] of [
        ['file:///etc/passwd', 'notHttps'],
        ['data:application/json,{"data":[]}', 'notHttps'],
        ['ftp://127.0.0.1/', 'notHttps'],
        ['http://api.example.com/', 'notHttps'],
        ['http://user:pass@127.0.0.1:1/', 'hasCredentials'],
        ['https://169.254.169.254/latest/meta-data', 'linkLocal'],
        ['http://[', 'notAbsolute'],
      ] as const) {
        const server = await startServer(redirect(302, location));
        const { client } = createClient(server.origin, { fetch });
        assert.equal((await getServiceError(client.listBots(), 'refusedUrl')).reason, reason, location);
        const { error } = await collectReply(client.streamReply({ conversationId: 'c', content: 'x' }));
        assert.deepEqual(
          [error?.code, error?.reason, error?.maySend],
          ['refusedUrl', reason, false],
          location,
        );
        assert.equal(server.requests.length, 2);
      }
    });

    it('refuses a redirect without Location [fault 17]', async () => {
      const server = await startServer(redirect(302));
      const { client } = createClient(server.origin, { fetch });
      assert.equal((await getServiceError(client.listBots(), 'invalidResponse')).reason, 'redirect');
      const { error } = await collectReply(client.streamReply({ conversationId: 'c', content: 'x' }));
      assert.deepEqual([error?.code, error?.reason], ['invalidResponse', 'redirect']);
    });

    it('stops after five redirects [fault 21]', async () => {
      const server = await startServer(redirect(302, '/api/v1/bots'));
      const { client, log } = createClient(server.origin, { fetch });
      assert.equal((await getServiceError(client.listBots(), 'invalidResponse')).reason, 'redirect');
      assert.equal(server.requests.length, 6);
      assert.equal(log.length, 1);
    });
  });

  describe(`Streams and the API key over ${name}`, () => {
    afterEach(stopServers);

    const message = { conversationId: 'c1', content: 'Hi' };

    for (const [how, toStream] of [
      ['stream_url', (url: string) => json({ data: { stream_url: url, extra: 1 } })],
      ['301', (url: string) => redirect(301, url)],
      ['302', (url: string) => redirect(302, url)],
      ['303', (url: string) => redirect(303, url)],
    ] as const) {
      it(`reads a stream from ${how} elsewhere without the key [attack: other origin]`, async () => {
        const streams = await startServer(events);
        const api = await startServer(toStream(`${streams.origin}/s?token=t`));
        const { client, log } = createClient(api.origin, { fetch });
        assert.equal((await collectReply(client.streamReply(message))).text, 'Hi');
        assertNoKeyAt(streams);
        const [seen] = streams.requests;
        assert.deepEqual(
          [seen?.method, seen?.url, seen?.headers.accept],
          ['GET', '/s?token=t', 'text/event-stream'],
        );
        assert.deepEqual(
          log.map(({ operation, errorCode }) => [operation, errorCode]),
          [
            ['POST /messages/stream', undefined],
            ['GET {stream_url}', undefined],
          ],
        );
      });

      it(`reads a stream from ${how} on the API's own origin with the key`, async () => {
        const api = await startServer(
          routes({
            '/api/v1/messages/stream': (request, response) => toStream(`${api.origin}/s`)(request, response),
            '/s': events,
          }),
        );
        assert.equal(
          (await collectReply(createClient(api.origin, { fetch }).client.streamReply(message))).text,
          'Hi',
        );
        assert.equal(api.requests[1]?.headers.authorization, `Bearer ${KEY}`);
      });
    }

    it('follows a stream that redirects elsewhere without the key [attack: other origin]', async () => {
      const streams = await startServer(events);
      const api = await startServer(
        routes({
          '/api/v1/messages/stream': json({ data: { stream_url: '/s' } }),
          '/s': redirect(307, `${streams.origin}/t`),
        }),
      );
      assert.equal(
        (await collectReply(createClient(api.origin, { fetch }).client.streamReply(message))).text,
        'Hi',
      );
      assert.equal(api.requests[1]?.headers.authorization, `Bearer ${KEY}`);
      assertNoKeyAt(streams);
    });

    for (const status of [307, 308]) {
      it(`refuses ${status}, which would send the message again`, async () => {
        const other = await startServer(events);
        const api = await startServer(redirect(status, `${other.origin}/x`));
        const { error } = await collectReply(createClient(api.origin, { fetch }).client.streamReply(message));
        assert.deepEqual(
          [error?.code, error?.reason, error?.maySend],
          ['invalidResponse', 'redirect', false],
        );
        assert.deepEqual([api.requests.length, other.requests.length], [1, 0]);
      });
    }

    it('refuses a stream_url with plain http:, userinfo or another scheme [fault 20]', async () => {
      for (const [url, reason] of [
        ['http://streams.example.com/s', 'notHttps'],
        ['https://user@streams.example.com/s', 'hasCredentials'],
        ['javascript:alert(1)', 'notHttps'],
        ['file:///etc/passwd', 'notHttps'],
        ['https://169.254.169.254/s', 'linkLocal'],
        ['http://[', 'notAbsolute'],
      ] as const) {
        const api = await startServer(json({ data: { stream_url: url } }));
        const { error } = await collectReply(createClient(api.origin, { fetch }).client.streamReply(message));
        assert.deepEqual([error?.code, error?.reason, error?.maySend], ['refusedUrl', reason, false], url);
      }
    });
  });
}

describe('Redirects from https:', () => {
  it('never lead to http:, not even on loopback', async () => {
    const urls: string[] = [];
    const { client } = createClient('https://api.example.com', {
      fetch: async (url) => {
        urls.push(url);
        return new Response(null, { status: 302, headers: { Location: 'http://127.0.0.1:1/x' } });
      },
    });
    await getServiceError(client.listBots(), 'refusedUrl');
    assert.deepEqual(urls, ['https://api.example.com/api/v1/bots']);
  });
});
