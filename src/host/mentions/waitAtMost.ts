/**
 * Waits for what other extensions do. Resolves to undefined if there is no result in time, or if it fails.
 */
export function waitAtMost<T>(result: Thenable<T>, limitMs: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    const settle = (value?: T) => {
      clearTimeout(timer);
      resolve(value);
    };
    result.then(settle, () => settle());
  });
}
