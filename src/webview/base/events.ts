/** Typed events. `T`: what each event carries, by its name. */
export class Events<T> {
  readonly #listeners = new Map<keyof T, Set<(value: never) => void>>();

  /** Adds a listener. Returns the function that removes it. */
  on<K extends keyof T>(name: K, listener: (value: T[K]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Calls the listeners of an event. Returns whether there were any. */
  fire<K extends keyof T>(name: K, value: T[K]): boolean {
    const listeners = (this.#listeners.get(name) ?? []) as Iterable<(value: T[K]) => void>;
    let handled = false;
    for (const listener of listeners) {
      listener(value);
      handled = true;
    }
    return handled;
  }
}
