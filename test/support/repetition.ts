/** Whether this is `npm run test:all`, which repeats what `npm test` has proven: in the second host, in all themes, in more rounds. */
export const runAll = process.env.PARLEY_TEST_ALL === '1';

/** Returns what `npm test` uses, or what `npm run test:all` does. */
export function repeat<T>(usual: T, all: T): T {
  return runAll ? all : usual;
}
