import assert from 'node:assert/strict';
import type * as http from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceClient } from '../../src/client/serviceClient';
import { collectReply, createClient, KEY, TRANSPORTS } from './support/clients';
import {
  CLOSED_PORT,
  json,
  startByteServer,
  startRawServer,
  startServer,
  stopServers,
  type TestServer,
} from './support/servers';

const MESSAGE = { conversationId: 'c1', content: 'Hi' };
const EVENTS = { 'Content-Type': 'text/event-stream' };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n';

function createChunkEvent(text: string): string {
  return `data: ${JSON.stringify({ chunk: text })}\n\n`;
}

for (const { name, fetch } of TRANSPORTS) {
  describe(`streamReply over ${name}`, () => {
    afterEach(stopServers);

    /** Creates a client whose messages are answered by a stream on another server. */
    async function streaming(streams: TestServer): Promise<ServiceClient> {
      const api = await startServer(json({ data: { stream_url: `${streams.origin}/s` } }));
      return createClient(api.origin, { fetch }).client;
    }

    /** The same with a stream sent by an HTTP server. */
    async function streamed(
      write: (response: http.ServerResponse) => void,
    ): Promise<[ServiceClient, TestServer]> {
      const streams = await startServer((_request, response) => {
        response.writeHead(200, EVENTS);
        write(response);
      });
      return [await streaming(streams), streams];
    }

    it('sends the message once, with redirect false, and reads its stream', async () => {
      const streams = await startServer((_request, response) => {
        response
          .writeHead(200, EVENTS)
          .end(`data: [START]\n\n${createChunkEvent('Hel')}${createChunkEvent('lo')}data: [END]\n\n`);
      });
      const api = await startServer(json({ data: { stream_url: `${streams.origin}/s`, id: 7 } }));
      const { client, log } = createClient(api.origin, { fetch });
      let opened = 0;
      const reply = client.streamReply(MESSAGE, {
        onOpen: () => opened++,
        onSkipped: () => assert.fail('skipped'),
      });
      assert.deepEqual(await collectReply(reply), { text: 'Hello', pieces: ['Hello'], error: undefined });
      assert.equal(opened, 1);
      assert.equal(api.requests.length, 1);
      const [seen] = api.requests;
      assert.equal(`${seen?.method} ${seen?.url}`, 'POST /api/v1/messages/stream');
      assert.deepEqual(JSON.parse(seen?.body ?? ''), {
        conversation_id: 'c1',
        content: 'Hi',
        redirect: false,
      });
      assert.equal(seen?.headers.authorization, `Bearer ${KEY}`);
      assert.deepEqual(
        log.map(({ status }) => status),
        [200, 200],
      );
    });

    it('sends nothing before it is read', async () => {
      const api = await startServer(json({}));
      createClient(api.origin, { fetch }).client.streamReply(MESSAGE);
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.equal(api.requests.length, 0);
    });

    it('reads a 200 that is already a stream', async () => {
      const api = await startServer((_request, response) =>
        response.writeHead(200, EVENTS).end(`${createChunkEvent('Hi')}data: [END]\n\n`),
      );
      const { client, log } = createClient(api.origin, { fetch });
      assert.equal((await collectReply(client.streamReply(MESSAGE))).text, 'Hi');
      assert.equal(api.requests.length, 1);
      assert.deepEqual(
        log.map(({ operation, errorCode }) => [operation, errorCode]),
        [['POST /messages/stream', undefined]],
      );
    });

    it('yields text as it arrives', async () => {
      let send: (text: string) => void = () => undefined;
      const [client] = await streamed((response) => {
        send = (text) => response.write(text);
        response.write(createChunkEvent('one'));
      });
      const seen: string[] = [];
      for await (const text of client.streamReply(MESSAGE)) {
        seen.push(text);
        send(seen.length === 1 ? createChunkEvent('two') : 'data: [END]\n\n');
      }
      assert.deepEqual(seen, ['one', 'two']);
    });

    it('joins the chunks of one read into one string', async () => {
      const [client] = await streamed((response) =>
        response.end(`${createChunkEvent('x').repeat(100_000)}data: [END]\n\n`),
      );
      const { text, pieces } = await collectReply(client.streamReply(MESSAGE));
      assert.equal(text.length, 100_000);
      assert.ok(pieces.length < 1000, `${pieces.length} pieces`);
    });

    it('yields the same text for single bytes and any line end [fault 36] [fault 37]', async () => {
      const bytes = Buffer.from(
        `\ufeff: hi\r\ndata: [START]\r\n\r\n${createChunkEvent('日本')}data: {"chunk":"👍"}\r\rid: 7\nretry: 1\ndata: [END]\r\r`,
      );
      const [client] = await streamed(async (response) => {
        for (const byte of bytes)
          await new Promise((resolve) => response.write(Uint8Array.of(byte), resolve));
        response.end();
      });
      assert.deepEqual((await collectReply(client.streamReply(MESSAGE))).text, '日本👍');
    });

    it('completes at [END] and closes an open connection before the last text is read [fault 27]', async () => {
      const [client, streams] = await streamed((response) =>
        response.write(`${createChunkEvent('Hi')}data: [END]\n\n${createChunkEvent('no')}`),
      );
      for await (const text of client.streamReply(MESSAGE)) {
        assert.equal(text, 'Hi');
        await streams.untilClosed();
      }
    });

    it('completes when only the blank line of [END] is missing [fault 28]', async () => {
      const [client] = await streamed((response) => response.end(`${createChunkEvent('Hi')}data: [END]`));
      assert.deepEqual(await collectReply(client.streamReply(MESSAGE)), {
        text: 'Hi',
        pieces: ['Hi'],
        error: undefined,
      });
    });

    it('throws interrupted after its text without [END], however the stream ends [fault 23] [fault 24] [fault 25] [fault 26]', async () => {
      const body = createChunkEvent('Half');
      const framed = `${body.length.toString(16)}\r\n${body}\r\n`;
      const endings: Record<string, readonly [bytes: string, end: (socket: Socket) => void]> = {
        'a proper end': [
          `${HEAD}Transfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`,
          (socket) => socket.end(),
        ],
        'close-delimited': [`${HEAD}Connection: close\r\n\r\n${body}`, (socket) => socket.end()],
        'FIN within chunked': [
          `${HEAD}Transfer-Encoding: chunked\r\n\r\n${framed}`,
          (socket) => socket.end(),
        ],
        'FIN within a length': [`${HEAD}Content-Length: 999\r\n\r\n${body}`, (socket) => socket.end()],
        RST: [`${HEAD}Transfer-Encoding: chunked\r\n\r\n${framed}`, (socket) => socket.resetAndDestroy()],
        'bad framing': [
          `${HEAD}Transfer-Encoding: chunked\r\n\r\n${framed}`,
          (socket) => socket.end('zz\r\n'),
        ],
      };
      for (const [how, [bytes, end]] of Object.entries(endings)) {
        let socket: Socket | undefined;
        const client = await streaming(
          await startByteServer(bytes, (opened) => {
            socket = opened;
          }),
        );
        let text = '';
        await assert.rejects(
          async () => {
            for await (const piece of client.streamReply(MESSAGE)) {
              text += piece;
              // A reset discards unread data.
              if (socket) end(socket);
            }
          },
          { code: 'interrupted', maySend: false, operation: 'GET {stream_url}' },
          how,
        );
        assert.equal(text, 'Half', how);
      }
    });

    it('reports skipped events once per reply [fault 33]', async () => {
      const [client] = await streamed((response) => {
        response.write(`data: junk\n\n${createChunkEvent('a')}data: {"chunk":null}\n\ndata: {"chunk":5}\n\n`);
        response.end(`data: {}\n\n${createChunkEvent('b')}data: [END]\n\n`);
      });
      let skipped = 0;
      const { text } = await collectReply(client.streamReply(MESSAGE, { onSkipped: () => skipped++ }));
      assert.deepEqual([text, skipped], ['ab', 1]);
    });

    it('limits an endless event and closes its connection [fault 34]', async () => {
      let sent = 0;
      const [client, streams] = await streamed((response) => {
        response.write(`${createChunkEvent('Hi')}data: {"chunk":"`);
        const piece = 'x'.repeat(1024 * 1024);
        const write = (): void => {
          while (!response.destroyed && ++sent <= 50 && response.write(piece));
        };
        response.on('drain', write);
        write();
      });
      const { text, error } = await collectReply(client.streamReply(MESSAGE));
      assert.deepEqual([text, error?.code, error?.reason], ['Hi', 'invalidResponse', 'tooLarge']);
      await streams.untilClosed();
      assert.ok(sent < 40, `${sent} MB were sent`);
    });

    it('closes the connection when the loop is left by break or throw', async () => {
      const [client, streams] = await streamed((response) => response.write(createChunkEvent('Hi')));
      for await (const _text of client.streamReply(MESSAGE)) break;
      await streams.untilClosed(1);
      await assert.rejects(async () => {
        for await (const _text of client.streamReply(MESSAGE)) throw new Error('mine');
      }, /mine/);
      await streams.untilClosed(2);
    });

    it('logs a loop that was left as aborted', async () => {
      const api = await startServer((_request, response) =>
        response.writeHead(200, EVENTS).write(createChunkEvent('Hi')),
      );
      const { client, log } = createClient(api.origin, { fetch });
      for await (const _text of client.streamReply(MESSAGE)) break;
      assert.equal(log[0]?.errorCode, 'aborted');
    });

    it("ends a silent stream with the caller's signal and keeps the text [fault 32]", async () => {
      const [client, streams] = await streamed((response) => response.write(createChunkEvent('Hi')));
      const controller = new AbortController();
      const reply = client.streamReply(MESSAGE, { signal: controller.signal });
      const seen: string[] = [];
      await assert.rejects(
        async () => {
          for await (const text of reply) {
            seen.push(text);
            setTimeout(() => controller.abort(), 30);
          }
        },
        { code: 'aborted', maySend: false },
      );
      assert.deepEqual(seen, ['Hi']);
      await streams.untilClosed();
    });

    it("aborts with the caller's signal while the message is being sent, and before the stream answers", async () => {
      let abort = (): void => undefined;
      const silent = await startRawServer((socket) => socket.once('data', () => abort()));
      for (const client of [createClient(silent.origin, { fetch }).client, await streaming(silent)]) {
        const controller = new AbortController();
        abort = () => controller.abort();
        const { error } = await collectReply(client.streamReply(MESSAGE, { signal: controller.signal }));
        assert.deepEqual([error?.code, error?.maySend], ['aborted', false]);
      }
      await silent.untilClosed(2);
    });

    it('has no deadline for a silent stream, only for its headers [fault 31]', async () => {
      let goOn: () => void = () => undefined;
      const quiet = await startServer((_request, response) => {
        response.writeHead(200, EVENTS).write(': hi\n\n');
        goOn = () => response.end(`${createChunkEvent('Hi')}data: [END]\n\n`);
      });
      const silent = await startRawServer(() => undefined);
      const deadlines = { reply: 3000, body: 3000 };
      const readFrom = async (streams: TestServer, onOpen = (): void => undefined) => {
        const api = await startServer(json({ data: { stream_url: streams.origin } }));
        const { client } = createClient(api.origin, { fetch, deadlines });
        return collectReply(client.streamReply(MESSAGE, { onOpen }));
      };
      let reading: ReturnType<typeof readFrom> | undefined;
      await new Promise<void>((resolve) => {
        reading = readFrom(quiet, resolve);
        void reading.then(() => resolve());
      });
      // Wait longer than the deadlines: a request that starts now times out while the first stream stays open.
      const late = await readFrom(silent);
      goOn();
      const heard = await reading;
      assert.deepEqual([heard?.text, heard?.error], ['Hi', undefined]);
      assert.deepEqual(
        [late.error?.code, late.error?.maySend, late.error?.operation],
        ['timeout', false, 'GET {stream_url}'],
      );
    });

    it('reads a stream once and repeats nothing when its URL fails', async () => {
      for (const [status, code] of [
        [403, 'forbidden'],
        [404, 'notFound'],
        [429, 'rateLimited'],
        [503, 'service'],
      ] as const) {
        const streams = await startServer((_request, response) =>
          response.writeHead(status, { 'Retry-After': '0' }).end(),
        );
        const { error } = await collectReply((await streaming(streams)).streamReply(MESSAGE));
        assert.deepEqual([error?.code, error?.maySend, streams.requests.length], [code, false, 1]);
      }
      const api = await startServer(json({ data: { stream_url: `http://127.0.0.1:${CLOSED_PORT}/s` } }));
      const { error } = await collectReply(createClient(api.origin, { fetch }).client.streamReply(MESSAGE));
      assert.deepEqual([error?.code, error?.reason, error?.maySend], ['unreachable', 'refused', false]);
    });

    it('throws invalidResponse when the response is not a stream [fault 22]', async () => {
      for (const [status, type, body, reason] of [
        [204, undefined, undefined, 'empty'],
        [200, 'text/event-stream', '', 'empty'],
        [200, 'text/html', '<h1>Hi</h1>', 'contentType'],
        [200, 'application/json', '{"chunk":"Hi"}', 'contentType'],
        [200, undefined, createChunkEvent('Hi'), 'contentType'],
        [200, 'text/event-streams', createChunkEvent('Hi'), 'contentType'],
        [200, 'text/html; like=text/event-stream', createChunkEvent('Hi'), 'contentType'],
      ] as const) {
        const streams = await startServer((_request, response) => {
          response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body);
        });
        const { text, error } = await collectReply((await streaming(streams)).streamReply(MESSAGE));
        assert.deepEqual(
          [text, error?.code, error?.reason, error?.maySend],
          ['', 'invalidResponse', reason, false],
        );
        assert.equal(streams.requests.length, 1);
      }
    });

    it('reports a missing stream_url', async () => {
      for (const [answer, reason] of [
        ['{}', 'field'],
        ['{"data":{}}', 'field'],
        ['{"data":{"stream_url":null}}', 'field'],
        ['{"data":{"stream_url":""}}', 'field'],
        ['[]', 'field'],
        ['', 'empty'],
        ['<html>', 'json'],
      ]) {
        const api = await startServer((_request, response) => response.end(answer));
        const { error } = await collectReply(createClient(api.origin, { fetch }).client.streamReply(MESSAGE));
        assert.deepEqual(
          [error?.code, error?.reason, error?.maySend],
          ['invalidResponse', reason, false],
          answer,
        );
        if (answer === '{}') {
          assert.equal(error?.message, 'POST /messages/stream: the response has no valid "stream_url"');
        }
      }
    });

    it('reports that the message may be sent again after a refusal, and the reason', async () => {
      const api = await startServer(json({ message: 'Limit reached. Please upgrade.' }, 402));
      const { error } = await collectReply(createClient(api.origin, { fetch }).client.streamReply(MESSAGE));
      assert.deepEqual(
        [error?.code, error?.maySend, error?.serviceMessage],
        ['quotaReached', true, 'Limit reached. Please upgrade.'],
      );
    });

    it('reports that the message may be sent again after a refused connection, but not after a closed one', async () => {
      const refused = createClient(`http://127.0.0.1:${CLOSED_PORT}`, { fetch }).client;
      assert.equal((await collectReply(refused.streamReply(MESSAGE))).error?.maySend, true);
      const closing = await startRawServer((socket) => socket.once('data', () => socket.end()));
      const { error } = await collectReply(
        createClient(closing.origin, { fetch }).client.streamReply(MESSAGE),
      );
      assert.deepEqual([error?.code, error?.reason, error?.maySend], ['unreachable', 'reset', false]);
    });

    it('sends nothing without a key', async () => {
      const { client } = createClient('http://127.0.0.1:1', { fetch, key: undefined });
      const { error } = await collectReply(client.streamReply(MESSAGE));
      assert.deepEqual([error?.code, error?.maySend], ['keyMissing', true]);
    });
  });
}
