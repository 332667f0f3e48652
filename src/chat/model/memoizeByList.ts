/**
 * Returns a function that computes a value once for a list, such as the turns of a conversation. A list is a new array
 * whenever an item changes, except for the text of a reply that streams, which the value must not depend on.
 */
export function memoizeByList<Item, Value extends object>(
  compute: (items: readonly Item[]) => Value,
): (items: readonly Item[]) => Value {
  const values = new WeakMap<readonly Item[], Value>();
  return (items) => {
    let value = values.get(items);
    if (!value) {
      value = compute(items);
      values.set(items, value);
    }
    return value;
  };
}
