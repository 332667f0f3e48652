/** Returns how often `work` calls a method of strings on texts that have at least this many UTF-16 code units. */
export function countLongCalls(
  method: 'normalize' | 'replace' | 'trim',
  minLength: number,
  work: () => void,
): number {
  const prototype = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = prototype[method];
  if (!original) throw new Error(`Strings have no ${method}`);
  let count = 0;
  prototype[method] = function (this: string, ...args: unknown[]) {
    if (this.length >= minLength) count++;
    return original.apply(this, args);
  };
  try {
    work();
  } finally {
    prototype[method] = original;
  }
  return count;
}
