/**
 * Returns a function that computes a value once per text in each task: thousands of references may share one long destination.
 * Values aren't kept any longer, since they would keep their texts.
 */
export function cacheInTask<T>(compute: (text: string) => T): (text: string) => T {
  const values = new Map<string, T>();
  return (text) => {
    const known = values.get(text);
    if (known !== undefined) return known;
    if (values.size === 0) setTimeout(() => values.clear());
    const value = compute(text);
    values.set(text, value);
    return value;
  };
}
