import { Mutex } from '../../base/mutex';
import type { WholeFiles } from './fileParts';
import type { FolderFiles } from './folderFiles';
import { type Leftover, recoverLeftover } from './leftovers';
import type { FileInfo } from './storage';

/**
 * Time limit for a write, in ms. A write takes a few; one that VS Code never answers (see below) would keep its lock, and
 * with it all windows, forever.
 */
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Files in the browser's database, where VS Code for the Web keeps `vscode-userdata:`. From its source (1.139,
 * `src/vs/platform/files/browser/indexedDBFileSystemProvider.ts` and `../common/fileService.ts`):
 *
 * - `writeFile` puts the whole file in one transaction, so it is atomic, and no temporary file is needed.
 * - `rename` puts, and then deletes, in a transaction each; `FileService.move` deletes the target before.
 * - `stat`, `readdir` and `delete` know files from a cache (`cachedFiletree`), which only this window's calls change.
 *   `readFile` reads the database and enters what it finds into the cache. `FileService.readFile` asks both at the same
 *   time, so it fails for a file of another window the first time, and finds it the second time.
 * - So a file that isn't in the cache seems to be missing as well if the browser has closed the database, which VS Code never
 *   opens again. Reading one that is in the cache throws then.
 * - `mtime` is the time at which this window wrote the file, otherwise 0.
 * - A write that waits for another one, of any file, is never answered if it fails (`writeManyThrottler`, `Throttler.queue` of
 *   `src/vs/base/common/async.ts`); nor are later writes of that file, which wait for it (`FileService.writeQueue`). So there is
 *   one at a time here, but VS Code itself may write in the same moment, such as the backup of an editor.
 */
export class IndexedDbFiles implements WholeFiles {
  readonly #folder: FolderFiles;
  readonly runExclusively: WholeFiles['runExclusively'];
  readonly #isAnswered: (write: Promise<void>) => Promise<boolean>;
  /** A file that is in VS Code's cache, if one is known. */
  #cachedName: string | undefined;
  readonly #writes = new Mutex();
  /** The files of which VS Code hasn't answered a write yet. */
  readonly #unanswered = new Set<string>();

  /** `isAnswered` resolves to whether a write has settled in time, with either result. */
  constructor(
    folder: FolderFiles,
    runExclusively: WholeFiles['runExclusively'],
    isAnswered: (write: Promise<void>) => Promise<boolean> = settlesInTime,
  ) {
    this.#folder = folder;
    this.runExclusively = runExclusively;
    this.#isAnswered = isAnswered;
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    // The cached size may be from before another window's last write.
    const bytes = await this.readFile(name);
    if (!bytes) return;
    const found = await this.#folder.statFile(name);
    return { name, size: bytes.length, mtime: found?.mtime ?? 0 };
  }

  async readFile(name: string): Promise<Uint8Array | undefined> {
    const bytes = (await this.#folder.readFile(name)) ?? (await this.#folder.readFile(name));
    if (bytes) this.#cachedName = name;
    else await this.#checkDatabase();
    return bytes;
  }

  async writeFile(name: string, bytes: Uint8Array, overwrite: boolean): Promise<boolean> {
    if (!overwrite && (await this.readFile(name))) return false;
    await this.#write(name, bytes);
    return true;
  }

  /** A window that ends in between leaves both files. */
  async renameFile(from: string, to: string): Promise<boolean> {
    const bytes = await this.readFile(from);
    if (!bytes) return false;
    await this.#write(to, bytes);
    await this.#remove(from);
    return true;
  }

  async removeFile(name: string): Promise<boolean> {
    // Reading it first enters it into the cache: VS Code deletes only what it finds there.
    const exists = (await this.readFile(name)) !== undefined;
    await this.#remove(name);
    return exists;
  }

  recover(leftover: Leftover): Promise<void> {
    return recoverLeftover(leftover, {
      exists: async (name) => (await this.readFile(name)) !== undefined,
      renameFile: (from, to) => this.renameFile(from, to),
      removeFile: (name) => this.removeFile(name),
    });
  }

  /** Throws if the browser has closed the database. Nobody can tell while VS Code's cache has no file of the folder. */
  async #checkDatabase(): Promise<void> {
    this.#cachedName ??= (await this.#folder.listNames())[0];
    if (this.#cachedName !== undefined) await this.#folder.readFile(this.#cachedName);
  }

  async #remove(name: string): Promise<void> {
    if (name === this.#cachedName) this.#cachedName = undefined;
    await this.#folder.removeFile(name);
  }

  #write(name: string, bytes: Uint8Array): Promise<void> {
    return this.#writes.run(async () => {
      if (!this.#unanswered.has(name)) {
        this.#unanswered.add(name);
        const written = this.#folder.writeFile(name, bytes).finally(() => this.#unanswered.delete(name));
        if (await this.#isAnswered(written)) {
          await written;
          this.#cachedName = name;
          return;
        }
      }
      throw new Error(`VS Code doesn't say whether it has written ${name}.`);
    });
  }
}

async function settlesInTime(write: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ANSWER_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([settles(write), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to true when the write has settled. */
export function settles(write: Promise<void>): Promise<boolean> {
  return write.then(
    () => true,
    () => true,
  );
}
