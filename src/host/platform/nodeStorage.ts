import { constants, watch } from 'node:fs';
import { chmod, type FileHandle, mkdir, readdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import {
  AppendError,
  type FileInfo,
  type Storage,
  type StorageWatcher,
} from '../../chat/store/files/storage';
import { open, rename, rm } from './busyFiles';
import { startWatcher } from './startWatcher';

/**
 * Keeps other users of the machine from reading conversations. Windows has no such modes; there, a profile's
 * folder belongs to its owner.
 */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Bytes that are read without asking for the file's size before. */
const MAX_UNCHECKED_BYTES = 1024 * 1024;

/** A folder on disk, created on the first write or watch. */
export class NodeStorage implements Storage {
  readonly #folder: string;
  /** Whether the mode of an existing folder was restricted. */
  #isPrivate = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async listFiles(): Promise<FileInfo[]> {
    const infos = await Promise.all((await this.listNames()).map((name) => this.statFile(name)));
    return infos.filter((info) => info !== undefined);
  }

  async listNames(): Promise<string[]> {
    return (await unlessMissing(readdir(this.#folder))) ?? [];
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    const found = await unlessMissing(stat(this.#path(name)));
    return found && { name, size: found.size, mtime: found.mtimeMs };
  }

  async readFile(name: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    const handle = await unlessMissing(open(this.#path(name), 'r'));
    if (!handle) return;
    try {
      const end = to - from <= MAX_UNCHECKED_BYTES ? to : Math.min(to, (await handle.stat()).size);
      const bytes = new Uint8Array(Math.max(0, end - from));
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length, from + length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    } finally {
      await handle.close();
    }
  }

  async appendFile(
    name: string,
    bytes: Uint8Array,
    { durable, create }: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    let written = 0;
    try {
      if (create) await this.#createFolder();
      // 'a' would recreate a file that another window deleted.
      const handle = create
        ? await open(this.#path(name), 'a', FILE_MODE)
        : await unlessMissing(open(this.#path(name), APPEND_EXISTING));
      if (!handle) return;
      try {
        // A write to a full disk may be partial without an error; the next write then fails.
        while (written < bytes.length) {
          const { bytesWritten } = await handle.write(bytes, written);
          if (bytesWritten === 0) throw new Error('Nothing was written');
          written += bytesWritten;
        }
        if (durable) await handle.datasync();
        const { size, mtimeMs } = await handle.stat();
        if (durable && size === bytes.length) await this.#syncFolder();
        return { name, size, mtime: mtimeMs };
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw new AppendError(name, written, error);
    }
  }

  async replaceFile(name: string, bytes: Uint8Array): Promise<void> {
    await this.#createFolder();
    const temporary = this.#path(`${name}.${crypto.randomUUID()}.tmp`);
    try {
      await writeNew(temporary, bytes);
      await rename(temporary, this.#path(name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async createFile(name: string, bytes: Uint8Array): Promise<boolean> {
    await this.#createFolder();
    try {
      await writeNew(this.#path(name), bytes);
      return true;
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  async touchFile(name: string): Promise<boolean> {
    const now = new Date();
    return succeeds(utimes(this.#path(name), now, now));
  }

  async renameFile(from: string, to: string): Promise<boolean> {
    return succeeds(rename(this.#path(from), this.#path(to)));
  }

  async removeFile(name: string): Promise<boolean> {
    return succeeds(rm(this.#path(name)));
  }

  watch(onChange: (name: string) => void, onError: (error: unknown) => void): StorageWatcher {
    const start = () => {
      const watcher = watch(this.#folder, (_event, name) => {
        if (name !== null) onChange(name);
      });
      watcher.on('error', onError);
      return { dispose: () => watcher.close() };
    };
    return startWatcher(this.#createFolder(), start, onError);
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }

  async #createFolder(): Promise<void> {
    const isNew = (await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE })) !== undefined;
    if (isNew || this.#isPrivate) return;
    // Older versions created the folder with the default mode.
    this.#isPrivate = true;
    // A folder of another account, or on a disk without modes, can be used all the same.
    await chmod(this.#folder, FOLDER_MODE).catch(() => undefined);
  }

  /** Syncs the folder, so that a new file survives a power failure. Windows can't sync folders. */
  async #syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.#folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

const APPEND_EXISTING = constants.O_WRONLY | constants.O_APPEND;

/** Throws EEXIST if the file exists; removes a partial file if the disk is full. */
async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  const handle: FileHandle = await open(file, 'wx', FILE_MODE);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function succeeds(change: Promise<unknown>): Promise<boolean> {
  return (await unlessMissing(change.then(() => true))) ?? false;
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return;
    throw error;
  }
}

/** Returns the code of an error of `node:fs`. */
function getErrorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
