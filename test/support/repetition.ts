/** Whether this is `npm run test:all`, which adds repetition to what `npm test` proves. */
export const runAll = process.env.PARLEY_TEST_ALL === '1';

/** How often a test repeats itself: `usual` times in `npm test`, `all` times in `npm run test:all`. */
export function repeat(usual: number, all: number): number {
  return runAll ? all : usual;
}
