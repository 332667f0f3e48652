import assert from 'node:assert/strict';
import { ParseError } from 'eventsource-parser';
import fc from 'fast-check';
import { ReplyParser } from '../../src/client/replyParser';
import { cases } from '../support/fuzz';

interface Outcome {
  readonly text: string;
  readonly state: string;
  readonly skipped: boolean;
}

function parse(pieces: readonly Uint8Array[]): Outcome {
  const parser = new ReplyParser();
  const text = pieces.map((piece) => parser.feed(piece)).join('');
  parser.endReply();
  return { text, state: parser.state, skipped: parser.skipped };
}

function parseText(text: string): Outcome {
  return parse([new TextEncoder().encode(text)]);
}

/** `data: {"chunk": …}` with its blank line. */
function createChunkEvent(text: string): string {
  return `data: ${JSON.stringify({ chunk: text })}\n\n`;
}

const END = 'data: [END]\n\n';

describe('ReplyParser', () => {
  it('concatenates the chunks between the markers', () => {
    const stream = `data: [START]\n\n${createChunkEvent('Hel')}${createChunkEvent('lo\n')}${createChunkEvent('')}${createChunkEvent('👍')}${END}`;
    assert.deepEqual(parseText(stream), { text: 'Hello\n👍', state: 'complete', skipped: false });
  });

  it('does not require [START] [fault 30]', () => {
    assert.deepEqual(parseText(createChunkEvent('a') + END), {
      text: 'a',
      state: 'complete',
      skipped: false,
    });
  });

  it('a reply without [END] stays open', () => {
    for (const stream of [
      '',
      'data: [START]\n\n',
      createChunkEvent('a'),
      `${createChunkEvent('a')}data: [EN`,
      `${createChunkEvent('a')}data: "[END]"\n\n`,
    ]) {
      assert.equal(parseText(stream).state, 'open', stream);
    }
  });

  it('accepts an [END] that lacks only its blank line at the close', () => {
    for (const ending of ['data: [END]', 'data: [END]\n', 'data: [END]\r', 'data: [END]\r\n', 'data:[END]']) {
      assert.deepEqual(
        parseText(createChunkEvent('a') + ending),
        { text: 'a', state: 'complete', skipped: false },
        ending,
      );
    }
  });

  it('drops an incomplete event without marking it as skipped', () => {
    for (const cut of ['data: {"chunk":"b', 'data: {"chunk":"b"}', 'data: {"chunk":"b"}\n']) {
      assert.deepEqual(
        parseText(createChunkEvent('a') + cut),
        { text: 'a', state: 'open', skipped: false },
        cut,
      );
    }
  });

  it('ignores what follows [END] [fault 29]', () => {
    assert.deepEqual(
      parseText(`${createChunkEvent('a')}${END}${createChunkEvent('b')}data: junk\n\n${END}`),
      {
        text: 'a',
        state: 'complete',
        skipped: false,
      },
    );
  });

  it('completes at an [END] with CR line ends although nothing follows', () => {
    const parser = new ReplyParser();
    const text = parser.feed(new TextEncoder().encode('data: {"chunk":"a"}\r\rdata: [END]\r\r'));
    assert.deepEqual([text, parser.state], ['a', 'complete']);
  });

  it('skips events that are not chunks', () => {
    const events = [
      'junk',
      '{',
      'null',
      '7',
      '"a"',
      '[]',
      '{}',
      '{"chunk":null}',
      '{"chunk":7}',
      '{"chunk":["a"]}',
      '[end]',
    ];
    for (const data of events) {
      const outcome = parseText(`${createChunkEvent('a')}data: ${data}\n\n${createChunkEvent('b')}${END}`);
      assert.deepEqual(outcome, { text: 'ab', state: 'complete', skipped: true }, data);
    }
  });

  it('skips events with a name of their own silently, as `onmessage` does', () => {
    const stream = [
      ': keep-alive',
      'event: ping\ndata: {}',
      'event: thinking\ndata: {"chunk":"Hm"}',
      'event: message\ndata: {"chunk":"a"}',
      'event: done\ndata: [END]',
      'event:\ndata: {"chunk":"b"}',
      'data: [END]',
    ];
    const outcome = parseText(`${stream.join('\n\n')}\n\n`);
    assert.deepEqual(outcome, { text: 'ab', state: 'complete', skipped: false });
  });

  it('reads markers with blanks around them', () => {
    const outcome = parseText(`data: [START] \n\n${createChunkEvent('a')}data:   [END]\t \n\n`);
    assert.deepEqual(outcome, { text: 'a', state: 'complete', skipped: false });
  });

  it('ignores other properties and fields without marking them as skipped', () => {
    const stream = `id: 7\nretry: 10\ndata: {"chunk":"a","index":0}\nfoo: bar\n\nretry: x\n\ndata:\n\n${END}`;
    assert.deepEqual(parseText(stream), { text: 'a', state: 'complete', skipped: false });
  });

  /** Feeds the same bytes until the parser is done, at most 50 MB, and returns how many bytes it took. */
  function feedForEver(parser: ReplyParser, piece: string): number {
    const bytes = new TextEncoder().encode(piece);
    let length = 0;
    while (parser.state === 'open' && length < 50 * 1024 * 1024) {
      parser.feed(bytes);
      length += bytes.length;
    }
    return length;
  }

  it('limits an event that never ends', () => {
    const parser = new ReplyParser();
    parser.feed(new TextEncoder().encode('data: {"chunk":"'));
    const length = feedForEver(parser, 'x'.repeat(64 * 1024));
    assert.equal(parser.state, 'tooLarge');
    assert.ok(length <= 1.1 * 1024 * 1024, `${length} bytes were kept`);
    assert.equal(parser.feed(new TextEncoder().encode(`\n\n${END}`)), '');
  });

  it('limits an event of many lines, by its length and by their number', () => {
    for (const [line, limit] of [
      [`data: ${'x'.repeat(64 * 1024)}\n`, 1.1 * 1024 * 1024],
      ['data\n'.repeat(5000), 75_000],
      ['data\n', 55_000],
      ['event: x\n'.repeat(5000), 135_000],
    ] as const) {
      const parser = new ReplyParser();
      const length = feedForEver(parser, line);
      assert.equal(parser.state, 'tooLarge', line.slice(0, 20));
      assert.ok(length <= limit, `${length} bytes were kept`);
    }
  });

  it('limits an event of many lines that arrives byte by byte', () => {
    const parser = new ReplyParser();
    for (const byte of new TextEncoder().encode('data\n'.repeat(10_001))) parser.feed(Uint8Array.of(byte));
    assert.equal(parser.state, 'tooLarge');
  });

  it('reads an event of as many lines as it may have', () => {
    const event = `data: {"chunk":\n${'data:\n'.repeat(9000)}data: "a"}\n\n`;
    assert.deepEqual(parseText(event + event + END), { text: 'aa', state: 'complete', skipped: false });
  });

  it('makes no error of each line that means nothing', () => {
    // An error takes as long as reading hundreds of such lines.
    let errors = 0;
    class CountedError extends Error {
      constructor(message: string) {
        super(message);
        errors++;
      }
    }
    const original = Object.getPrototypeOf(ParseError);
    Object.setPrototypeOf(ParseError, CountedError);
    try {
      for (const line of [
        'x\n',
        'd\n',
        'datax\n',
        'retry: x\n',
        'x\n\n',
        ' data: {"chunk":"b"}\n',
        'x\r',
        '\ufeff\r\n',
      ]) {
        errors = 0;
        const outcome = parseText(line.repeat(1000) + createChunkEvent('a') + END);
        assert.deepEqual(outcome, { text: 'a', state: 'complete', skipped: false });
        assert.ok(errors <= 1, `${errors} errors of ${JSON.stringify(line)}`);
      }
    } finally {
      Object.setPrototypeOf(ParseError, original);
    }
  });

  it('gives up after too many unreadable events', () => {
    for (const event of ['data: x\n\n', 'data: {{\n\n', 'data: 7\n\n']) {
      const parser = new ReplyParser();
      const length = feedForEver(parser, event.repeat(100));
      assert.equal(parser.state, 'tooLarge', event);
      assert.ok(length <= 10_100 * event.length);
    }
  });

  it('limits the total length of a reply', () => {
    const parser = new ReplyParser();
    const event = new TextEncoder().encode(createChunkEvent('x'.repeat(512 * 1024)));
    let length = 0;
    for (let fed = 0; parser.state === 'open' && fed < 100; fed++) length += parser.feed(event).length;
    assert.equal(parser.state, 'tooLarge');
    assert.equal(length, 32 * 1024 * 1024);
    assert.equal(parser.feed(new TextEncoder().encode(`${createChunkEvent('more')}${END}`)), '');
  });

  it('returns the same text for every split of the bytes, line end, BOM and comment [fault 36] [fault 37]', () => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const line = fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .string({ unit: 'grapheme' })
          .map((text) => [`data: ${JSON.stringify({ chunk: text })}`, '']),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii' }).map((text) => [`: ${text}`]) },
      fc.constantFrom(
        ['data: [START]', ''],
        ['data: {"chunk":', 'data: "two lines"}', ''],
        ['id: 1', 'event: delta', 'retry: 5', 'data: {"chunk":"x"}', ''],
        ['data: no json', ''],
        ['data: {"chunk":null}', ''],
        ['data:{"chunk":"no space"}', ''],
        ['data', ''],
        [''],
      ),
    );
    const stream = fc.record({
      bom: fc.boolean(),
      lines: fc.array(line, { maxLength: 12 }).map((lines) => lines.flat()),
      ends: fc.array(lineEnd, { minLength: 1, maxLength: 5 }),
      ending: fc.constantFrom(
        '',
        'data: [END]',
        'data: [END]\n\n',
        'data: [END]\r\r',
        'data: [END]\r\n\r\ndata: after',
      ),
    });
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(stream, cuts, ({ bom, lines, ends, ending }, fractions) => {
        const text = lines.map((each, index) => each + ends[index % ends.length]).join('') + ending;
        const bytes = new TextEncoder().encode((bom ? '\ufeff' : '') + text);
        const whole = parse([bytes]);
        // Only the line end varies, which has the same meaning.
        assert.deepEqual(parseText(text.replace(/\r\n?/g, '\n')), whole);
        assert.deepEqual(parse([...bytes].map((byte) => Uint8Array.of(byte))), whole);
        const places = [0, ...fractions.map((each) => Math.floor(each * bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        assert.deepEqual(parse(pieces), whole);
      }),
      cases(400),
    );
  });

  it('returns the same text when a stream with all features is cut at every position', () => {
    const bytes = new TextEncoder().encode(
      `\ufeff: hi\r\ndata: [START]\r\n\r\ndata: {"chunk":"日本👍"}\r\rid: 1\ndata: {"chunk":\r\ndata: "é"}\r\n\ndata: [END]\r\n\r\n`,
    );
    const whole = parse([bytes]);
    assert.deepEqual(whole, { text: '日本👍é', state: 'complete', skipped: false });
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.deepEqual(
        parse([bytes.subarray(0, cut), new Uint8Array(), bytes.subarray(cut)]),
        whole,
        `cut at ${cut}`,
      );
    }
  });

  it('reads 100,000 events in time [fault 35]', () => {
    const outcome = parseText(createChunkEvent('x').repeat(100_000) + END);
    assert.deepEqual([outcome.text.length, outcome.state], [100_000, 'complete']);
  });
});

// Based on web-platform-tests' eventsource/format-*, with chunks as data.
describe('ReplyParser with the event stream format', () => {
  const a = '{"chunk":"a"}';
  const b = '{"chunk":"b"}';
  const cases: Record<string, readonly [stream: string, text: string]> = {
    'format-bom': [`\ufeffdata:${a}\n\n\ufeffdata:${b}\n\ndata:${a}\n\n`, 'aa'],
    'format-bom-2': [`\ufeff\ufeffdata:${b}\n\ndata:${a}\n\n`, 'a'],
    'format-comments': [`data:{"chunk":\n:\u0000\n:\r\n:data:${b}\ndata:"a"}\n:x\n\n`, 'a'],
    'format-data-before-final-empty-line': [`retry:1000\ndata:${a}\n\nid:test\ndata:${b}`, 'a'],
    'format-field-data': [`data:\n\ndata\ndata\n\ndata:${a}\n\n`, 'a'],
    'format-field-event-empty': [`event: \ndata:${a}\n\n`, 'a'],
    'format-field-id-null': [`id: 1\u00002\ndata: ${a}\n\n`, 'a'],
    'format-field-parsing': [
      `data:\u0000\ndata:  2\rData:1\ndata\u0000:2\n\ndata:1\r\u0000data:4\nda-ta:3\rdata_5\n\ndata:${a}\r\r`,
      'a',
    ],
    'format-field-retry-bogus': [`retry:3000\nretry:1000x\ndata:${a}\n\n`, 'a'],
    'format-field-unknown': [
      `data:${a}\n data:${b}\ndata${b}\nfoobar:xxx\njustsometext\n:thisisacomment\n\n`,
      'a',
    ],
    'format-leading-space': [`data:\t${a}\rdata: \n\n`, 'a'],
    'format-newlines': [`data:{"chunk":\r\ndata:"a"\ndata:}\r\n\r\ndata:${b}\r\r`, 'ab'],
    'format-null-character': [`data:\u0000\n\ndata:${a}\n\n`, 'a'],
    'format-utf-8': ['data:{"chunk":"ok…"}\n\n', 'ok…'],
  };
  for (const [name, [stream, text]] of Object.entries(cases)) {
    it(name, () => {
      assert.equal(parseText(stream).text, text);
      assert.equal(
        parse([...new TextEncoder().encode(stream)].map((byte) => Uint8Array.of(byte))).text,
        text,
      );
    });
  }
});
