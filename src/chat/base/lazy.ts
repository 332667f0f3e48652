/**
 * Returns a function that creates a value on its first call, and returns the same one on every call. If that fails, the
 * next call creates it again.
 */
export function createLazily<T>(create: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value = value?.catch(create) ?? create();
    return value;
  };
}
