import type { Storage } from '../store/files/storage';

/** Larger texts aren't kept. */
export const MAX_VERSION_BYTES = 256 * 1024;
/** The oldest of more versions are removed. */
const MAX_VERSIONS = 300;
const EXTENSION = '.txt';

/** The texts of documents as they were uploaded, by their digests, so that a reply can show what has changed since. */
export class DocumentVersions {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Keeps a text; one that is too large or has NUL bytes isn't kept. Throws the file system's error. */
  async keep(sha256: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > MAX_VERSION_BYTES || bytes.includes(0) || !isDigest(sha256)) return;
    if ((await this.#storage.statFile(sha256 + EXTENSION)) !== undefined) return;
    await this.#storage.replaceFile(sha256 + EXTENSION, bytes);
    await this.#prune();
  }

  async has(sha256: string): Promise<boolean> {
    return isDigest(sha256) && (await this.#storage.statFile(sha256 + EXTENSION)) !== undefined;
  }

  async read(sha256: string): Promise<string | undefined> {
    if (!isDigest(sha256)) return undefined;
    const bytes = await this.#storage.readFile(sha256 + EXTENSION);
    return bytes && new TextDecoder().decode(bytes);
  }

  async #prune(): Promise<void> {
    const names = await this.#storage.listNames();
    if (names.length <= MAX_VERSIONS) return;
    const newestFirst = (await this.#storage.listFiles()).toSorted((a, b) => b.mtime - a.mtime);
    for (const { name } of newestFirst.slice(MAX_VERSIONS)) await this.#storage.removeFile(name);
  }
}

/** A digest becomes part of a file name, so any other text could be a path. */
function isDigest(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}
