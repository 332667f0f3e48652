import { areEqual, type WholeFiles } from './fileParts';
import type { FolderFiles } from './folderFiles';
import { getWritingName, getWrittenName, type Leftover, recoverLeftover } from './leftovers';
import type { FileInfo } from './storage';

/**
 * Files of a file system that takes several steps to write a file, such as a server's disk. VS Code can't replace one
 * atomically: `FileService.move` (1.139, `src/vs/platform/files/common/fileService.ts`, `doMoveCopy`) deletes the target
 * before it asks the file system to rename, even if there is nothing to rename.
 *
 * So a file is written under another name, `NAME.UUID.writing`, then gets a second one, `NAME.written`, and only then
 * replaces the old file. While the old file is missing, `NAME.written` is the file: it is read instead, and every later
 * operation first tries to rename it.
 */
export class ReplacedFiles implements WholeFiles {
  readonly #folder: FolderFiles;
  readonly runExclusively: WholeFiles['runExclusively'];

  constructor(folder: FolderFiles, runExclusively: WholeFiles['runExclusively']) {
    this.#folder = folder;
    this.runExclusively = runExclusively;
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    const found = (await this.#folder.statFile(name)) ?? (await this.#folder.statFile(getWrittenName(name)));
    return found && { ...found, name };
  }

  async readFile(name: string): Promise<Uint8Array | undefined> {
    return (await this.#folder.readFile(name)) ?? (await this.#folder.readFile(getWrittenName(name)));
  }

  async writeFile(name: string, bytes: Uint8Array, overwrite: boolean): Promise<boolean> {
    const exists = await this.#finishReplacing(name);
    if (exists && !overwrite) return false;
    const writing = getWritingName(name);
    const written = getWrittenName(name);
    try {
      await this.#folder.writeFile(writing, bytes);
      if (exists) {
        await this.#rename(writing, written, true);
        await this.#rename(written, name, true);
      } else await this.#rename(writing, name, overwrite);
    } catch (error) {
      if (await this.#contains(name, bytes)) return true;
      // Whatever is left is harmless, and removed by the next list.
      await this.#folder.removeFile(writing).catch(() => false);
      // Only windows without a common lock create one file at the same time.
      if (!overwrite && (await this.#folder.statFile(name))) return false;
      throw error;
    }
    return true;
  }

  async renameFile(from: string, to: string): Promise<boolean> {
    if (!(await this.#finishReplacing(from))) return false;
    await this.#folder.removeFile(getWrittenName(from));
    await this.#folder.removeFile(getWrittenName(to));
    return this.#folder.renameFile(from, to, true);
  }

  async removeFile(name: string): Promise<boolean> {
    // First, so that it doesn't take the file's place when that is gone.
    const written = await this.#folder.removeFile(getWrittenName(name));
    return (await this.#folder.removeFile(name)) || written;
  }

  recover(leftover: Leftover): Promise<void> {
    return recoverLeftover(leftover, {
      exists: async (name) => (await this.#folder.statFile(name)) !== undefined,
      renameFile: (from, to) => this.#folder.renameFile(from, to, false),
      removeFile: (name) => this.#folder.removeFile(name),
    });
  }

  /** Finishes a replacement that failed or whose window ended, if its target is missing; returns whether the file exists. */
  async #finishReplacing(name: string): Promise<boolean> {
    if (await this.#folder.statFile(name)) return true;
    return this.#folder.renameFile(getWrittenName(name), name, false);
  }

  /** Throws if there is nothing to rename: the next step would delete a file for nothing. */
  async #rename(from: string, to: string, overwrite: boolean): Promise<void> {
    if (!(await this.#folder.renameFile(from, to, overwrite))) throw new Error(`${from} has vanished`);
  }

  /** Returns whether the file has exactly this content, after a step of its replacement failed. */
  async #contains(name: string, bytes: Uint8Array): Promise<boolean> {
    const found = await this.readFile(name).catch(() => undefined);
    return found !== undefined && areEqual(found, bytes);
  }
}
