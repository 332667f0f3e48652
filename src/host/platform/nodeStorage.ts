import { constants, type FSWatcher, watch } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { AppendError, type FileInfo, type Storage } from '../../chat/store/storage';

/** What is said is nobody else's on this machine. Windows has no such modes; there a profile's folder is its owner's. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** A folder of the disk, made when something is first written to it or watched. */
export class NodeStorage implements Storage {
  readonly #folder: string;
  /** Whether others were locked out of a folder that was there before. */
  #isPrivate = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<FileInfo[]> {
    const names = (await unlessMissing(readdir(this.#folder))) ?? [];
    const infos = await Promise.all(names.map((name) => this.stat(name)));
    return infos.filter((info) => info !== undefined);
  }

  async stat(name: string): Promise<FileInfo | undefined> {
    const found = await unlessMissing(stat(this.#path(name)));
    return found && { name, size: found.size, mtime: found.mtimeMs };
  }

  async read(name: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    const handle = await unlessMissing(open(this.#path(name), 'r'));
    if (!handle) return;
    try {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, (await handle.stat()).size) - from));
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

  async append(
    name: string,
    bytes: Uint8Array,
    { durable, create }: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    let written = 0;
    try {
      if (create) await this.#make();
      // 'a' would bring back a file that another window deleted.
      const handle = create
        ? await open(this.#path(name), 'a', FILE_MODE)
        : await unlessMissing(open(this.#path(name), APPEND_EXISTING));
      if (!handle) return;
      try {
        // A full disk takes a part without an error; the next try says why.
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

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    await this.#make();
    const temporary = this.#path(`${name}.${crypto.randomUUID()}.tmp`);
    try {
      await writeNew(temporary, bytes);
      await rename(temporary, this.#path(name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    await this.#make();
    try {
      await writeNew(this.#path(name), bytes);
      return true;
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  async touch(name: string): Promise<boolean> {
    const now = new Date();
    return succeeds(utimes(this.#path(name), now, now));
  }

  async rename(from: string, to: string): Promise<boolean> {
    return succeeds(rename(this.#path(from), this.#path(to)));
  }

  async remove(name: string): Promise<boolean> {
    return succeeds(rm(this.#path(name)));
  }

  watch(onChange: (name: string) => void, onError: (error: unknown) => void): { dispose(): void } {
    let watcher: FSWatcher | undefined;
    let disposed = false;
    const start = () => {
      if (disposed) return;
      watcher = watch(this.#folder, (_event, name) => {
        if (name !== null) onChange(name);
      });
      watcher.on('error', onError);
    };
    this.#make().then(start).catch(onError);
    return {
      dispose: () => {
        disposed = true;
        watcher?.close();
      },
    };
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }

  async #make(): Promise<void> {
    const isNew = (await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE })) !== undefined;
    if (isNew || this.#isPrivate) return;
    // An older Parley let everyone in.
    this.#isPrivate = true;
    await chmod(this.#folder, FOLDER_MODE);
  }

  /** A new file survives a loss of power once its folder does; Windows has no such thing as a folder to sync. */
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

/** Throws EEXIST where the file is there already; leaves nothing behind where the disk is full. */
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

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return;
    throw error;
  }
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
