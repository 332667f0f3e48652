import type { Disposable } from 'vscode';

/** Owns disposables and disposes of them, last in first out. */
export class DisposableStore implements Disposable {
  readonly #items: { dispose(): unknown }[] = [];

  add<T extends { dispose(): unknown }>(item: T): T {
    this.#items.push(item);
    return item;
  }

  dispose(): void {
    for (let item = this.#items.pop(); item; item = this.#items.pop()) item.dispose();
  }
}
