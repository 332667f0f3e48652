/** Waits until `find` returns a value, or the test times out. */
export async function until<T>(find: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
