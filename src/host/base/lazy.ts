/** Returns a function that creates a value on its first call, and returns the same one on every call. */
export function createLazily<T>(create: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
