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

/** Methods that look at or move all items of an array, or all after some. */
const WALKS = [
  ...(['shift', 'unshift', 'splice', 'slice', 'concat', 'copyWithin', 'indexOf', 'includes'] as const),
  ...(['filter', 'find', 'findIndex', 'reverse', 'sort', 'map', 'forEach'] as const),
];

/** Returns how many items the arrays have that `work` looks through or moves with a method, summed over all calls. */
export function countWalkedItems(work: () => void): number {
  const prototype = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = WALKS.map((name) => [name, prototype[name]] as const);
  let count = 0;
  for (const [name, original] of originals) {
    prototype[name] = function (this: readonly unknown[], ...args: unknown[]) {
      count += this.length;
      return original?.apply(this, args);
    };
  }
  try {
    work();
  } finally {
    for (const [name, original] of originals) if (original) prototype[name] = original;
  }
  return count;
}
