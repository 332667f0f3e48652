/**
 * Whether this is `npm run test:all`, which repeats the tests in the second host, in all themes and in more
 * rounds.
 */
export const runAll = process.env.PARLEY_TEST_ALL === '1';

/** Returns the value for `npm test` or for `npm run test:all`. */
export function repeat<T>(usual: T, all: T): T {
  return runAll ? all : usual;
}
