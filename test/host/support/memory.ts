import * as vscode from 'vscode';

/** An in-memory SecretStorage; `lose` clears it without an event, as a keyring may. */
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

/** An in-memory Memento. */
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
    // Nothing is synced here.
  }
}
