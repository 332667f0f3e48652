import assert from 'node:assert/strict';
import fc from 'fast-check';
import { measureCpu } from './cpuTime';
import { doKnownWork, isWithinKnownWork } from './knownWork';
import { repeat } from './repetition';

/**
 * Returns the options of a fuzz test: `count` cases, times `PARLEY_FUZZ`, which is 5 in `npm run test:all`.
 * The cases are the same each time, unless `PARLEY_FUZZ_SEED` sets another seed; fast-check prints the seed
 * and the path of a failing case. `seedOffset` makes similar tests use different cases.
 */
export function cases(count: number, seedOffset = 0): { numRuns: number; seed: number } {
  const { PARLEY_FUZZ = repeat(1, 5), PARLEY_FUZZ_SEED = '20250214' } = process.env;
  return { numRuns: count * Number(PARLEY_FUZZ), seed: Number(PARLEY_FUZZ_SEED) + seedOffset };
}

/** How many pieces of known work a process may be busy for: about five seconds on a quick machine. */
const MAX_KNOWN_WORK = 100;

/**
 * Fails if this process is busy for too long until `work` settles; the speed and the load of the machine don't matter.
 */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const done: T[] = [];
  const time = await measureCpu(async () => done.push(await work()));
  const isQuick = await isWithinKnownWork(time, MAX_KNOWN_WORK, () => measureCpu(doKnownWork));
  assert.ok(isQuick, `it took ${time.toFixed(0)} ms, more than ${MAX_KNOWN_WORK} pieces of known work`);
  return done[0] as T;
}

/** Stands for 10,000 nested arrays, which only `toJson` can write: `JSON.stringify` overflows the stack. */
const DEEP_PLACEHOLDER = '@deep@';

/** Writes a value of `mutated` or `junk` as JSON. */
export function toJson(value: unknown): Buffer {
  const text = JSON.stringify(value) ?? 'null';
  return Buffer.from(text.replaceAll(`"${DEEP_PLACEHOLDER}"`, '['.repeat(10_000) + ']'.repeat(10_000)));
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

/** Valid JSON values that a reader may not expect. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, false, 0, -1, 0.5, 1e308, 2 ** 53, '', ' ', '0', 'x') },
  { weight: 2, arbitrary: fc.constantFrom([], {}, [[]], [null], { data: null }, { data: [] }, { id: {} }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constant('\u202e\u001b]0;x\u0007\u0000\ud800') },
  { weight: 1, arbitrary: fc.constant('x'.repeat(100_000)) },
  { weight: 1, arbitrary: fc.constant(DEEP_PLACEHOLDER) },
);

/** Creates variants of a JSON value with a few changes of its structure. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  return fc.gen().map((gen) => {
    let result = structuredClone(value);
    for (let left = gen(fc.integer, { min: 1, max: 3 }); left > 0; left--) result = mutate(result, gen);
    return result;
  });
}

/** Replaces, removes, adds, repeats or wraps a random value inside. */
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
      // As in JSON: an own property, whatever its name.
      return JSON.parse(`{"${gen(() => fc.constantFrom(...keys))}":${JSON.stringify(value ?? null)}}`);
    default:
      return gen(() => junk);
  }
}

/**
 * Creates damaged variants of bytes: truncated, flipped, removed, repeated, inserted or zeroed in a few
 * places.
 */
export function damaged(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  return fc.gen().map((gen) => {
    let result = Uint8Array.from(bytes);
    for (let left = gen(fc.integer, { min: 1, max: 4 }); left > 0; left--) {
      const start = gen(fc.nat, { max: Math.max(0, result.length - 1) });
      const end = Math.min(result.length, start + gen(fc.nat, { max: 60 }));
      const [before, hit, after] = [
        result.subarray(0, start),
        result.subarray(start, end),
        result.subarray(end),
      ];
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
          if (result.length > 0) result[start] = (result[start] ?? 0) ^ (1 << gen(fc.nat, { max: 7 }));
      }
    }
    return result;
  });
}
