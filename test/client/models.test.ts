import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  botSchema,
  conversationSchema,
  documentSchema,
  messageSchema,
  signedUploadSchema,
  singleSchema,
  streamUrlSchema,
} from '../../src/client/models';

describe('the schemas of the service’s items', () => {
  it('read a text that is missing as empty', () => {
    const { name, botId } = v.parse(conversationSchema, { id: 1 });
    assert.deepEqual([name, botId], ['', '']);
    const { id, content } = v.parse(messageSchema, {});
    assert.deepEqual([id, content], ['', '']);
    assert.equal(v.parse(documentSchema, { id: 1 }).name, '');
    assert.equal(v.parse(botSchema, { id: 1 }).name, '');
  });

  it('read a bot’s name of only spaces and invisible characters as empty', () => {
    const readName = (name: string) => v.parse(botSchema, { id: 1, name }).name;
    for (const blank of [
      '  \t\n',
      '\u00a0\u3000',
      '\u200b\u2060\ufeff',
      '\u200d\ufe0f',
      '\u3164',
      '\u2800',
      '\u202e',
      '\u001b[1m',
      '\ue000',
    ])
      assert.equal(readName(blank), '', JSON.stringify(blank));
    for (const name of [' Guide', '\u200bG', '👩‍💻', '❤️', 'م', '.']) assert.equal(readName(name), name);
  });

  it('read a usage with only one of its amounts', () => {
    const readUsage = (usage: unknown) => v.parse(messageSchema, { usage }).usage;
    assert.deepEqual(readUsage({ tokens: 3 }), { tokens: 3 });
    assert.deepEqual(readUsage({ credits: 2 }), { credits: 2 });
    assert.equal(readUsage({ tokens: 'many' }), undefined);
  });

  it('ignore amounts whose sum could become infinite', () => {
    const readUsage = (usage: unknown) => v.parse(messageSchema, { usage }).usage;
    for (const credits of [1.7e308, 1e13, Number.POSITIVE_INFINITY, Number.NaN, -1])
      assert.deepEqual(readUsage({ tokens: 1e12, credits }), { tokens: 1e12 });
  });

  it('refuse an id that no URL can contain', () => {
    for (const id of ['', '\ud800', 'a\udc00b', 'i'.repeat(1001)]) {
      assert.ok(!v.is(conversationSchema, { id }) && !v.is(documentSchema, { id }), JSON.stringify(id));
      assert.equal(v.parse(messageSchema, { id }).id, '');
    }
    for (const id of ['a/b 👍', 'i'.repeat(1000)]) assert.equal(v.parse(botSchema, { id }).id, id);
  });

  it('cut names of more than 1,000 UTF-16 code units', () => {
    const name = 'n'.repeat(1001);
    assert.equal(v.parse(botSchema, { id: 1, name }).name, 'n'.repeat(1000));
  });

  it('cut a long status, and leave out an address that is too long', () => {
    const long = `https://example.com/${'a'.repeat(10_000)}`;
    const { status, contentUrl } = v.parse(documentSchema, { id: 1, status: long, content_url: long });
    assert.deepEqual([status?.length, contentUrl], [1000, undefined]);
    const { sources } = v.parse(messageSchema, { sources: [{ type: long, url: long, document_url: long }] });
    assert.deepEqual([sources[0]?.type?.length, sources[0]?.documentUrl], [1000, undefined]);
    assert.ok(
      !v.is(streamUrlSchema, { stream_url: long }) && !v.is(signedUploadSchema, { url: 'u', key: long }),
    );
    const address = long.slice(0, 10_000);
    assert.equal(v.parse(documentSchema, { id: 1, content_url: address }).contentUrl, address);
  });

  it('read a flag that a database stored as a number or a text, and no other value', () => {
    const readFlag = (machine: unknown) => v.parse(messageSchema, { machine }).machine;
    for (const value of [true, 1, '1', 'true']) assert.equal(readFlag(value), true, JSON.stringify(value));
    for (const value of [false, 0, '0', 'false']) assert.equal(readFlag(value), false, JSON.stringify(value));
    for (const value of [null, 2, 'yes', '', {}, []]) assert.equal(readFlag(value), undefined);
  });

  it('read a text or a name of digits that was sent as a number', () => {
    assert.equal(v.parse(messageSchema, { content: 42 }).content, '42');
    assert.equal(v.parse(documentSchema, { id: 1, name: 2024 }).name, '2024');
    for (const value of [null, true, {}, [42]])
      assert.equal(v.parse(messageSchema, { content: value }).content, '');
  });

  it('schemas read the fields in `data`, or else next to it', () => {
    const upload = { url: 'https://example.com/', key: 'k' };
    for (const body of [upload, { data: upload }, { ...upload, data: {} }, { ...upload, data: { id: 1 } }])
      assert.deepEqual(v.parse(singleSchema(signedUploadSchema), body), upload);
    // A message needs no field, so that an empty `data` would do.
    const read = v.parse(singleSchema(messageSchema), { id: 'm1', content: 'Hi', data: {} });
    assert.deepEqual([read.id, read.content], ['m1', 'Hi']);
  });

  it('read a list of sources that is an object with numbered keys', () => {
    const { sources } = v.parse(messageSchema, { sources: { data: { 0: { id: 'a' }, 2: { id: 'b' } } } });
    assert.deepEqual(
      sources.map(({ documentId }) => documentId),
      ['a', 'b'],
    );
  });

  it('read each source of a message once, and at most 500', () => {
    const sources = Array.from({ length: 2000 }, (_, index) => ({ id: Math.floor(index / 2) }));
    const read = v.parse(messageSchema, { sources: [{}, { id: {} }, ...sources] }).sources;
    assert.deepEqual([read.length, read[0]?.documentId, read.at(-1)?.documentId], [500, '0', '499']);
  });
});
