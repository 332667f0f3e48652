import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ReplyParser } from '../../src/client/replyParser';
import type { ServiceClient } from '../../src/client/serviceClient';
import { ServiceError } from '../../src/client/serviceError';
import { cases, damaged, inTime, junk, mutated, toJson } from '../support/fuzz';
import { assertNoKey, createClient, KEY } from './support/clients';
import { type Answer, startServer, stopServers, type TestServer } from './support/servers';

const conversation = { id: 'c1', name: 'Moss', bot_id: 'guide', created_at: 1_700_000_000 };
const message = {
  ...{ id: 'm1', content: 'Hi', conversation_id: 'c1', machine: true, failed_responding: false },
  ...{ created_at: 1_700_000_000, is_web_search: true },
  sources: {
    data: [{ type: 'document', document_id: 7, document_name: 'a.txt', document_url: 'https://x.y' }],
  },
};
const document = { id: 'd1', name: 'a.txt', status: 'syncing', content_url: 'https://x.y', created_at: 1 };
const meta = { pagination: { count: 1, total: 1, per_page: 20, total_pages: 1, next_page: null } };
const pdf = { name: 'a.pdf', size: 3, body: { size: 3, open: () => new Blob(['abc']).stream() } };

/** Every operation: a valid response, the call, and the results that it may resolve with. */
const operations: Record<
  string,
  {
    right: unknown;
    call: (client: ServiceClient, origin: string) => Promise<unknown>;
    is: (result: unknown) => boolean;
  }
> = {
  'POST /conversations': {
    right: { data: conversation },
    call: (client) => client.createConversation({ name: 'Moss', botId: 'guide' }),
    is: isConversation,
  },
  'GET /conversations/{id}': {
    right: { data: conversation },
    call: (client) => client.getConversation('c1'),
    is: isConversation,
  },
  'POST /conversations/{id}': {
    right: { data: conversation },
    call: (client) => client.updateConversation('c1', { name: 'Moss', botId: 'guide' }),
    is: (result) => result === undefined || isConversation(result),
  },
  'DELETE /conversations/{id}': {
    right: { data: conversation },
    call: (client) => client.deleteConversation('c1'),
    is: (result) => result === undefined,
  },
  'GET /conversations': {
    right: { data: [conversation], meta },
    call: (client) => client.listConversations({}),
    is: isPageOf(isConversation),
  },
  'GET /bots': {
    right: { data: [{ id: 'guide', name: 'Guide' }], meta },
    call: (client) => client.listBots(),
    is: isPageOf((bot) => isText(bot, 'id') && isString(bot, 'name')),
  },
  'GET /messages': {
    right: [message],
    call: (client) => client.listMessages({ conversationId: 'c1' }),
    is: isPageOf(isMessage),
  },
  'GET /messages/{id}': {
    right: { data: message },
    call: (client) => client.getMessage('m1'),
    is: isMessage,
  },
  'POST /messages': {
    right: { data: message },
    call: (client) => client.createMessage({ conversationId: 'c1', content: 'Hi', isWebSearch: true }),
    is: isMessage,
  },
  'POST /uploads/signed-url': {
    right: { url: 'https://storage.example/a', key: 'k' },
    call: (client) => client.createSignedUpload({ fileName: 'a.pdf', contentType: 'application/pdf' }),
    is: (result) => isText(result, 'url') && isText(result, 'key'),
  },
  'PUT {url}': {
    right: { message: 'no' },
    call: (client, origin) =>
      client.putFile({ url: `${origin}/object`, contentType: 'application/pdf', file: pdf.body }),
    is: (result) => result === undefined,
  },
  'POST /documents/file': {
    right: { data: document },
    call: (client) => client.createDocument({ key: 'k', conversationId: 'c1', fileName: 'a.pdf' }),
    is: (result) => result === undefined || (isText(result, 'id') && isString(result, 'name')),
  },
  'GET /documents': {
    right: { data: [document], meta },
    call: (client) => client.listDocuments({ conversationId: 'c1' }),
    is: isPageOf((each) => isDated(each) && isText(each, 'id') && isString(each, 'name')),
  },
  'POST /messages/stream': {
    right: { data: { stream_url: '/stream' } },
    call: (client) => readText(client.streamReply({ conversationId: 'c1', content: 'Hi' })),
    is: (result) => typeof result === 'string',
  },
};

const refusal = { message: `no: ${KEY}`, errors: { bot_id: ['is unknown'], [KEY]: [KEY] } };
const status = fc.oneof(
  { weight: 2, arbitrary: fc.constant(200) },
  fc.constantFrom(201, 203, 206, 226, 299, 300, 304, 400, 401, 402, 403, 404, 405, 407, 409, 410, 413, 418),
  fc.constantFrom(422, 429, 451, 499, 500, 501, 502, 503, 504, 511, 599),
);
const stream = 'data: [START]\n\ndata: {"chunk":"Hello "}\n\ndata: {"chunk":"wörld 👍"}\n\ndata: [END]\n\n';
const streamBytes = fc.oneof(
  fc.constant(Buffer.from(stream)),
  damaged(Buffer.from(stream)),
  fc
    .array(junk, { maxLength: 6 })
    .map((all) => Buffer.from(all.map((each) => `data: ${toJson({ chunk: each })}\n\n`).join(''))),
  fc.uint8Array({ maxLength: 200 }),
);

describe('Fuzzing of responses', () => {
  let server: TestServer;
  let answer: Answer;

  before(async () => {
    server = await startServer((request, response) => answer(request, response));
  });
  after(stopServers);

  /**
   * Makes the call: it must resolve with a valid result or reject with ServiceError, in time and without the
   * key.
   */
  async function survives({ call, is }: (typeof operations)[string]): Promise<string> {
    const result = await inTime(() =>
      call(createClient(server.origin).client, server.origin).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    );
    if ('value' in result) {
      assert.ok(is(result.value), `it resolved with ${JSON.stringify(result.value)?.slice(0, 1000)}`);
      return 'resolved';
    }
    const { error } = result;
    assert.ok(error instanceof ServiceError && error.code.length > 0, `${(error as Error)?.stack ?? error}`);
    assertNoKey(error);
    return error.code;
  }

  for (const [index, [name, operation]] of Object.entries(operations).entries()) {
    it(`${name} handles JSON of any form, any status and damaged bytes`, async () => {
      const answers = fc.record({
        body: fc.oneof(
          { weight: 3, arbitrary: mutated(operation.right).map(toJson) },
          { weight: 1, arbitrary: mutated(refusal).map(toJson) },
          { weight: 1, arbitrary: damaged(toJson(operation.right)) },
          { weight: 1, arbitrary: fc.constant(toJson(operation.right)) },
          { weight: 1, arbitrary: fc.constantFrom(null, true, 0, '', [], {}, [null]).map(toJson) },
        ),
        status,
        type: fc.constantFrom(
          'application/json',
          'application/json; charset=x',
          'text/html',
          '',
          'text/event-stream',
        ),
        stream: streamBytes,
      });
      const outcomes = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(answers, async (each) => {
          answer = (request, response) => {
            const isStream = request.url.startsWith('/api/v1/stream') || request.url === '/stream';
            // Retries run without delay.
            response.writeHead(isStream ? 200 : each.status, {
              'Content-Type': isStream ? 'text/event-stream' : each.type,
              'Retry-After': '0',
            });
            response.end(isStream ? each.stream : each.body);
          };
          const outcome = await survives(operation);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }),
        cases(40, index),
      );
      // Both outcomes occurred, rather than the same refusal each time.
      assert.ok(outcomes.has('resolved') && outcomes.size >= 3, `only ${[...outcomes.keys()]}`);
    });
  }

  it('reads any bytes as a stream with the same result for any split, in time', async () => {
    const pieces = fc.tuple(streamBytes, fc.array(fc.nat({ max: 400 }), { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(pieces, async ([bytes, places]) => {
        const cuts = [0, ...places.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
        const parts = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
        await inTime(async () => assert.deepEqual(parse(parts), parse([bytes])));
      }),
      cases(400),
    );
  });
});

function parse(parts: readonly Uint8Array[]): readonly [text: string, state: string, skipped: boolean] {
  const parser = new ReplyParser();
  const text = parts.map((part) => parser.feed(part)).join('');
  parser.endReply();
  return [text, parser.state, parser.skipped];
}

async function readText(reply: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of reply) text += piece;
  return text;
}

function isString(value: unknown, key: string): boolean {
  return typeof (value as Record<string, unknown> | null)?.[key] === 'string';
}

function isText(value: unknown, key: string): boolean {
  return isString(value, key) && (value as Record<string, unknown>)[key] !== '';
}

/** Times are missing or valid dates. */
function isDated(value: unknown): boolean {
  const { createdAt = 0 } = value as { createdAt?: number };
  return !Number.isNaN(new Date(createdAt * 1000).getTime());
}

function isConversation(value: unknown): boolean {
  return isDated(value) && isText(value, 'id') && isString(value, 'name') && isString(value, 'botId');
}

function isMessage(value: unknown): boolean {
  return (
    isDated(value) &&
    isString(value, 'id') &&
    isString(value, 'content') &&
    Array.isArray((value as { sources?: unknown }).sources)
  );
}

function isPageOf(is: (item: unknown) => boolean): (result: unknown) => boolean {
  return (result) => (result as { items: unknown[] }).items.every(is);
}
