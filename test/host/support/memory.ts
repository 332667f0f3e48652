import * as vscode from 'vscode';

/** VS Code's secret storage as it is to an extension; `lose` forgets all without a word, as a keyring may. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly #kept = new Map<string, string>();
  readonly #changes = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changes.event;

  lose(): void {
    this.#kept.clear();
  }

  async keys(): Promise<string[]> {
    return [...this.#kept.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    return this.#kept.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.#kept.set(key, value);
    this.#changes.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
    this.#changes.fire({ key });
  }
}

/** An extension's memory of small things. */
export class MemoryState implements vscode.Memento {
  readonly #kept = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#kept.keys()];
  }

  get<T>(key: string, fallback?: T): T {
    return (this.#kept.get(key) ?? fallback) as T;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#kept.set(key, value);
  }

  setKeysForSync(): void {
    // Nothing is synchronised here.
  }
}
