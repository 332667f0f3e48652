/** One kind of event and who listens to it; small enough to keep `vscode` out of this room. */
export class Emitter<T> {
  readonly #listeners = new Set<(event: T) => void>();

  /** Returns what ends the listening. */
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
