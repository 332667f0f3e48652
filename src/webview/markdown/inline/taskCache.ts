/** Only a few: engines hash long texts by their lengths, so a map of thousands would compare each with all others. */
const MAX_TEXTS = 8;

/**
 * Returns a function that computes a value once for a text that is used again soon: thousands of references may share one
 * long destination. Values aren't kept after the task, since they would keep their texts.
 */
export function cacheInTask<T>(compute: (text: string) => T): (text: string) => T {
  let entries: { readonly text: string; readonly value: T }[] = [];
  return (text) => {
    const known = entries.find((entry) => entry.text === text);
    if (known) return known.value;
    if (entries.length === 0) {
      setTimeout(() => {
        entries = [];
      });
    }
    const value = compute(text);
    entries = [{ text, value }, ...entries.slice(0, MAX_TEXTS - 1)];
    return value;
  };
}
