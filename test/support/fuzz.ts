import assert from 'node:assert/strict';
import fc from 'fast-check';
import { measureCpu } from './cpuTime';
import { repeat } from './repetition';

/**
 * How many cases a fuzz test tries: `count`, times `PARLEY_FUZZ`, which is 5 in `npm run test:all`. They are the same ones each time, unless
 * `PARLEY_FUZZ_SEED` names others; fast-check prints the seed and the path of a case that fails. `of` tells tests apart that
 * would all try the same.
 */
export function cases(count: number, of = 0): { numRuns: number; seed: number } {
  const { PARLEY_FUZZ = repeat(1, 5), PARLEY_FUZZ_SEED = '20250214' } = process.env;
  return { numRuns: count * Number(PARLEY_FUZZ), seed: Number(PARLEY_FUZZ_SEED) + of };
}

/** ms for which nothing may keep a process busy: a second, on machines up to five times as slow as they should be. */
const HANG = 5000;

/** Fails where this process is busy for too long until `work` settles; what else the machine does counts for nothing. */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const done: T[] = [];
  const time = await measureCpu(async () => done.push(await work()));
  assert.ok(time < HANG, `it took ${time.toFixed(0)} ms`);
  return done[0] as T;
}

/** Stands for 10,000 arrays in one another: text by `toJson`, since `JSON.stringify` itself gets lost in them. */
const DEEP = '@deep@';

/** A value of `mutated` or `junk` as JSON. */
export function toJson(value: unknown): Buffer {
  const text = JSON.stringify(value) ?? 'null';
  return Buffer.from(text.replaceAll(`"${DEEP}"`, '['.repeat(10_000) + ']'.repeat(10_000)));
}

const keys = [
  'data',
  'id',
  'errors',
  'message',
  'type',
  '__proto__',
  'constructor',
  'toString',
  'length',
  '0',
];

/** Values that JSON has and a reader may not expect. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, false, 0, -1, 0.5, 1e308, 2 ** 53, '', ' ', '0', 'x') },
  { weight: 2, arbitrary: fc.constantFrom([], {}, [[]], [null], { data: null }, { data: [] }, { id: {} }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constant('\u202e\u001b]0;x\u0007\u0000\ud800') },
  { weight: 1, arbitrary: fc.constant('x'.repeat(100_000)) },
  { weight: 1, arbitrary: fc.constant(DEEP) },
);

/** JSON values that came out of this one by a few changes of its structure. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  return fc.gen().map((gen) => {
    let result = structuredClone(value);
    for (let left = gen(fc.integer, { min: 1, max: 3 }); left > 0; left--) result = mutate(result, gen);
    return result;
  });
}

/** Replaces, removes, adds, repeats or wraps one value, somewhere in it. */
function mutate(value: unknown, gen: fc.GeneratorValue): unknown {
  const inside = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (inside.length > 0 && gen(fc.nat, { max: 3 }) > 0) {
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
    const key = inside[gen(fc.nat, { max: inside.length - 1 })] as string;
    if (gen(fc.nat, { max: 4 }) > 0) copy[key] = mutate(copy[key], gen);
    else if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
    return copy;
  }
  switch (gen(fc.nat, { max: 5 })) {
    case 0:
      return [value];
    case 1:
      return { data: value };
    case 2:
      if (Array.isArray(value)) return [...value, ...value, gen(() => junk)];
      // As JSON has it: a property of its own, whatever its name.
      return JSON.parse(`{"${gen(() => fc.constantFrom(...keys))}":${JSON.stringify(value ?? null)}}`);
    default:
      return gen(() => junk);
  }
}

/** Bytes that came out of these: cut, flipped, taken out, repeated, put in or turned to NULs, in a few places. */
export function damaged(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  return fc.gen().map((gen) => {
    let result = Uint8Array.from(bytes);
    for (let left = gen(fc.integer, { min: 1, max: 4 }); left > 0; left--) {
      const at = gen(fc.nat, { max: Math.max(0, result.length - 1) });
      const end = Math.min(result.length, at + gen(fc.nat, { max: 60 }));
      const [before, hit, after] = [result.subarray(0, at), result.subarray(at, end), result.subarray(end)];
      const put = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat([before, ...parts, after]));
      switch (gen(fc.nat, { max: 6 })) {
        case 0:
          result = Uint8Array.from(before);
          break;
        case 1:
          result = put();
          break;
        case 2:
          result = put(hit, hit);
          break;
        case 3:
          result = put(new Uint8Array(hit.length));
          break;
        case 4:
          result = put(gen(fc.uint8Array, { maxLength: 20 }), hit);
          break;
        default:
          if (result.length > 0) result[at] = (result[at] ?? 0) ^ (1 << gen(fc.nat, { max: 7 }));
      }
    }
    return result;
  });
}
