import type { Turn } from './turn';

/**
 * Returns a function that computes a value once for the turns of a conversation. The turns are a new array whenever one
 * changes, except for the text of a reply that streams, which the value must not depend on.
 */
export function memoizeByTurns<T extends object>(
  compute: (turns: readonly Turn[]) => T,
): (turns: readonly Turn[]) => T {
  const values = new WeakMap<readonly Turn[], T>();
  return (turns) => {
    let value = values.get(turns);
    if (!value) {
      value = compute(turns);
      values.set(turns, value);
    }
    return value;
  };
}
