import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseParleyJson } from '../../../src/host/parleyJson/parleyJson';

const baseUrl = 'https://bots.example.com/api/v1';
const parse = (value: unknown) => parseParleyJson(JSON.stringify(value));

describe('parseParleyJson', () => {
  it('reads the service and the bots, with comments and trailing commas', () => {
    const { service, bots } = parseParleyJson(`{
      // The company's bots.
      "service": { "name": "Example", "baseUrl": "${baseUrl}" },
      "bots": [{ "id": "guide", "name": "Guide", "for": ["billing/**"] }, { "id": "echo" },],
    }`);
    assert.deepEqual(service, { name: 'Example', baseUrl });
    assert.deepEqual(bots, [
      { id: 'guide', name: 'Guide', globs: ['billing/**'] },
      { id: 'echo', globs: [] },
    ]);
  });

  it('leaves out a name of a service that can’t be seen', () => {
    assert.deepEqual(parse({ service: { baseUrl, name: '\u202e\u200b ' } }).service, { baseUrl });
  });

  for (const [what, url] of [
    ['http: on another machine', 'http://bots.example.com/api/v1'],
    ['user information', 'https://bots.example.com@evil.example/api/v1'],
    ['a query', `${baseUrl}?key=1`],
    ['a look-alike host', 'https://bоts.example.com/api/v1'],
    ['another version', 'https://bots.example.com/api/v2'],
    ['no version path', 'https://bots.example.com/api'],
    ['no URL', 'bots.example.com'],
  ] as const) {
    it(`has no service for ${what} [attack: parley.json]`, () => {
      assert.equal(parse({ service: { baseUrl: url } }).service, undefined);
    });
  }

  it('makes names plain, and leaves out invalid parts only [attack: parley.json]', () => {
    const bots = [
      { id: 'a', name: 'Gu\u202eide\n\n# no' },
      { id: '' },
      { id: 7 },
      null,
      { id: 'x'.repeat(201) },
      { id: 'b', for: ['**/a*b*c*d*e', 5, ' ', 'ok/*.md', '**/**/x'] },
      { id: 'c', for: 'billing/**' },
    ];
    assert.deepEqual(parse({ bots }).bots, [
      { id: 'a', name: 'Guide # no', globs: [] },
      { id: 'b', globs: ['ok/*.md'] },
    ]);
  });

  it('reads at most 200 bots, with 50 globs each [attack: parley.json]', () => {
    const bots = Array.from({ length: 10_000 }, (_, index) => ({
      id: String(index),
      for: Array.from({ length: 60 }, () => '*.md'),
    }));
    const read = parse({ bots }).bots;
    assert.deepEqual([read.length, read[0]?.globs.length], [200, 50]);
  });

  it('takes any JSON and any text without an error [attack: parley.json]', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void parse(value)));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (service, bot, globs) => {
        parse({ service, bots: [bot, { id: 'a', for: globs }] });
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseParleyJson(text)));
    assert.deepEqual(parseParleyJson('{"bots": [{"id": "a"}'), { bots: [] });
  });
});
