import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hasSameItems,
  MIRROR_KINDS,
  type MirrorItem,
  type MirrorItems,
  mergeMirrorItems,
  parseMirrorItems,
} from '../../../src/chat/mirror/mirrorItems';
import { cases, junk } from '../../support/fuzz';

/** Few keys, times and values, so that machines often change the same item, also at the same time. */
const item: fc.Arbitrary<MirrorItem> = fc.record(
  {
    at: fc.integer({ min: 0, max: 5 }),
    value: fc.constantFrom<unknown>(true, 'a', 'b', { x: 1, y: 2 }, { y: 2, x: 1 }),
  },
  { requiredKeys: ['at'] },
);
const items: fc.Arbitrary<MirrorItems> = fc
  .dictionary(fc.constantFrom('pinned s 1', 'pinned s 2', 'name s 1', 'prompt A', 'later s 1'), item)
  .map((record) => new Map(Object.entries(record)));

describe('mergeMirrorItems', () => {
  it('leads to the same items in whichever order three machines merge, and however often', () => {
    fc.assert(
      fc.property(items, items, items, (a, b, c) => {
        const all = mergeMirrorItems(mergeMirrorItems(a, b), c);
        const orders = [
          [a, c, b],
          [b, a, c],
          [b, c, a],
          [c, a, b],
          [c, b, a],
          [a, b, a, c, b],
        ];
        for (const order of orders) assert.ok(hasSameItems(order.reduce(mergeMirrorItems), all));
        assert.ok(hasSameItems(mergeMirrorItems(a, mergeMirrorItems(b, c)), all));
        assert.ok(hasSameItems(mergeMirrorItems(all, all), all));
      }),
      cases(2000),
    );
  });

  it('keeps the last change of each item, and a deletion rather than a change at the same time', () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        const merged = mergeMirrorItems(a, b);
        assert.deepEqual([...merged.keys()].sort(), [...new Set([...a.keys(), ...b.keys()])].sort());
        for (const [key, { at, value }] of merged) {
          const changes = [a.get(key), b.get(key)].filter((change) => change !== undefined);
          assert.equal(at, Math.max(...changes.map((change) => change.at)));
          const last = changes.filter((change) => change.at === at);
          if (last.some((change) => change.value === undefined)) assert.equal(value, undefined);
          else assert.ok(last.some((change) => JSON.stringify(change.value) === JSON.stringify(value)));
        }
      }),
      cases(2000, 1),
    );
  });

  it('keeps the newest items and deletions if there are too many, and no item that is too long', () => {
    const key = (kind: string, n: number) =>
      `${kind} https://bots.example.com/api/v1 ${String(n).padStart(6, '0')}`;
    for (const kind of ['pinned', 'unknown']) {
      const many = new Map<string, MirrorItem>();
      for (let n = 0; n < 2000; n++) many.set(key(kind, n), { at: n, value: true });
      for (let n = 2000; n < 4000; n++) many.set(key(kind, n), { at: n });
      const merged = mergeMirrorItems(new Map(), many);
      const live = [...merged].filter(([, { value }]) => value !== undefined);
      const limit = kind === 'pinned' ? MIRROR_KINDS.pinned.length : 10_000;
      const length = live.reduce((sum, [name]) => sum + name.length + 'true'.length, 0);
      assert.ok(length <= limit && length > limit - 100, `${kind}: ${length}`);
      assert.ok(live.every(([, { at }]) => at >= 2000 - live.length && at < 2000));
      assert.equal(merged.size - live.length, 200);
      assert.ok(merged.has(key(kind, 3999)) && !merged.has(key(kind, 3799)));
    }
    const long = new Map([['draft x', { at: 1, value: 'x'.repeat(MIRROR_KINDS.draft.length / 4) }]]);
    assert.equal(mergeMirrorItems(new Map(), long).size, 0);
  });
});

describe('parseMirrorItems', () => {
  it('skips what is not an item, and never throws', () => {
    const deep = JSON.parse(`{"at":1,"value":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    const read = parseMirrorItems({
      ...{ 'pinned s 1': { at: 1, value: true }, 'pinned s 2': { at: 2 }, 'pinned s 3': { value: true } },
      ...{ 'pinned s 4': { at: 1e300 }, 'pinned s 5': null, ['x'.repeat(501)]: { at: 1 } },
    });
    assert.deepEqual([...read.keys()], ['pinned s 1', 'pinned s 2']);
    assert.ok(parseMirrorItems({ deep }).size <= 1);
    fc.assert(
      fc.property(fc.oneof(junk, fc.dictionary(fc.string(), junk)), (value) => {
        const parsed = parseMirrorItems(value);
        mergeMirrorItems(parsed, parsed);
      }),
      cases(500, 2),
    );
  });
});
