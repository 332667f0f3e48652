import type { Storage } from './storage';

/** Delay after the first change. */
const SAVE_DELAY_MS = 300;
/** Interval between retries while the disk can't be read or written. */
const RETRY_INTERVAL_MS = 5000;

interface Unsaved {
  readonly text: string;
  /** Whether it is written only over what this window read or wrote last. */
  readonly replacesOwn?: boolean | undefined;
}

interface Options {
  /** Writes what must be on the disk before these files; must not reject. */
  readonly writeFirst?: () => Promise<void>;
  /** Receives the texts that were written. */
  readonly onSaved?: (id: string, text: string) => void;
}

/** A text for each conversation: one file each, written a moment after the text changes, deleted when empty. */
export class DelayedFiles {
  readonly #storage: Storage;
  readonly #extension: string;
  readonly #onError: (error: unknown) => void;
  readonly #writeFirst: () => Promise<void>;
  readonly #onSaved: (id: string, text: string) => void;
  readonly #unsaved = new Map<string, Unsaved>();
  /** The texts that this window read or wrote last. */
  readonly #known = new Map<string, string>();
  /** Why texts couldn't be written. */
  readonly #refused = new Map<string, unknown>();
  /** Of the texts that couldn't be read. */
  readonly #unread = new Map<string, (text: string) => Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isDisposed = false;

  /** `onError` receives failed writes, and failures to read again. */
  constructor(
    storage: Storage,
    extension: string,
    onError: (error: unknown) => void,
    { writeFirst = async () => undefined, onSaved = () => undefined }: Options = {},
  ) {
    this.#storage = storage;
    this.#extension = extension;
    this.#onError = onError;
    this.#writeFirst = writeFirst;
    this.#onSaved = onSaved;
  }

  /** Throws file system errors. */
  async get(id: string): Promise<string> {
    const unsaved = this.#unsaved.get(id);
    if (unsaved) return unsaved.text;
    const known = this.#known.get(id);
    const text = await this.#read(id);
    // Otherwise it would be added to itself.
    this.#unread.delete(id);
    if (!this.#unsaved.has(id) && this.#known.get(id) === known) this.#known.set(id, text);
    return text;
  }

  /** Stores a text, unless it is the one that this window read or wrote last: another window may have changed that since. */
  set(id: string, text: string): void {
    if (!this.#unsaved.has(id) && this.#known.get(id) === text) return;
    this.#unsaved.set(id, { text });
    this.#saveAfter(SAVE_DELAY_MS);
  }

  /** Replaces what this window read or wrote last, and nothing that another one has stored since. */
  replaceOwn(id: string, text: string): void {
    const unsaved = this.#unsaved.get(id);
    if (!unsaved && [undefined, text].includes(this.#known.get(id))) return;
    this.#unsaved.set(id, { text, replacesOwn: !unsaved || unsaved.replacesOwn });
    this.#saveAfter(SAVE_DELAY_MS);
  }

  /** Calls `onRead` with a text that couldn't be read, once it can be. What is set is written only after that. */
  readAgain(id: string, onRead: (text: string) => Promise<void>): void {
    this.#unread.set(id, onRead);
    this.#saveAfter(SAVE_DELAY_MS);
  }

  /** Removes the text, even if it isn't written yet. Throws file system errors. */
  async remove(id: string): Promise<void> {
    this.#unread.delete(id);
    this.#unsaved.delete(id);
    this.#known.delete(id);
    this.#refused.delete(id);
    // A text that is being written would be there again.
    await this.#saving;
    await this.#storage.removeFile(`${id}${this.#extension}`);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(this.#writeFirst).then(() => this.#save());
    return this.#saving;
  }

  /** Writes what is unsaved. Throws the file system's error if it refuses this text. */
  async save(id: string): Promise<void> {
    await this.flush();
    if (this.#refused.has(id)) throw this.#refused.get(id);
  }

  /** Writes what is unsaved, and once more what the disk refused; after that nothing is retried. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.flush();
    await this.flush();
  }

  #saveAfter(delayMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), delayMs);
  }

  async #read(id: string): Promise<string> {
    const bytes = await this.#storage.readFile(`${id}${this.#extension}`);
    return bytes ? new TextDecoder().decode(bytes) : '';
  }

  async #save(): Promise<void> {
    for (const id of new Set([...this.#unread.keys(), ...this.#unsaved.keys()])) {
      try {
        await this.#saveOne(id);
        this.#refused.delete(id);
      } catch (error) {
        this.#refused.set(id, error);
        this.#onError(error);
        if (!this.#isDisposed) this.#saveAfter(RETRY_INTERVAL_MS);
      }
    }
  }

  async #saveOne(id: string): Promise<void> {
    const name = `${id}${this.#extension}`;
    await this.#unread.get(id)?.(await this.#read(id));
    this.#unread.delete(id);
    const unsaved = this.#unsaved.get(id);
    if (!unsaved) return;
    const { text, replacesOwn } = unsaved;
    if (!replacesOwn || (await this.#read(id)) === this.#known.get(id)) {
      if (text === '') await this.#storage.removeFile(name);
      else await this.#storage.replaceFile(name, new TextEncoder().encode(text));
      this.#known.set(id, text);
      this.#onSaved(id, text);
    } else this.#known.delete(id);
    // Otherwise it changed in the meantime.
    if (this.#unsaved.get(id) === unsaved) this.#unsaved.delete(id);
  }
}
