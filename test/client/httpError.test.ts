import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRefusal, readErrorBody, readRetryAfter, toErrorCode } from '../../src/client/httpError';

describe('readRetryAfter', () => {
  const now = Date.parse('2025-02-14T12:00:00Z');

  it('parses seconds [fault 13]', () => {
    assert.equal(readRetryAfter('0', now), 0);
    assert.equal(readRetryAfter('7', now), 7000);
    assert.equal(readRetryAfter(' 1.5 ', now), 1500);
    assert.equal(readRetryAfter('1.25', now), 1250);
  });

  it('parses a date, and a past one as 0 [fault 13]', () => {
    assert.equal(readRetryAfter('Fri, 14 Feb 2025 12:00:30 GMT', now), 30_000);
    assert.equal(readRetryAfter('Friday, 14-Feb-25 12:00:30 GMT', now), 30_000);
    assert.equal(readRetryAfter('Fri 14 Feb 2025 12:00:30 GMT', now), 30_000);
    assert.equal(readRetryAfter('Fri, 14 Feb 2025 11:00:00 GMT', now), 0);
  });

  it('returns at most an hour [fault 14]', () => {
    assert.equal(readRetryAfter('99999999999999999999999', now), 3_600_000);
    assert.equal(readRetryAfter('Mon, 14 Feb 2125 12:00:00 GMT', now), 3_600_000);
  });

  it('ignores other values [fault 14]', () => {
    for (const header of [
      null,
      '',
      '-5',
      'NaN',
      'Infinity',
      '1e9',
      'soon',
      'Fri, 99 Foo 2025',
      '0x10',
      '2025-02-14',
      '14 Feb 2025 12:00:30 GMT',
    ]) {
      assert.equal(readRetryAfter(header, now), undefined, String(header));
    }
  });
});

describe('readErrorBody', () => {
  const read = (body: unknown): ReturnType<typeof readErrorBody> =>
    readErrorBody(JSON.stringify(body), undefined);

  it('reads message and errors', () => {
    assert.deepEqual(
      read({ message: 'The data is invalid.', errors: { bot_id: ['Unknown bot.', 'Try another.'] }, x: 1 }),
      {
        serviceMessage: 'The data is invalid.',
        fieldErrors: { bot_id: ['Unknown bot.', 'Try another.'] },
      },
    );
  });

  it('accepts errors of any form', () => {
    for (const errors of [
      null,
      'text',
      7,
      true,
      [],
      ['a'],
      {},
      { name: null },
      { name: [] },
      { name: [1, {}] },
      { name: [''] },
      { name: '' },
    ]) {
      assert.deepEqual(read({ message: 'No.', errors }), { serviceMessage: 'No.' }, JSON.stringify(errors));
    }
    assert.deepEqual(read({ errors: { name: 'Too long.' } }), { fieldErrors: { name: ['Too long.'] } });
  });

  it('returns no message when there is none', () => {
    for (const body of [
      null,
      [],
      'text',
      5,
      {},
      { message: null },
      { message: 5 },
      { message: ' \u0000 ' },
    ]) {
      assert.deepEqual(read(body), {}, JSON.stringify(body));
    }
    for (const text of ['', '<html><h1>502 Bad Gateway</h1></html>', '{"message":"cut', 'plain']) {
      assert.deepEqual(readErrorBody(text, undefined), {}, text);
    }
  });

  it('reads the XML of an object storage', () => {
    const xml =
      '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
    assert.deepEqual(readErrorBody(xml, undefined), { serviceMessage: 'AccessDenied: Request has expired' });
    assert.deepEqual(readErrorBody('<Error><Code>SlowDown</Code></Error>', undefined), {
      serviceMessage: 'SlowDown',
    });
    for (const text of [
      '<Code>SlowDown</Code>',
      `${' '.repeat(10_000)}${xml}`,
      '<Error><Key>a</Key></Error>',
    ]) {
      assert.deepEqual(readErrorBody(text, undefined), {}, text);
    }
  });

  it('limits number and length', () => {
    const long = 'x'.repeat(1_000_000);
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`f${index}`, Array(9).fill(long.slice(0, 999))]),
    );
    const { serviceMessage, fieldErrors = {} } = read({ message: long, errors: many });
    assert.equal(serviceMessage?.length, 2001);
    assert.equal(Object.keys(fieldErrors).length, 20);
    assert.equal(fieldErrors.f0?.length, 5);
    assert.equal(fieldErrors.f0?.[0]?.length, 501);
    assert.deepEqual(Object.keys(read({ errors: { [long]: ['a'] } }).fieldErrors ?? {})[0]?.length, 101);
  });

  it('makes text inert and redacts the key, including in names [attack: control characters]', () => {
    const body = readErrorBody(
      '{"message":"\\u001b[1mk\\u202eey KEY1","errors":{"KEY1":["KEY1"],"__proto__":["x"]}}',
      'KEY1',
    );
    assert.equal(body.serviceMessage, 'key •••');
    assert.deepEqual(Object.entries(body.fieldErrors ?? {}), [
      ['•••', ['•••']],
      ['__proto__', ['x']],
    ]);
    assert.equal(Object.getPrototypeOf(body.fieldErrors), Object.prototype);
  });

  it('never throws for any body', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => void readErrorBody(text, 'a')));
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: false }), (errors) => {
        const text = JSON.stringify({ errors }, (_key, value) => (typeof value === 'bigint' ? 0 : value));
        readErrorBody(text, undefined);
      }),
    );
  });
});

describe('toErrorCode', () => {
  it('returns a code for every status', () => {
    const codes = {
      304: 'invalidResponse',
      400: 'service',
      401: 'unauthorized',
      402: 'quotaReached',
      403: 'forbidden',
      404: 'notFound',
      405: 'notFound',
      407: 'unreachable',
      413: 'tooLarge',
      418: 'service',
      422: 'validation',
      429: 'rateLimited',
      500: 'service',
      503: 'service',
      599: 'service',
    };
    for (const [status, code] of Object.entries(codes))
      assert.equal(toErrorCode(Number(status)), code, status);
  });

  it('isRefusal is true for refusals that cost nothing, and false for failures that may have', () => {
    for (const status of [400, 401, 402, 403, 404, 407, 422, 429])
      assert.ok(isRefusal(status), String(status));
    for (const status of [200, 302, 408, 500, 502, 503, 504]) assert.ok(!isRefusal(status), String(status));
  });
});
