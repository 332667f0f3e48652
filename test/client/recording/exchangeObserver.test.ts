import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ExchangeObserver } from '../../../src/client/recording/exchangeObserver';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { collectReply, createClient, getServiceError, KEY, TRANSPORTS } from '../support/clients';
import { CLOSED_PORT, json, routes, startByteServer, startServer, stopServers } from '../support/servers';

const MESSAGE = { conversationId: 'c1', content: 'Hi' };
const BOTS = { data: [{ id: 'b1', name: 'Guide' }] };

const joinText = (chunks: readonly { readonly bytes: Uint8Array }[] = []) =>
  Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();

for (const { name, fetch } of TRANSPORTS)
  describe(`Observed exchanges over ${name}`, () => {
    let observer: ExchangeObserver;
    let counts: number[];
    let fullCount: number;

    beforeEach(() => {
      counts = [];
      fullCount = 0;
      observer = new ExchangeObserver(
        (count) => counts.push(count),
        () => fullCount++,
      );
    });
    afterEach(stopServers);

    const connect = (origin: string): ServiceClient =>
      createClient(origin, { fetch: observer.observe(fetch, `${origin}/api/v1`) }).client;

    /** Starts a service whose replies are written by the test. */
    async function startStream(): Promise<{
      client: ServiceClient;
      opened: Promise<ServerResponse>;
      origin: string;
    }> {
      let open: (response: ServerResponse) => void;
      const opened = new Promise<ServerResponse>((resolve) => {
        open = resolve;
      });
      const { origin } = await startServer(
        routes({
          '/api/v1/messages/stream': json({ data: { stream_url: '/stream' } }),
          '/stream': (_, response) => {
            response.writeHead(200, { 'Content-Type': 'text/event-stream' });
            response.flushHeaders();
            open(response);
          },
        }),
      );
      return { client: connect(origin), opened, origin };
    }

    it('have the request without its key, and the response as it came', async () => {
      const server = await startServer(json(BOTS, 200, { 'Retry-After': '1' }));
      const { items } = await connect(server.origin).listBots({ keyword: 'g' });
      assert.deepEqual(items, [{ id: 'b1', name: 'Guide' }]);
      const [exchange] = observer.exchanges;
      assert.ok(exchange?.response);
      const { at, response, ...request } = exchange;
      assert.deepEqual(request, {
        ...{
          baseUrl: `${server.origin}/api/v1`,
          url: `${server.origin}/api/v1/bots?keyword=g`,
          method: 'GET',
        },
        headers: { Accept: 'application/json' },
      });
      assert.ok(at >= 0 && response.at >= at && response.at <= Date.now() - observer.startedAt);
      assert.deepEqual([response.status, response.headers.get('retry-after')], [200, '1']);
      assert.equal(joinText(response.chunks), JSON.stringify(BOTS));
      assert.equal(response.incomplete, undefined);
      assert.deepEqual([[...observer.keys], counts], [[KEY], [1]]);
    });

    it('have the pieces of a stream, which the client gets as soon as they arrive', async () => {
      const { client, opened } = await startStream();
      const reply = client.streamReply(MESSAGE)[Symbol.asyncIterator]();
      const pieces = ['data: [START]\n\ndata: {"chunk":"a"}\n\n', 'data: {"chunk":"b"}\n\n'];
      const first = reply.next();
      const response = await opened;
      response.write(pieces[0]);
      assert.equal((await first).value, 'a');
      response.write(pieces[1]);
      assert.equal((await reply.next()).value, 'b');
      response.write('data: [END]\n\n');
      assert.equal((await reply.next()).done, true);
      const [posted, streamed] = observer.exchanges;
      assert.equal(posted?.body, JSON.stringify({ conversation_id: 'c1', content: 'Hi', redirect: false }));
      const { chunks = [], incomplete } = streamed?.response ?? {};
      assert.deepEqual(
        chunks.map(({ bytes }) => Buffer.from(bytes).toString()),
        [...pieces, 'data: [END]\n\n'],
      );
      // The client closes it after [END].
      assert.equal(incomplete, 'closed');
    });

    it('close the connection when the client does', async () => {
      const { client, opened } = await startStream();
      const aborting = new AbortController();
      const reply = client.streamReply(MESSAGE, { signal: aborting.signal })[Symbol.asyncIterator]();
      const first = reply.next();
      const response = await opened;
      response.write('data: {"chunk":"a"}\n\n');
      await first;
      const closed = once(response, 'close');
      aborting.abort();
      await assert.rejects(reply.next(), { code: 'aborted' });
      await closed;
      assert.equal(observer.exchanges[1]?.response?.incomplete, 'closed');
      assert.equal(observer.exchanges[1]?.failure, undefined);
    });

    it('say why there is no response, or why it broke off', async () => {
      await getServiceError(
        connect(`http://127.0.0.1:${CLOSED_PORT}`).createConversation({ name: 'a', botId: 'b' }),
        'unreachable',
      );
      assert.match(observer.exchanges.at(-1)?.failure ?? '', /^ECONNREFUSED$|^error$/);
      const aborting = new AbortController();
      const silent = await startServer(() => aborting.abort());
      const call = connect(silent.origin).listBots({}, aborting.signal);
      await getServiceError(call, 'aborted');
      assert.equal(observer.exchanges.at(-1)?.failure, 'aborted');
      const { client, opened } = await startStream();
      const reply = collectReply(client.streamReply(MESSAGE));
      const response = await opened;
      response.write('data: {"chunk":"a"}\n\n', () => response.socket?.destroySoon());
      assert.equal((await reply).error?.code, 'interrupted');
      const broken = observer.exchanges.at(-1);
      assert.equal(joinText(broken?.response?.chunks), 'data: {"chunk":"a"}\n\n');
      assert.match(broken?.failure ?? '', /^[A-Z_]+$|^error$/);
    });

    it('have only the length and the type of an upload', async () => {
      const server = await startServer((_, response) => response.end());
      const bytes = Buffer.from('The contents');
      const file = { size: bytes.length, open: () => new Blob([bytes]) };
      await connect(server.origin).putFile({
        url: `${server.origin}/a?b=c`,
        contentType: 'text/plain',
        file,
      });
      assert.equal(server.requests[0]?.body, 'The contents');
      const { headers, body, bodyBytes, response } = observer.exchanges[0] ?? {};
      assert.deepEqual(
        [headers, body, bodyBytes],
        [{ 'Content-Type': 'text/plain' }, undefined, bytes.length],
      );
      assert.deepEqual([response?.status, response?.chunks], [200, []]);
    });

    it('end when there is no more room, which the client doesn’t notice', async () => {
      const names = Array.from({ length: 60_000 }, (_, index) => ({ id: index, name: 'x'.repeat(60) }));
      const server = await startServer(json(names));
      const { items } = await connect(server.origin).listBots();
      assert.equal(items.length, 10_000);
      assert.ok(fullCount > 0);
      const { chunks = [], incomplete } = observer.exchanges[0]?.response ?? {};
      assert.equal(incomplete, 'limit');
      assert.ok(joinText(chunks).length <= 4_000_000);
    });

    it('are no longer recorded once the observer is stopped, though they go on', async () => {
      const { client, opened, origin } = await startStream();
      const reply = client.streamReply(MESSAGE)[Symbol.asyncIterator]();
      const first = reply.next();
      const response = await opened;
      response.write('data: {"chunk":"a"}\n\n');
      await first;
      observer.stop();
      response.end('data: {"chunk":"b"}\n\ndata: [END]\n\n');
      assert.equal((await reply.next()).value, 'b');
      assert.equal((await reply.next()).done, true);
      await connect(origin)
        .listBots()
        .catch(() => undefined);
      assert.equal(observer.exchanges.length, 2);
      const { chunks, incomplete } = observer.exchanges[1]?.response ?? {};
      assert.deepEqual([joinText(chunks), incomplete], ['data: {"chunk":"a"}\n\n', 'stopped']);
    });

    it('passes on responses without a body unchanged', async () => {
      const server = await startByteServer('HTTP/1.1 204 No Content\r\n\r\n');
      await connect(server.origin).deleteConversation('c1');
      const { status, chunks, incomplete } = observer.exchanges[0]?.response ?? {};
      assert.deepEqual([status, chunks, incomplete], [204, [], undefined]);
    });
  });

describe('Observed exchanges', () => {
  it('cancel the body of a response that the client cancels', async () => {
    const observer = new ExchangeObserver(
      () => undefined,
      () => undefined,
    );
    const reasons: unknown[] = [];
    const body = new ReadableStream<Uint8Array>({ cancel: (reason) => void reasons.push(reason) });
    const url = 'https://api.example.com/api/v1/bots';
    const { signal } = new AbortController();
    const init = { method: 'GET', headers: {}, redirect: 'manual', signal } as const;
    const response = await observer.observe(async () => new Response(body), url)(url, init);
    await response.body?.cancel('enough');
    assert.deepEqual(reasons, ['enough']);
    assert.equal(observer.exchanges[0]?.response?.incomplete, 'closed');
  });

  it('keeps at most a thousand exchanges', async () => {
    let fullCount = 0;
    const observer = new ExchangeObserver(
      () => undefined,
      () => fullCount++,
    );
    const { client } = createClient('https://api.example.com', {
      fetch: observer.observe(async () => Response.json(BOTS), 'https://api.example.com/api/v1'),
    });
    for (let count = 0; count < 1001; count++) await client.listBots();
    assert.deepEqual([observer.exchanges.length, fullCount], [1000, 1]);
  });
});
