import { FileParts, parsePartName, type WholeFiles } from './fileParts';
import { type Leftover, parseLeftoverName } from './leftovers';
import { AppendError, type FileInfo, type Storage } from './storage';

/** `WholeFiles` that windows which ended in the middle of a replacement may have left something in. */
export interface RecoverableFiles extends WholeFiles {
  /** Finishes or removes a leftover, under the lock of its target. */
  recover(leftover: Leftover): Promise<void>;
}

/** A storage in a file system that can only write whole files. */
export class WholeFileStorage implements Omit<Storage, 'watch'> {
  readonly #listFolder: () => Promise<string[]>;
  readonly #files: RecoverableFiles;
  readonly #notify: (name: string) => void;
  readonly #parts: FileParts;
  #firstList: Promise<unknown> | undefined;

  /** `listFolder` returns the names of all files; `notify` tells other windows that a file has changed. */
  constructor(listFolder: () => Promise<string[]>, files: RecoverableFiles, notify: (name: string) => void) {
    this.#listFolder = listFolder;
    this.#files = files;
    this.#notify = notify;
    this.#parts = new FileParts(files);
  }

  async listFiles(): Promise<FileInfo[]> {
    const infos = await Promise.all((await this.listNames()).map((name) => this.statFile(name)));
    return infos.filter((info) => info !== undefined);
  }

  async listNames(): Promise<string[]> {
    const names = new Set(await this.#listFolder());
    const leftovers = [...names].flatMap((name) => parseLeftoverName(name) ?? []);
    // What is complete for certain goes before what older versions left.
    leftovers.sort((one, other) => Number(one.state === 'old') - Number(other.state === 'old'));
    for (const leftover of leftovers) await this.#recover(leftover);
    const left = leftovers.length === 0 ? names : new Set(await this.#listFolder());
    // A replacement that couldn't be finished is read under its target's name.
    for (const { name, target, state } of leftovers)
      if (state === 'written' && left.has(name)) left.add(target);
    return await this.#parts.listNames([...left].filter((name) => !parseLeftoverName(name)));
  }

  statFile(name: string): Promise<FileInfo | undefined> {
    return this.#parts.statFile(name);
  }

  readFile(name: string, from?: number, to?: number): Promise<Uint8Array | undefined> {
    return this.#parts.readFile(name, from, to);
  }

  async appendFile(
    name: string,
    bytes: Uint8Array,
    { create }: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    try {
      return await this.#changing(name, () => this.#parts.appendFile(name, bytes, create));
    } catch (error) {
      throw new AppendError(name, 0, error);
    }
  }

  async replaceFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#changing(name, () =>
      this.#files.runExclusively(name, () => this.#files.writeFile(name, bytes, true)),
    );
  }

  createFile(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.#changing(name, () =>
      this.#files.runExclusively(name, () => this.#files.writeFile(name, bytes, false)),
    );
  }

  touchFile(name: string): Promise<boolean> {
    // Under the lock, so that it doesn't overwrite what another window writes in the meantime.
    return this.#files.runExclusively(name, async () => {
      const bytes = await this.#files.readFile(name);
      return bytes !== undefined && this.#files.writeFile(name, bytes, true);
    });
  }

  async renameFile(from: string, to: string): Promise<boolean> {
    await this.#recoverOnce();
    return this.#changing(to, () => this.#changing(from, () => this.#parts.renameFile(from, to)));
  }

  async removeFile(name: string): Promise<boolean> {
    await this.#recoverOnce();
    return this.#changing(name, () => this.#parts.removeFile(name));
  }

  /** Reports a change also if it failed: it may have been made in part. */
  async #changing<T>(name: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.#notify(name);
    }
  }

  /** Before a file is removed for the first time, so that what an older version left of it doesn't come back. */
  async #recoverOnce(): Promise<void> {
    this.#firstList ??= this.listNames();
    // A failed list shouldn't keep anything from being removed.
    await this.#firstList.catch(() => undefined);
  }

  async #recover(leftover: Leftover): Promise<void> {
    const { name } = parsePartName(leftover.target);
    // If it fails, the next list tries again.
    await this.#files.runExclusively(name, () => this.#files.recover(leftover)).catch(() => undefined);
  }
}
