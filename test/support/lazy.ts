/** Stands for an object that is made later: each use goes to what `get` returns then. */
export function lazy<T extends object>(get: () => T): T {
  return new Proxy({} as T, {
    get(_, name) {
      const target = get();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
