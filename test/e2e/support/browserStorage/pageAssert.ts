// `node:assert/strict` for tests that run in a page, as far as they use it.
import fc from 'fast-check';

export function ok(value: unknown, message = 'not ok'): asserts value {
  if (!value) throw new Error(message);
}

export function equal(actual: unknown, expected: unknown, message = 'not equal'): void {
  if (!Object.is(actual, expected))
    throw new Error(`${message}: ${fc.stringify(actual)} instead of ${fc.stringify(expected)}`);
}

export function deepEqual(actual: unknown, expected: unknown, message?: string): void {
  equal(fc.stringify(actual), fc.stringify(expected), message);
}
