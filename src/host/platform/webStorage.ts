import * as vscode from 'vscode';
import { AppendError, type FileInfo, type Storage } from '../../chat/store/storage';

/**
 * A folder of any file system that VS Code knows. Such file systems can only write whole files: appending costs the file's
 * length, and durable is what the file system makes of it. That one of several windows makes a file is certain where
 * they share `navigator.locks`, which they do in one browser if their extension hosts have one origin.
 */
export class WebStorage implements Storage {
  readonly #folder: vscode.Uri;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async list(): Promise<FileInfo[]> {
    const entries = (await unlessMissing(vscode.workspace.fs.readDirectory(this.#folder))) ?? [];
    const infos = await Promise.all(entries.map(([name]) => this.stat(name)));
    return infos.filter((info) => info !== undefined);
  }

  async stat(name: string): Promise<FileInfo | undefined> {
    const found = await unlessMissing(vscode.workspace.fs.stat(this.#uri(name)));
    return found && { name, size: found.size, mtime: found.mtime };
  }

  async read(name: string, from?: number, to?: number): Promise<Uint8Array | undefined> {
    const bytes = await unlessMissing(vscode.workspace.fs.readFile(this.#uri(name)));
    return bytes?.subarray(from, to);
  }

  async append(
    name: string,
    bytes: Uint8Array,
    { create }: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    try {
      return await exclusively(this.#uri(name), async () => {
        const before = await this.read(name);
        if (!before && !create) return;
        const all = new Uint8Array((before?.length ?? 0) + bytes.length);
        if (before) all.set(before);
        all.set(bytes, all.length - bytes.length);
        await this.replace(name, all);
        return (await this.stat(name)) ?? { name, size: all.length, mtime: Date.now() };
      });
    } catch (error) {
      throw new AppendError(name, 0, error);
    }
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    const temporary = this.#uri(`${name}.${crypto.randomUUID()}.tmp`);
    try {
      await vscode.workspace.fs.writeFile(temporary, bytes);
      await vscode.workspace.fs.rename(temporary, this.#uri(name), { overwrite: true });
    } catch (error) {
      await unlessMissing(vscode.workspace.fs.delete(temporary));
      throw error;
    }
  }

  create(name: string, bytes: Uint8Array): Promise<boolean> {
    return exclusively(this.#uri(name), async () => {
      if (await this.stat(name)) return false;
      await vscode.workspace.fs.writeFile(this.#uri(name), bytes);
      return true;
    });
  }

  async touch(name: string): Promise<boolean> {
    const bytes = await this.read(name);
    if (bytes) await vscode.workspace.fs.writeFile(this.#uri(name), bytes);
    return bytes !== undefined;
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

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** One after the other for each file, in all windows that share the locks. */
function exclusively<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
  const { navigator } = globalThis as { navigator?: { locks?: Locks } };
  return navigator?.locks ? navigator.locks.request(`parley ${uri.toString()}`, work) : work();
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
