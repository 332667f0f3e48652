/**
 * The functions to call when this process has run its last test, to close a shared browser or server for
 * example.
 */
const closers: (() => Promise<unknown>)[] = [];

/** Registers `close` to be called when this process has run all of its test files. */
export function atProcessEnd(close: () => Promise<unknown>): void {
  closers.push(close);
}

/**
 * Calls the registered functions, the latest first. Called by the runner and, in plain mocha, by its global
 * teardown.
 */
export async function endProcess(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
