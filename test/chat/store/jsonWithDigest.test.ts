import assert from 'node:assert/strict';
import * as v from 'valibot';
import { encodeWithDigest, parseWithDigest } from '../../../src/chat/store/jsonWithDigest';

describe('JSON with a digest', () => {
  const schema = { schema: v.record(v.string(), v.object({ size: v.number() })), version: 1 };
  const value = { a: { size: 1 }, b: { size: 2 } };

  /** Replaces the text of JSON with or without a digest. */
  function change(bytes: Uint8Array, from: string, to: string): Uint8Array {
    const text = new TextDecoder().decode(bytes);
    assert.ok(text.includes(from));
    return new TextEncoder().encode(text.replace(from, to));
  }

  it('is read as it was written, without a check of each property', async () => {
    const bytes = await encodeWithDigest({ a: { size: 'not a number' } }, schema);
    assert.deepEqual(await parseWithDigest(bytes, schema), { a: { size: 'not a number' } });
    assert.deepEqual(await parseWithDigest(await encodeWithDigest(value, schema), schema), value);
  });

  it('is checked with the schema if it was changed', async () => {
    const bytes = await encodeWithDigest(value, schema);
    assert.deepEqual(await parseWithDigest(change(bytes, '"size":2', '"size":3'), schema), {
      a: { size: 1 },
      b: { size: 3 },
    });
    await assert.rejects(parseWithDigest(change(bytes, '"size":2', '"size":"2"'), schema), v.ValiError);
  });

  it('is checked with the schema if it was written for another one', async () => {
    const other = { schema: v.record(v.string(), v.object({ size: v.string() })), version: 1 };
    await assert.rejects(parseWithDigest(await encodeWithDigest(value, schema), other), v.ValiError);
  });

  it('is checked with the schema if it was written for another version of it, whose functions differ', async () => {
    const create = (max: number, version: number) => ({
      schema: v.pipe(
        v.number(),
        v.check((size) => size <= max),
      ),
      version,
    });
    const bytes = await encodeWithDigest(5, create(9, 1));
    assert.equal(await parseWithDigest(bytes, create(9, 1)), 5);
    await assert.rejects(parseWithDigest(bytes, create(4, 2)), v.ValiError);
    assert.equal(await parseWithDigest(bytes, create(5, 2)), 5);
  });

  it('is checked with the schema if it has none', async () => {
    const plain = new TextEncoder().encode(JSON.stringify(value));
    assert.deepEqual(await parseWithDigest(plain, schema), value);
    await assert.rejects(parseWithDigest(change(plain, '1', 'true'), schema), v.ValiError);
  });
});
