import assert from 'node:assert/strict';
import * as v from 'valibot';
import { parseSealed, seal } from '../../../src/chat/store/sealedJson';

describe('Sealed JSON', () => {
  const schema = v.record(v.string(), v.object({ size: v.number() }));
  const value = { a: { size: 1 }, b: { size: 2 } };

  /** Replaces the text of sealed or plain JSON. */
  function change(bytes: Uint8Array, from: string, to: string): Uint8Array {
    const text = new TextDecoder().decode(bytes);
    assert.ok(text.includes(from));
    return new TextEncoder().encode(text.replace(from, to));
  }

  it('is read as it was written, without a check of each property', async () => {
    const bytes = await seal({ a: { size: 'not a number' } }, schema);
    assert.deepEqual(await parseSealed(bytes, schema), { a: { size: 'not a number' } });
    assert.deepEqual(await parseSealed(await seal(value, schema), schema), value);
  });

  it('is checked with the schema if it was changed', async () => {
    const bytes = await seal(value, schema);
    assert.deepEqual(await parseSealed(change(bytes, '"size":2', '"size":3'), schema), {
      a: { size: 1 },
      b: { size: 3 },
    });
    await assert.rejects(parseSealed(change(bytes, '"size":2', '"size":"2"'), schema), v.ValiError);
  });

  it('is checked with the schema if it was written for another one', async () => {
    const other = v.record(v.string(), v.object({ size: v.string() }));
    await assert.rejects(parseSealed(await seal(value, schema), other), v.ValiError);
  });

  it('is checked with the schema if it has no seal', async () => {
    const plain = new TextEncoder().encode(JSON.stringify(value));
    assert.deepEqual(await parseSealed(plain, schema), value);
    await assert.rejects(parseSealed(change(plain, '1', 'true'), schema), v.ValiError);
  });
});
