import type { Disposable, SecretStorage } from 'vscode';

/**
 * Stores API keys in SecretStorage, one per origin, so that a key for one service is never sent to another.
 * The key is read for each request, because another window may have changed it.
 */
export class ApiKeys {
  readonly #secrets: SecretStorage;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  async get(origin: string): Promise<string | undefined> {
    return (await this.#secrets.get(getSecretName(origin))) || undefined;
  }

  async set(origin: string, key: string): Promise<void> {
    await this.#secrets.store(getSecretName(origin), key);
  }

  async clear(origin: string): Promise<void> {
    await this.#secrets.delete(getSecretName(origin));
  }

  onDidChange(listener: () => void): Disposable {
    return this.#secrets.onDidChange(listener);
  }
}

function getSecretName(origin: string): string {
  return `parley.apiKey ${origin}`;
}
