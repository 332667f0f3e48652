/** What is to be closed when this process has run its last test: a shared browser, a shared server. */
const closers: (() => Promise<unknown>)[] = [];

/** Has `close` called once this process has run all of its test files. */
export function atProcessEnd(close: () => Promise<unknown>): void {
  closers.push(close);
}

/** Calls what was registered, the latest first. The runner does this, and under plain mocha its global teardown. */
export async function endProcess(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
