import * as vscode from 'vscode';
import { Mutex } from '../../chat/base/mutex';
import { AppendError, type FileInfo, type Storage } from '../../chat/store/storage';

/**
 * A folder of any file system that VS Code knows. Such file systems can only write whole files: appending costs the file's
 * length, and durable is what the file system makes of it. That one of several windows makes a file, and that none appends
 * over another's append, is certain where they share `navigator.locks`: in one browser, if their extension hosts have one origin.
 */
export class WebStorage implements Storage {
  readonly #folder: vscode.Uri;
  readonly #mutex = new Mutex();

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async list(): Promise<FileInfo[]> {
    const entries = (await unlessMissing(vscode.workspace.fs.readDirectory(this.#folder))) ?? [];
    const names = new Set(entries.map(([name]) => name));
    for (const name of [...names]) {
      const replaced = replacedBy(name);
      if (replaced === undefined || names.has(replaced)) continue;
      await this.#putInPlace(name, replaced);
      names.add(replaced);
    }
    const infos = await Promise.all([...names].map((name) => this.#stat(name)));
    return infos.filter((info) => info !== undefined);
  }

  stat(name: string): Promise<FileInfo | undefined> {
    return this.#unlessReplaced(name, () => this.#stat(name));
  }

  async read(name: string, from?: number, to?: number): Promise<Uint8Array | undefined> {
    const bytes = await this.#unlessReplaced(name, () => this.#read(name));
    return bytes?.subarray(from, to);
  }

  async append(
    name: string,
    bytes: Uint8Array,
    { create }: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    try {
      return await this.#exclusively(name, async () => {
        const before = await this.#read(name);
        if (!before && !create) return;
        const all = new Uint8Array((before?.length ?? 0) + bytes.length);
        if (before) all.set(before);
        all.set(bytes, all.length - bytes.length);
        await this.#put(name, all, true);
        // What is in place is written, whether or not the file system tells of it.
        const info = await this.#stat(name).catch(() => undefined);
        return info ?? { name, size: all.length, mtime: Date.now() };
      });
    } catch (error) {
      throw new AppendError(name, 0, error);
    }
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    await this.#exclusively(name, () => this.#put(name, bytes, true));
  }

  create(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.#exclusively(name, async () => {
      if (await this.#stat(name)) return false;
      return this.#put(name, bytes, false);
    });
  }

  touch(name: string): Promise<boolean> {
    // In turn: what another window wrote meanwhile must not be overwritten.
    return this.#exclusively(name, async () => {
      const bytes = await this.#read(name);
      if (bytes) await vscode.workspace.fs.writeFile(this.#uri(name), bytes);
      return bytes !== undefined;
    });
  }

  async rename(from: string, to: string): Promise<boolean> {
    const options = { overwrite: true };
    return succeeds(vscode.workspace.fs.rename(this.#uri(from), this.#uri(to), options));
  }

  async remove(name: string): Promise<boolean> {
    return succeeds(vscode.workspace.fs.delete(this.#uri(name)));
  }

  watch(onChange: (name: string) => void): { dispose(): void } {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#folder, '*'));
    const tell = (uri: vscode.Uri) => onChange(uri.path.slice(uri.path.lastIndexOf('/') + 1));
    watcher.onDidCreate(tell);
    watcher.onDidChange(tell);
    watcher.onDidDelete(tell);
    return watcher;
  }

  async #stat(name: string): Promise<FileInfo | undefined> {
    const found = await unlessMissing(vscode.workspace.fs.stat(this.#uri(name)));
    return found && { name, size: found.size, mtime: found.mtime };
  }

  async #read(name: string): Promise<Uint8Array | undefined> {
    return await unlessMissing(vscode.workspace.fs.readFile(this.#uri(name)));
  }

  /** VS Code takes a file away before it puts another in its place: one that is missing is looked for once more, in turn. */
  async #unlessReplaced<T>(name: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    return (await look()) ?? (await this.#exclusively(name, look));
  }

  /** Ends what a window that died in the middle of a replacement began. */
  #putInPlace(temporary: string, name: string): Promise<void> {
    return this.#exclusively(name, async () => {
      if (!(await this.#stat(name))) await this.rename(temporary, name);
    });
  }

  /** Writes beside the file, and puts that in its place; false where one is there that must stay. */
  async #put(name: string, bytes: Uint8Array, overwrite: boolean): Promise<boolean> {
    const temporary = this.#uri(temporaryName(name));
    try {
      await vscode.workspace.fs.writeFile(temporary, bytes);
      await vscode.workspace.fs.rename(temporary, this.#uri(name), { overwrite });
      return true;
    } catch (error) {
      await unlessMissing(vscode.workspace.fs.delete(temporary));
      if (!overwrite && error instanceof vscode.FileSystemError && error.code === 'FileExists') return false;
      throw error;
    }
  }

  /** One after the other for each file, in all windows that share the locks; without locks, in this one. */
  #exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { navigator } = globalThis as { navigator?: { locks?: Locks } };
    if (navigator?.locks) return navigator.locks.request(`parley ${this.#uri(name).toString()}`, work);
    return this.#mutex.run(work);
  }

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}

const temporaryName = (name: string) => `${name}.${crypto.randomUUID()}.tmp`;

/** The file that a temporary one was to replace. */
function replacedBy(temporary: string): string | undefined {
  return /^(.+)\.[\da-f-]{36}\.tmp$/.exec(temporary)?.[1];
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

async function succeeds(change: Thenable<unknown>): Promise<boolean> {
  return (await unlessMissing(change.then(() => true))) ?? false;
}

async function unlessMissing<T>(answer: Thenable<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return;
    throw error;
  }
}
