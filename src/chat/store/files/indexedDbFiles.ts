import type { WholeFiles } from './fileParts';
import type { FolderFiles } from './folderFiles';
import { type Leftover, recoverLeftover } from './leftovers';
import type { FileInfo } from './storage';

/**
 * Files in the browser's database, where VS Code for the Web keeps `vscode-userdata:`. From its source (1.139,
 * `src/vs/platform/files/browser/indexedDBFileSystemProvider.ts` and `../common/fileService.ts`):
 *
 * - `writeFile` puts the whole file in one transaction, so it is atomic, and no temporary file is needed.
 * - `rename` puts, and then deletes, in a transaction each; `FileService.move` deletes the target before.
 * - `stat`, `readdir` and `delete` know files from a cache (`cachedFiletree`), which only this window's calls change.
 *   `readFile` reads the database and enters what it finds into the cache. `FileService.readFile` asks both at the same
 *   time, so it fails for a file of another window the first time, and finds it the second time.
 * - `mtime` is the time at which this window wrote the file, otherwise 0.
 */
export class IndexedDbFiles implements WholeFiles {
  readonly #folder: FolderFiles;
  readonly runExclusively: WholeFiles['runExclusively'];

  constructor(folder: FolderFiles, runExclusively: WholeFiles['runExclusively']) {
    this.#folder = folder;
    this.runExclusively = runExclusively;
  }

  async stat(name: string): Promise<FileInfo | undefined> {
    // The cached size may be from before another window's last write.
    const bytes = await this.read(name);
    if (!bytes) return;
    const found = await this.#folder.stat(name);
    return { name, size: bytes.length, mtime: found?.mtime ?? 0 };
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return (await this.#folder.read(name)) ?? (await this.#folder.read(name));
  }

  async write(name: string, bytes: Uint8Array, overwrite: boolean): Promise<boolean> {
    if (!overwrite && (await this.read(name))) return false;
    await this.#folder.write(name, bytes);
    return true;
  }

  /** A window that ends in between leaves both files. */
  async rename(from: string, to: string): Promise<boolean> {
    const bytes = await this.read(from);
    if (!bytes) return false;
    await this.#folder.write(to, bytes);
    await this.#folder.remove(from);
    return true;
  }

  async remove(name: string): Promise<boolean> {
    // Reading it first enters it into the cache: VS Code deletes only what it finds there.
    const exists = (await this.read(name)) !== undefined;
    await this.#folder.remove(name);
    return exists;
  }

  recover(leftover: Leftover): Promise<void> {
    return recoverLeftover(leftover, {
      exists: async (name) => (await this.read(name)) !== undefined,
      rename: (from, to) => this.rename(from, to),
      remove: (name) => this.remove(name),
    });
  }
}
