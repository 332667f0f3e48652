/** A typed event with listeners; a minimal `EventEmitter` that doesn't depend on `vscode`. */
export class Emitter<T> {
  readonly #listeners = new Set<(event: T) => void>();

  /** Adds a listener; dispose the result to remove it. */
  readonly on = (listener: (event: T) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
