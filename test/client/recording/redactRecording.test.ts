import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ObservedExchange } from '../../../src/client/recording/exchangeObserver';
import { isKeptValue, isWord } from '../../../src/client/recording/fieldRules';
import type { RedactedExchange } from '../../../src/client/recording/recording';
import { redactRecording } from '../../../src/client/recording/redactRecording';
import { assertLinear } from '../../support/cpuTime';
import { cases } from '../../support/fuzz';
import { BASE_URL, exchangeOf, responseOf } from './support/observed';

const KEY = 'sentinel-key-7f3a/9+c="\\&<b>';

/** Redacts exchanges that belong together. */
function redactAll(exchanges: readonly ObservedExchange[], keepsTexts = false): readonly RedactedExchange[] {
  return redactRecording(exchanges, { startedAt: 0, keys: [KEY], keepsTexts }).exchanges;
}

function redactOne(exchange: ObservedExchange, keepsTexts = false): RedactedExchange {
  return redactAll([exchange], keepsTexts)[0] ?? assert.fail();
}

/** Redacts the JSON of a response. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, checked by assertions.
function redactBody(body: unknown, keepsTexts = false): any {
  return redactOne(exchangeOf({ response: responseOf({ body }) }), keepsTexts).response?.body;
}

/** All strings in a value, and the names of its fields; the chunks of a stream are also joined. */
function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...collectStrings(item)]);
}

describe('The redaction of JSON', () => {
  it('keeps types, lengths, numbers and the names of fields, and replaces texts and names', () => {
    const message = {
      content: 'Hi, é👍',
      failed_responding: false,
      usage: { tokens: 12, credits: 0.5 },
      none: null,
    };
    const { body } = redactBody({ data: [message], meta: { pagination: { next_page: '2', total: 3 } } });
    assert.deepEqual(body, {
      data: [{ ...message, content: 'xxxxxxx' }],
      meta: { pagination: { next_page: '2', total: 3 } },
    });
  });

  it('keeps times, statuses, types and extensions, but no text in their fields', () => {
    const document = {
      ...{
        status: 'sync_failed',
        type: 'document',
        created_at: '2025-02-14T09:00:00Z',
        updated_at: '1739524800',
      },
      ...{ machine: 'true', content_type: 'text/plain', name: 'Plans.txt', file_name: 'app.ts.txt' },
    };
    const redacted = { ...document, name: 'xxxxx.txt', file_name: 'xxxxxx.txt' };
    assert.deepEqual(redactBody(document).body, redacted);
    const texts = {
      status: 'Anna is ill',
      type: 'c:\\anna',
      created_at: 'on Monday',
      machine: 'mine',
      content: '2',
    };
    const masked = {
      status: 'x'.repeat(11),
      type: 'x'.repeat(7),
      created_at: 'x'.repeat(9),
      machine: 'xxxx',
      content: 'x',
    };
    assert.deepEqual(redactBody(texts).body, masked);
  });

  it('replaces an id by the same pseudonym everywhere, of the same length and kinds of characters', () => {
    const id = 'aB3dE5fG7hJ9';
    const uuid = '0b7e6a52-93c4-4b7d-8f00-1a2b3c4d5e6f';
    const [first, second] = redactAll([
      exchangeOf({
        ...{ method: 'POST', path: `/conversations/${id}?includes=sources&page=2` },
        body: JSON.stringify({ bot_id: 17, document_ids: [uuid] }),
        response: responseOf({ data: { id, bot_id: '17', [id]: { replied_to: uuid } } }),
      }),
      exchangeOf({ path: `/messages?conversation_id=${id}&keyword=moss` }),
    ]);
    const [, pseudonym = ''] =
      /^\/conversations\/([a-z][A-Z]\d[a-z][A-Z]\d[a-z][A-Z]\d[a-z][A-Z]\d)$/.exec(first?.path ?? '') ?? [];
    assert.ok(pseudonym && pseudonym !== id, first?.path);
    assert.equal(first?.operation, 'POST /conversations/{id}');
    assert.equal(first?.query, 'includes=sources&page=2');
    assert.ok(first);
    const { bot_id, document_ids } = first.request.body as { bot_id: number; document_ids: [string] };
    assert.ok(bot_id >= 10 && bot_id < 100 && bot_id !== 17);
    assert.match(document_ids[0], /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/);
    assert.deepEqual(first?.response?.body, {
      data: { id: pseudonym, bot_id: String(bot_id), [pseudonym]: { replied_to: document_ids[0] } },
    });
    assert.equal(second?.query, `conversation_id=${pseudonym}&keyword=xxxx`);
  });

  it('gives each of many short IDs a unique pseudonym', () => {
    const ids = Array.from({ length: 300 }, (_, index) => index);
    const { body } = redactBody(ids.map((id) => ({ id })));
    assert.equal(new Set(body.map(({ id }: { id: number }) => id)).size, ids.length);
  });

  it('keeps the fields of errors, and replaces their messages as texts', () => {
    const errors = { bot_id: ['The bot is unknown.'], 'document_ids.0': ['No.'], 'Anna’s file': ['No.'] };
    const { body } = redactBody({ message: 'No.', errors });
    assert.deepEqual(Object.values(body.errors), [['x'.repeat(19)], ['xxx'], ['xxx']]);
    const [first, second, third] = Object.keys(body.errors);
    assert.deepEqual([first, second], ['bot_id', 'document_ids.0']);
    assert.doesNotMatch(third ?? '', /Anna|file/);
    assert.deepEqual(redactBody({ errors: { bot_id: ['Unknown'] } }, true).body.errors, {
      bot_id: ['Unknown'],
    });
  });

  it('returns values of limited depth', () => {
    const deep = `{"body":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const response = { ...responseOf(deep), headers: new Headers({ 'Content-Type': 'application/json' }) };
    const { body } = redactOne(exchangeOf({ response })).response ?? {};
    assert.match(JSON.stringify(body), /^\{"body":\[{50,200}null\]{50,200}\}$/);
  });

  it('leaves no text of any JSON, unless its field has a known form [attack: recording]', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
      fc.string({ minLength: 8, maxLength: 40 }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.emailAddress(),
      fc.lorem({ maxCount: 4 }),
      fc.uuid(),
    );
    const names = [
      ...[
        'id',
        'bot_id',
        'document_ids',
        'key',
        'url',
        'next',
        'stream_url',
        'name',
        'file_name',
        'status',
        'type',
      ],
      ...['content', 'message', 'errors', 'data', 'created_at', 'machine', 'total', '__proto__', 'toString'],
    ];
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        { weight: 3, arbitrary: text },
        fc.constantFrom(null, true, 0, 1.5),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.array(
          fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, text), tie('value')),
          {
            maxLength: 4,
          },
        ),
      ),
    }));
    // As in JSON: fields are own properties, whatever their names are.
    const toJson = (tree: unknown): unknown =>
      Array.isArray(tree) && tree.length > 0 && tree.every((item) => Array.isArray(item) && item.length === 2)
        ? Object.fromEntries(tree.map(([name, item]) => [String(name), toJson(item)]))
        : Array.isArray(tree)
          ? tree.map(toJson)
          : tree;
    const findTexts = (json: unknown, field = ''): string[] => {
      if (typeof json === 'string') return isKeptValue(field, json) ? [] : [json];
      if (Array.isArray(json)) return json.flatMap((item) => findTexts(item, field));
      if (typeof json !== 'object' || json === null) return [];
      return Object.entries(json).flatMap(([name, item]) => [
        ...(isWord(name) ? [] : [name]),
        ...findTexts(item, field === 'errors' ? field : name),
      ]);
    };
    fc.assert(
      fc.property(value, (tree) => {
        const json = toJson(tree);
        const redacted = collectStrings(redactBody(json)).join('\n');
        for (const found of findTexts(json))
          assert.ok(found.length < 8 || /^x*$/.test(found) || !redacted.includes(found), found);
      }),
      cases(2000),
    );
  });

  for (const piece of ['a', ' ', 'a://', '?', '?a=', `${KEY.slice(0, -1)} `, '%25', '\\', '&#38;'])
    it(`takes linear time for a text that repeats ${JSON.stringify(piece)}`, () =>
      assertLinear((length) => {
        redactBody({ content: `.${piece.repeat(length / piece.length)}.` }, true);
      }, 40_000));
});

describe('The redaction of URLs', () => {
  const stream = 'https://streams.acme.example/reply/tok3n-1?X-Amz-Signature=abc&sig=d%2Fe&bare';
  const exchanges = [
    exchangeOf({
      ...{ method: 'POST', path: '/messages/stream' },
      response: responseOf({
        data: { stream_url: stream },
        links: { next: `${BASE_URL}/messages?page=2&keyword=moss`, other: `${BASE_URL}/bots#anna` },
        content_url: 'https://anna:pass@cdn.acme.example:8443/a/b.txt?q=1',
        relative: { url: '/tenant-7/api/v1/documents/abcdef?x=y' },
      }),
    }),
    exchangeOf({ url: stream, headers: { Accept: 'text/event-stream' } }),
    exchangeOf({ url: 'https://bucket.s3.example/tmp/f1le.txt?sig=abc', method: 'PUT', bodyBytes: 12 }),
  ];

  it('replaces hosts by what they are for, and the values of queries', () => {
    const [api, streaming, storage] = redactAll(exchanges);
    assert.deepEqual([api?.origin, api?.path], ['api', '/messages/stream']);
    assert.deepEqual([streaming?.origin, storage?.origin], ['stream', 'storage']);
    assert.equal(streaming?.operation, 'GET /{id}/{id}');
    assert.equal(streaming?.query, 'X-Amz-Signature=xxx&sig=xxx&xxxx');
    assert.deepEqual(
      [storage?.query, storage?.request],
      ['sig=xxx', { headers: { accept: 'application/json' }, bytes: 12 }],
    );
    // biome-ignore lint/suspicious/noExplicitAny: its form is what is tested.
    const body = api?.response?.body as any;
    assert.equal(body.data.stream_url, `https://stream.invalid${streaming?.path}?${streaming?.query}`);
    assert.equal(body.links.next, 'https://api.invalid/messages?page=2&keyword=xxxx');
    assert.equal(body.links.other, 'https://api.invalid/bots#xxxx');
    assert.match(body.content_url, /^https:\/\/other\.invalid\/[a-z]\/[a-z]\.[a-z]{3}\?q=x$/);
    assert.match(body.relative.url, /^\/api\/v1\/documents\/[a-f]{6}\?x=x$/);
  });

  it('shows no host and no signature in texts that are kept either', () => {
    const content = `See ${stream}, (bots.acme.example) or streams.acme.example/x?sig=abc&y=d. Why? a=b`;
    const [, redacted] = redactAll(
      [...exchanges.slice(1), exchangeOf({ response: responseOf({ content }) })],
      true,
    ).slice(1);
    assert.deepEqual(redacted?.response?.body, {
      content:
        'See https://xxxxxxx.xxxx.xxxxxxx/xxxxx/xxxxx-x?x-xxx-xxxxxxxxx=xxx&xxx=x%xxx&xxxx, ' +
        '(xxxxxxxxxxxxxxxxx) or xxxxxxxxxxxxxxxxxxxx/x?xxx=xxx&x=x. Why? a=b',
    });
  });

  it('keeps where a redirect leads, without its query', () => {
    const locate = (location: string) =>
      redactOne(exchangeOf({ response: responseOf('', { Location: location }, 302) })).response?.headers
        .location;
    assert.equal(locate(`${BASE_URL}/messages?sig=abc`), 'https://api.invalid/messages');
    assert.match(locate('https://x.example/abcd?sig=abc') ?? '', /^https:\/\/other\.invalid\/[a-f]{4}$/);
    assert.match(locate('/streams/a?sig=abc#x') ?? '', /^\/[a-z]{7}\/[a-f]$/);
    assert.equal(locate('streams'), 'xxxxxxx');
  });

  it('keeps the headers that Parley reads, and no others', () => {
    const headers = {
      ...{ 'Retry-After': '2', Date: 'Fri, 14 Feb 2025 09:00:00 GMT', 'X-RateLimit-Remaining': '7' },
      ...{
        'X-RateLimit-Reset': 'soon',
        'Set-Cookie': 'a=b',
        Server: 'acme',
        'Content-Type': 'text/html; x="Anna"',
      },
    };
    const { response } = redactOne(exchangeOf({ response: responseOf('', headers) }));
    assert.deepEqual(response?.headers, {
      ...{ 'content-type': 'x'.repeat(19), date: headers.Date, 'retry-after': '2' },
      ...{ 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': 'xxxx' },
    });
  });
});

describe('The redaction of other bodies', () => {
  const redactText = (text: string, type: string) => {
    const response = responseOf(text, { 'Content-Type': type });
    return redactOne(exchangeOf({ response })).response;
  };

  it('keeps the code of a storage’s error, and no text of it', () => {
    const xml = '<?xml version="1.0"?><Error><Code>ExpiredToken</Code><Message>Hi Anna</Message></Error>';
    assert.equal(
      redactText(xml, 'application/xml')?.text,
      `${'x'.repeat(21)}<Error><Code>ExpiredToken</Code><Message>xxxxxxx</Message></Error>`,
    );
    assert.equal(
      redactText('<Error><Code>Anna is ill</Code>', 'application/xml')?.text,
      '<Error><Code>xxxxxxxxxxx</Code>',
    );
  });

  it('has JSON of any type as JSON, incomplete JSON as text, and of a file only its length', () => {
    assert.deepEqual(redactText('{"id":""}', 'text/html')?.body, { id: '' });
    assert.equal(redactText('{"name":"Anna', 'application/json')?.text, 'x'.repeat(13));
    assert.equal(redactText('%PDF Anna', 'application/pdf')?.bytes, 9);
    assert.deepEqual(Object.keys(redactText('', 'text/html') ?? {}), ['at', 'status', 'headers']);
  });
});

describe('The redaction of streams', () => {
  const redact = (pieces: readonly string[], keepsTexts = false) =>
    redactOne(exchangeOf({ response: responseOf(pieces) }), keepsTexts).response?.events ?? [];
  const join = (events: readonly { readonly text: string }[]) => events.map(({ text }) => text);

  it('keeps lines, markers, names of events, and when and how the pieces arrived', () => {
    const pieces = [
      ': ping Anna\r\nevent: thinking\rdata: [START]\n\ndata: {"chu',
      'nk":"Hello","id":"abcdef"}\n\nretry: 3000\nid: 123456\nunknown: Anna\ndata:not JSON\n',
      'data: [END]  \n',
      '\n',
    ];
    const events = redact(pieces);
    assert.deepEqual(
      events.map(({ at }) => at),
      [3, 4, 5, 6],
    );
    const [first, second = '', ...rest] = join(events);
    assert.equal(first, ': xxxxxxxxx\r\nevent: thinking\rdata: [START]\n\ndata: {"chu');
    assert.match(
      second,
      /^nk":"xxxxx","id":"[a-f]{6}"\}\n\nretry: 3000\nid: \d{6}\nxxxxxxxxxxxxx\ndata:xxxxxxxx\n$/,
    );
    assert.deepEqual(rest, ['data: [END]  \n', '\n']);
  });

  it('keeps where pieces end, however they are cut and whatever is escaped', () => {
    const text = 'data: {"chunk": "H\\u00e9 👍"}\r\n\r\ndata: {"chunk":"é"}\n\ndata: [END]\n\n';
    const bytes = Buffer.from(text);
    const whole = join(redact([text])).join('');
    assert.equal(whole, 'data: {"chunk":"xxxxx"}\r\n\r\ndata: {"chunk":"x"}\n\ndata: [END]\n\n');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) => ({ at: 3, bytes: part }));
      const events =
        redactOne(exchangeOf({ response: { ...responseOf(['']), chunks } })).response?.events ?? [];
      assert.equal(join(events).join(''), whole);
      // Whether an event is complete.
      const read = bytes.subarray(0, cut).toString();
      const count = (all: string) => all.split(/\r\n\r\n|\n\n/).length;
      assert.equal(count(join(events)[0] ?? ''), count(read), `at ${cut}`);
    }
  });

  it('keeps texts that are to be kept, but no address that is in several chunks', () => {
    const chunks = ['Hé ', 'http', 's://a.exam', 'ple/b?c', '=d ', 'f'];
    const events = redact([...chunks.map((chunk) => `data: ${JSON.stringify({ chunk })}\n\n`)], true);
    const kept = join(events).map((event) => JSON.parse(event.slice(6)).chunk);
    assert.deepEqual(kept, ['Hé ', 'http', 's://x.xxxx', 'xxx/x?x', '=x ', 'f']);
  });
});

describe('A key', () => {
  const toBase64 = (text: string) => Buffer.from(text).toString('base64');
  const escapeAll = (text: string) =>
    Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const encodings: Readonly<Record<string, (key: string) => string>> = {
    plain: (key) => key,
    'percent-encoded': encodeURIComponent,
    'percent-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
    base64: toBase64,
    'base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
    'base64 as of Basic': (key) => toBase64(`anna:${key}`),
    'escaped as JSON': (key) => JSON.stringify(key).slice(1, -1),
    'escaped as JSON with slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
    'escaped as JSON twice': (key) => JSON.stringify(JSON.stringify(key)).slice(1, -1),
    'escaped as JSON, each letter': escapeAll,
    'escaped as HTML': (key) =>
      key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#x22;'),
    'with line breaks': (key) => key.replace(/.{10}/g, '$&\n'),
    'with invisible characters': (key) => key.replace(/.{5}/g, '$&\u200b'),
  };
  /** Every place where a service could put a text. */
  const places: Readonly<Record<string, (text: string) => ObservedExchange>> = {
    'a text': (text) => exchangeOf({ response: responseOf({ content: `Hi ${text}.` }) }),
    'a name': (text) => exchangeOf({ response: responseOf({ data: [{ name: `${text}.txt` }] }) }),
    'an id': (text) => exchangeOf({ response: responseOf({ id: text, document_ids: [text] }) }),
    'a field that is kept': (text) =>
      exchangeOf({
        response: responseOf({ status: text, type: text, created_at: text, content_type: `a/${text}` }),
      }),
    'the name of a field': (text) =>
      exchangeOf({ response: responseOf({ errors: { [text]: [text] }, [text]: 1 }) }),
    'an address': (text) =>
      exchangeOf({ response: responseOf({ url: `https://x.example/${text}?a=${text}&${text}=b#${text}` }) }),
    'a path': (text) => exchangeOf({ response: responseOf({ url: `/${text}?${text}` }) }),
    'the body of a request': (text) =>
      exchangeOf({ method: 'POST', body: JSON.stringify({ content: text }) }),
    'the address of a request': (text) =>
      exchangeOf({ path: `/messages/${encodeURI(text)}?page=${encodeURI(text)}&${encodeURI(text)}=1` }),
    headers: (text) =>
      exchangeOf({
        response: responseOf('', {
          ...{ 'Content-Type': `a/${encodeURI(text)}`, Location: `/${encodeURI(text)}` },
          ...{ 'Retry-After': encodeURI(text), 'X-RateLimit-Limit': encodeURI(text) },
        }),
      }),
    HTML: (text) => exchangeOf({ response: responseOf(`<p>${text}</p>`, { 'Content-Type': 'text/html' }) }),
    XML: (text) => exchangeOf({ response: responseOf(`<Error><Code>${text}</Code></Error>`) }),
    'a chunk': (text) =>
      exchangeOf({ response: responseOf([`data: ${JSON.stringify({ chunk: text })}\n\n`]) }),
    'several chunks': (text) =>
      exchangeOf({
        response: responseOf(
          [text.slice(0, 7), text.slice(7)].map((chunk) => `data: ${JSON.stringify({ chunk })}\n\n`),
        ),
      }),
    'lines of a stream': (text) =>
      exchangeOf({
        response: responseOf([`: ${text}\nevent: ${text}\nid: ${text}\nretry: ${text}\n${text}\n\n`]),
      }),
    'a line of a stream that isn’t JSON': (text) =>
      exchangeOf({ response: responseOf([`data: ${text}\n\n`]) }),
  };

  for (const keepsTexts of [false, true])
    it(`survives nowhere in any encoding if texts are ${keepsTexts ? 'kept' : 'replaced'} [attack: recording]`, () => {
      for (const [place, put] of Object.entries(places))
        for (const [encoding, encode] of Object.entries(encodings))
          for (const key of [KEY, 'SentinelKeyOfLettersOnly', '1234567890123456']) {
            const exchange = put(encode(key));
            const options = { startedAt: 0, keys: [key], keepsTexts };
            const strings = collectStrings(redactRecording([exchange], options).exchanges);
            // Chunks are read as one text.
            const chunks = strings.flatMap((text) =>
              text.startsWith('data: {') ? [JSON.parse(text.slice(6)).chunk] : [],
            );
            const all = [...strings, chunks.join('')].map((text) => text.replace(/[\s\u200b]/g, ''));
            for (const form of Object.values(encodings).map((encode) =>
              encode(key).replace(/[\s\u200b]/g, ''),
            ))
              assert.ok(
                all.every((text) => !text.includes(form)),
                `${encoding} in ${place}`,
              );
          }
    });

  it('a key made of digits isn’t left in numbers', () => {
    const options = { startedAt: 0, keys: ['12345678'], keepsTexts: true };
    const response = responseOf({ count: 12345678, other: 9123456780, id: 12345678 });
    const [redacted] = redactRecording([exchangeOf({ response })], options).exchanges;
    assert.doesNotMatch(JSON.stringify(redacted?.response?.body), /12345678/);
  });
});
