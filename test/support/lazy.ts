/** Returns a proxy for an object that is created later: each access goes to the current result of `get`. */
export function lazy<T extends object>(get: () => T): T {
  return new Proxy({} as T, {
    get(_, name) {
      const target = get();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
