import assert from 'node:assert/strict';
import { ExchangeObserver } from '../../../src/client/recording/exchangeObserver';
import { redactRecording } from '../../../src/client/recording/redactRecording';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/serviceError';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import { collectReply, createClient } from '../../client/support/clients';
import type { LocalService, LocalServiceOptions } from '../localService';
import { startLocalService } from '../localService';
import { parseRecording, type RecordedExchange, type Recording } from './recording';
import { type Replay, type ReplayOptions, startReplay } from './startReplay';

const ORIGIN = /^https?:\/\/[^/]+/;

/** Creates an exchange of a recording. */
function exchangeOf(operation: string, rest: Partial<RecordedExchange> = {}): RecordedExchange {
  const path = operation.slice(operation.indexOf(' ') + 1).replace('{id}', 'abcdef');
  return { at: 0, operation, origin: 'api', path, request: { headers: {} }, ...rest };
}

function answerOf(
  body: unknown,
  rest: Partial<RecordedExchange['response']> = {},
): RecordedExchange['response'] {
  return { at: 0, status: 200, headers: { 'content-type': 'application/json' }, body, ...rest };
}

function recordingOf(...exchanges: readonly RecordedExchange[]): Recording {
  return {
    parleyRecording: 1,
    startedAt: new Date(0).toISOString(),
    textsKept: false,
    exchanges: [...exchanges],
  };
}

describe('Replaying a recording', () => {
  let service: LocalService | undefined;
  let replay: Replay | undefined;

  afterEach(async () => {
    await Promise.all([service?.close(), replay?.close()]);
    service = undefined;
    replay = undefined;
  });

  async function start(recording: Recording, options: ReplayOptions = {}): Promise<ServiceClient> {
    replay = await startReplay(recording, options);
    return createClient(replay.baseUrl.replace('/api/v1', ''), { key: replay.key }).client;
  }

  /** Records what `drive` does with a local service. */
  async function record(
    options: LocalServiceOptions,
    keepsTexts: boolean,
    drive: (client: ServiceClient, service: LocalService) => Promise<unknown>,
  ): Promise<{ recording: Recording; result: unknown }> {
    service = await startLocalService(options);
    const observer = new ExchangeObserver(
      () => undefined,
      () => assert.fail('The recording is full.'),
    );
    const fetch = observer.observe(createNodeFetch(), service.baseUrl);
    const { client } = createClient(service.apiOrigin, { fetch, key: service.key });
    const result = await drive(client, service);
    observer.stop();
    const { startedAt, exchanges } = observer;
    const recording = redactRecording(exchanges, { startedAt, keys: [...observer.keys], keepsTexts });
    return { recording: parseRecording(JSON.stringify(recording)), result };
  }

  /** The main job: a conversation with two replies and a document, and errors. */
  async function runMainJob(client: ServiceClient): Promise<unknown> {
    const fail = (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const { code, status, fieldErrors, serviceMessage } = error;
      return { code, status, fieldErrors, serviceMessage };
    };
    const bots = await client.listBots().catch(fail);
    const botId = 'items' in bots ? (bots.items[0]?.id ?? '') : 'echo';
    const conversation = await client.createConversation({ name: 'Moss & more', botId });
    const { id } = conversation;
    const first = await collectReply(client.streamReply({ conversationId: id, content: 'one two\nthree' }));
    const second = await client.createMessage({ conversationId: id, content: 'Hé 👍', isWebSearch: true });
    const messages = await client.listMessages({ conversationId: id });
    const upload = await client.createSignedUpload({ fileName: 'Plans.txt', contentType: 'text/plain' });
    const bytes = Buffer.from('Our plans');
    const file = { size: bytes.length, open: () => new Blob([bytes]).stream() };
    await client.putFile({ ...upload, contentType: 'text/plain', file });
    const created = await client.createDocument({
      key: upload.key,
      conversationId: id,
      fileName: 'Plans.txt',
    });
    const documents = await client.listDocuments({ conversationId: id }).catch(fail);
    const renamed = await client.updateConversation(id, { name: 'Ferns', botId });
    const refused = await client.createConversation({ name: 'Ferns', botId: 'nobody' }).catch(fail);
    const missing = await client.getConversation('another').catch(fail);
    const signed = { key: upload.key, url: new URL(upload.url).search };
    await client.deleteConversation(id);
    return {
      ...{ bots, conversation, pieces: first.pieces, second, messages, signed, created, documents },
      ...{ renamed, refused, missing },
    };
  }

  /**
   * Replaces what a recording may change by what it must not change: ids by their order, URLs by their form, and texts
   * by their length unless they are kept.
   */
  function normalize(value: unknown, keepsTexts: boolean): unknown {
    const ids: string[] = [];
    return JSON.parse(JSON.stringify(value), (field, item) => {
      if (typeof item !== 'string' || field === 'code' || field === 'status' || field === 'type') return item;
      if (/^(?:id|key)$|Id$/.test(field)) {
        if (!ids.includes(item)) ids.push(item);
        return `id ${ids.indexOf(item)}`;
      }
      if (/url$/i.test(field)) return decodeURIComponent(item.replace(ORIGIN, '')).replace(/[^?&=]/g, 'x');
      // The service puts an id into its messages.
      return keepsTexts && field !== 'serviceMessage' ? item : item.length;
    });
  }

  for (const profile of ['minimal', 'hosted', 'lenient'] as const)
    for (const keepsTexts of [false, true])
      it(`yields what the ${profile} profile yielded, ${keepsTexts ? 'with' : 'but for'} its texts`, async () => {
        const options = { profile, listingMs: 0, conversionMs: 0 };
        const { recording, result } = await record(options, keepsTexts, runMainJob);
        const { key = '', apiOrigin = '', streamOrigin = '', storageOrigin = '' } = service ?? {};
        const file = JSON.stringify(recording);
        for (const secret of [
          key,
          apiOrigin,
          streamOrigin,
          storageOrigin,
          '127.0.0.1',
          ...(service?.conversations.keys() ?? []),
        ])
          assert.ok(!file.includes(secret), secret);
        assert.equal(file.includes('Moss & more'), keepsTexts);
        assert.equal(file.includes('Our plans'), false);
        await service?.close();
        const replayed = await runMainJob(await start(recording));
        assert.deepEqual(normalize(replayed, keepsTexts), normalize(result, keepsTexts));
        const { bots } = result as { bots: { items?: readonly object[] } };
        assert.equal(replay?.bots.length, bots.items?.length ?? 1);
      });

  it('yields a stream in the pieces in which it arrived, also within events', async () => {
    const pieces = [
      'da',
      'ta: {"chunk":"H',
      '\u00e9"}',
      '\n\n: ping\n\n',
      'event: x\ndata: {"chunk":"b"}\n\ndata: [EN',
      'D]\n\n',
    ];
    const read = async (client: ServiceClient) =>
      (await collectReply(client.streamReply({ conversationId: 'abcdef', content: 'Hi' }))).pieces;
    const { recording, result } = await record({}, true, async (client, running) => {
      const { id: conversationId } = await client.createConversation({ name: 'Hi', botId: 'echo' });
      const reply = running.script();
      for (const piece of pieces) reply.raw(piece);
      reply.end();
      return (await collectReply(client.streamReply({ conversationId, content: 'Hi' }))).pieces;
    });
    const stream = recording.exchanges.find(({ origin }) => origin === 'stream');
    // [START] is a piece of its own; what follows [END] isn't read.
    assert.deepEqual(
      stream?.response?.events?.map(({ text }) => text),
      ['data: [START]\n\n', ...pieces],
    );
    assert.deepEqual(await read(await start(recording)), result);
  });

  it('answers with the first exchange that wasn’t used, and then with the last', async () => {
    const exchanges = ['a', 'b', 'c'].map((name) =>
      exchangeOf('GET /bots', { response: answerOf([{ id: 1, name }]) }),
    );
    const client = await start(recordingOf(...exchanges));
    const names: unknown[] = [];
    for (let count = 0; count < 4; count++) names.push((await client.listBots()).items[0]?.name);
    assert.deepEqual(names, ['a', 'b', 'c', 'c']);
  });

  it('prefers an exchange with the same ids and the same query to others', async () => {
    const one = (path: string, name: string) =>
      exchangeOf('GET /conversations/{id}', {
        path,
        query: 'includes=sources',
        response: answerOf({ id: 1, name }),
      });
    const page = (query: string, id: string) =>
      exchangeOf('GET /messages', { query, response: answerOf([{ id }]) });
    const client = await start(
      recordingOf(
        ...[one('/conversations/a', 'A'), one('/conversations/b', 'B')],
        ...[
          page('page=1&conversation_id=a&includes=sources%2Cusage', '1'),
          page('conversation_id=a&includes=sources%2Cusage&page=2', '2'),
        ],
      ),
    );
    assert.equal((await client.getConversation('b')).name, 'B');
    assert.equal((await client.getConversation('b')).name, 'B');
    assert.equal((await client.getConversation('c')).name, 'A');
    assert.deepEqual((await client.listMessages({ conversationId: 'a', page: 2 })).items[0]?.id, '2');
    assert.deepEqual((await client.listMessages({ conversationId: 'x', page: 9 })).items[0]?.id, '1');
  });

  it('answers 404 and says so if nothing like it was recorded', async () => {
    const unanswered = exchangeOf('GET /messages/{id}');
    const client = await start(recordingOf(unanswered, exchangeOf('GET /bots', { response: answerOf([]) })));
    const message = 'The recording has no answer to GET /messages/x.';
    await assert.rejects(client.getMessage('x'), { code: 'notFound', status: 404, serviceMessage: message });
    await assert.rejects(client.deleteDocument('x'), { code: 'notFound' });
  });

  it('repeats statuses, headers, redirects to other origins, and times', async () => {
    const date = 'Fri, 14 Feb 2025 09:00:00 GMT';
    const client = await start(
      recordingOf(
        exchangeOf('POST /conversations', {
          response: answerOf({ message: 'xxx' }, { status: 429, headers: { 'retry-after': '7', date } }),
        }),
        exchangeOf('GET /bots', {
          response: { at: 0, status: 302, headers: { location: 'https://other.invalid/abc' } },
        }),
        exchangeOf('GET /{id}', {
          origin: 'other',
          path: '/abc',
          response: answerOf([{ id: 1, name: 'xx' }]),
        }),
      ),
    );
    await assert.rejects(client.createConversation({ name: 'a', botId: 'b' }), {
      status: 429,
      retryAfterMs: 7000,
    });
    assert.equal(client.clock.toServiceTime(Date.now()) < Date.parse(date) + 60_000, true);
    assert.deepEqual((await client.listBots()).items, [{ id: '1', name: 'xx' }]);
  });

  it('breaks off where the service did, and gives no answer where there was none', async () => {
    const url = { stream_url: 'https://stream.invalid/abc?sig=xxx' };
    const events = [{ at: 0, text: 'data: {"chunk":"xx"}\n\n' }];
    const response = { at: 0, status: 200, headers: { 'content-type': 'text/event-stream' }, events };
    const client = await start(
      recordingOf(
        exchangeOf('POST /messages/stream', { response: answerOf({ data: url }) }),
        exchangeOf('GET /{id}', { origin: 'stream', path: '/abc', response, failure: 'ECONNRESET' }),
        exchangeOf('POST /uploads/signed-url', {
          response: { ...response, headers: {}, events: [], text: '{"url' },
          failure: 'ECONNRESET',
        }),
        exchangeOf('POST /conversations', { failure: 'ECONNRESET' }),
        exchangeOf('POST /conversations/{id}', { failure: 'aborted' }),
      ),
    );
    const { text, error } = await collectReply(client.streamReply({ conversationId: 'a', content: 'b' }));
    assert.deepEqual([text, error?.code], ['xx', 'interrupted']);
    const upload = client.createSignedUpload({ fileName: 'a.txt', contentType: 'text/plain' });
    await assert.rejects(upload, { code: 'interrupted' });
    await assert.rejects(client.createConversation({ name: 'a', botId: 'b' }), { code: 'unreachable' });
    const aborting = new AbortController();
    const call = client.updateConversation('a', { name: 'a', botId: 'b' }, aborting.signal);
    const other = collectReply(client.streamReply({ conversationId: 'a', content: 'b' }));
    assert.equal(await Promise.race([call, other.then(() => 'no answer')]), 'no answer');
    aborting.abort();
    await assert.rejects(call, { code: 'aborted' });
  });

  it('takes as long as the service did only if it is paced', async () => {
    const late = (at: number) => exchangeOf('GET /bots', { response: answerOf([], { at }) });
    const soon = exchangeOf('GET /messages', { response: answerOf([], { at: 20 }) });
    await (await start(recordingOf(late(1e9)))).listBots();
    await replay?.close();
    const client = await start(recordingOf(late(1e9), soon), { paced: true });
    const aborting = new AbortController();
    const call = client.listBots({}, aborting.signal);
    const first = await Promise.race([
      call,
      client.listMessages({ conversationId: 'a' }).then(() => 'messages'),
    ]);
    assert.equal(first, 'messages');
    aborting.abort();
    await assert.rejects(call, { code: 'aborted' });
  });
});

describe('The reader of recordings', () => {
  const read = (change: (recording: Recording) => unknown) => () =>
    parseRecording(JSON.stringify(change(recordingOf(exchangeOf('GET /bots', { response: answerOf({}) })))));

  it('reports the problem with an invalid file', () => {
    assert.throws(() => parseRecording('{"parley'), /^Error: The file is not JSON: /);
    assert.throws(() => parseRecording('[]'), /^Error: The file is not a recording of Parley\.$/);
    assert.throws(
      read((recording) => ({ ...recording, parleyRecording: 2 })),
      /^Error: The recording has version 2; only 1 is supported\.$/,
    );
    assert.throws(
      read((recording) => ({
        ...recording,
        exchanges: [{ ...recording.exchanges[0], operation: 'EAT /x' }],
      })),
      /^Error: The recording is damaged at exchanges\.0\.operation: no operation$/,
    );
    assert.throws(
      read((recording) => ({ ...recording, exchanges: {} })),
      /^Error: The recording is damaged at exchanges: /,
    );
  });

  it('returns a valid file as it is', () => {
    const recording = recordingOf(exchangeOf('PUT /{id}', { origin: 'storage', failure: 'ECONNRESET' }));
    assert.deepEqual(parseRecording(JSON.stringify(recording)), recording);
  });
});
