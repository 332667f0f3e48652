import type { FileInfo, Storage } from '../../../../src/chat/store/files/storage';

interface StoredFile {
  bytes: Uint8Array;
  mtime: number;
}

/** Files in memory that several windows share, with a clock of their own. */
export class SharedFiles {
  readonly files = new Map<string, StoredFile>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  set(name: string, bytes: Uint8Array): void {
    this.files.set(name, { bytes, mtime: this.#now() });
  }
}

/** A window's view of shared files: what it does after it has ended never happens. */
export class MemoryStorage implements Storage {
  readonly #shared: SharedFiles;
  /** Counts steps, so that a caller knows when nothing happens any more. */
  readonly #onStep: () => void;
  #hasEnded = false;

  constructor(shared: SharedFiles, onStep: () => void = () => undefined) {
    this.#shared = shared;
    this.#onStep = onStep;
  }

  end(): void {
    this.#hasEnded = true;
  }

  async listFiles(): Promise<FileInfo[]> {
    await this.#step();
    return [...this.#shared.files.keys()].flatMap((name) => this.#stat(name) ?? []);
  }

  async listNames(): Promise<string[]> {
    return (await this.listFiles()).map(({ name }) => name);
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    await this.#step();
    return this.#stat(name);
  }

  async readFile(name: string, from = 0, to?: number): Promise<Uint8Array | undefined> {
    await this.#step();
    return this.#shared.files.get(name)?.bytes.slice(from, to);
  }

  async appendFile(
    name: string,
    bytes: Uint8Array,
    { create }: { readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    await this.#step();
    const before = this.#shared.files.get(name)?.bytes;
    if (!before && !create) return;
    this.#shared.set(name, new Uint8Array([...(before ?? []), ...bytes]));
    return this.#stat(name);
  }

  async replaceFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#step();
    this.#shared.set(name, bytes);
  }

  async createFile(name: string, bytes: Uint8Array): Promise<boolean> {
    await this.#step();
    if (this.#shared.files.has(name)) return false;
    this.#shared.set(name, bytes);
    return true;
  }

  async touchFile(name: string): Promise<boolean> {
    await this.#step();
    const file = this.#shared.files.get(name);
    if (file) this.#shared.set(name, file.bytes);
    return file !== undefined;
  }

  async renameFile(from: string, to: string): Promise<boolean> {
    await this.#step();
    const file = this.#shared.files.get(from);
    if (!file) return false;
    this.#shared.files.delete(from);
    this.#shared.files.set(to, file);
    return true;
  }

  async removeFile(name: string): Promise<boolean> {
    await this.#step();
    return this.#shared.files.delete(name);
  }

  watch(): ReturnType<Storage['watch']> {
    return { started: Promise.resolve(), dispose: () => undefined };
  }

  #stat(name: string): FileInfo | undefined {
    const file = this.#shared.files.get(name);
    return file && { name, size: file.bytes.length, mtime: file.mtime };
  }

  async #step(): Promise<void> {
    this.#onStep();
    if (this.#hasEnded) await new Promise(() => undefined);
  }
}
