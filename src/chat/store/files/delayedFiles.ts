import type { Storage } from './storage';

/** Delay after the first change. */
const SAVE_DELAY_MS = 300;
/** Interval between retries while the disk can't be written. */
const RETRY_INTERVAL_MS = 5000;

/** A text for each conversation: one file each, written a moment after the text changes, deleted when empty. */
export class DelayedFiles {
  readonly #storage: Storage;
  readonly #extension: string;
  readonly #onError: (error: unknown) => void;
  readonly #unsaved = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isDisposed = false;

  /** `onError` receives failed writes. */
  constructor(storage: Storage, extension: string, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#extension = extension;
    this.#onError = onError;
  }

  async get(id: string): Promise<string> {
    const unsaved = this.#unsaved.get(id);
    if (unsaved !== undefined) return unsaved;
    const bytes = await this.#storage.readFile(`${id}${this.#extension}`);
    return bytes ? new TextDecoder().decode(bytes) : '';
  }

  set(id: string, text: string): void {
    this.#unsaved.set(id, text);
    this.#timer ??= setTimeout(() => void this.flush(), SAVE_DELAY_MS);
  }

  /** Removes the text, even if it isn't written yet. Throws file system errors. */
  async remove(id: string): Promise<void> {
    this.#unsaved.delete(id);
    // A text that is being written would be there again.
    await this.#saving;
    await this.#storage.removeFile(`${id}${this.#extension}`);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  /** Writes what is unsaved; after that nothing is retried. */
  dispose(): Promise<void> {
    this.#isDisposed = true;
    return this.flush();
  }

  async #save(): Promise<void> {
    for (const [id, text] of [...this.#unsaved]) {
      const name = `${id}${this.#extension}`;
      try {
        if (text === '') await this.#storage.removeFile(name);
        else await this.#storage.replaceFile(name, new TextEncoder().encode(text));
        // Otherwise it changed in the meantime.
        if (this.#unsaved.get(id) === text) this.#unsaved.delete(id);
      } catch (error) {
        this.#onError(error);
        if (!this.#isDisposed) this.#timer ??= setTimeout(() => void this.flush(), RETRY_INTERVAL_MS);
      }
    }
  }
}
