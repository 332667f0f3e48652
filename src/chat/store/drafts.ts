import type { Storage } from './storage';

/** Delay before typed text is written. */
const SAVE_DELAY_MS = 300;
const EXTENSION = '.draft';

/** The text in each conversation's composer: one file each, deleted when empty. */
export class Drafts {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #unsaved = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  async get(id: string): Promise<string> {
    const unsaved = this.#unsaved.get(id);
    if (unsaved !== undefined) return unsaved;
    const bytes = await this.#storage.read(`${id}${EXTENSION}`);
    return bytes ? new TextDecoder().decode(bytes) : '';
  }

  set(id: string, text: string): void {
    this.#unsaved.set(id, text);
    this.#timer ??= setTimeout(() => void this.flush(), SAVE_DELAY_MS);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async #save(): Promise<void> {
    for (const [id, text] of [...this.#unsaved]) {
      const name = `${id}${EXTENSION}`;
      try {
        if (text === '') await this.#storage.remove(name);
        else await this.#storage.replace(name, new TextEncoder().encode(text));
        // Otherwise it changed in the meantime. A failed write is retried with the next change.
        if (this.#unsaved.get(id) === text) this.#unsaved.delete(id);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
