import * as vscode from 'vscode';
import { Mutex } from '../../chat/base/mutex';
import { FileParts, parsePartName } from '../../chat/store/files/fileParts';
import {
  AppendError,
  type FileInfo,
  type Storage,
  type StorageWatcher,
} from '../../chat/store/files/storage';
import { startWatcher } from './startWatcher';

/**
 * A folder in any of VS Code's file systems. These can only write whole files, so files that grow are stored
 * in parts; durability depends on the file system. `create` and `append` are atomic across windows if they
 * share `navigator.locks`: in one browser, if their extension hosts have the same origin. Such windows also
 * tell each other what they change, because VS Code's watcher takes its time.
 */
export class WebStorage implements Storage {
  readonly #folder: vscode.Uri;
  readonly #mutex = new Mutex();
  readonly #parts: FileParts;
  /** Connects the windows that watch the folder. */
  #channel: InstanceType<typeof BroadcastChannel> | undefined;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
    this.#parts = new FileParts({
      stat: (name) => this.#stat(name),
      read: (name) => this.#read(name),
      write: (name, bytes, overwrite) => this.#writeAndRename(name, bytes, overwrite),
      rename: (from, to) => this.#rename(from, to),
      remove: (name) => succeeds(vscode.workspace.fs.delete(this.#uri(name))),
      runExclusively: (name, work) => this.#runExclusively(name, work),
    });
  }

  async list(): Promise<FileInfo[]> {
    const infos = await Promise.all((await this.listNames()).map((name) => this.stat(name)));
    return infos.filter((info) => info !== undefined);
  }

  async listNames(): Promise<string[]> {
    const entries = (await unlessMissing(vscode.workspace.fs.readDirectory(this.#folder))) ?? [];
    const names = new Set(entries.map(([name]) => name));
    for (const name of [...names]) {
      const replaced = getReplacedName(name);
      if (replaced === undefined || names.has(replaced)) continue;
      await this.#finishReplacing(name, replaced);
      names.add(replaced);
    }
    return await this.#parts.listNames([...names]);
  }

  stat(name: string): Promise<FileInfo | undefined> {
    return this.#parts.stat(name);
  }

  read(name: string, from?: number, to?: number): Promise<Uint8Array | undefined> {
    return this.#parts.read(name, from, to);
  }

  async append(
    name: string,
    bytes: Uint8Array,
    { create }: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined> {
    try {
      return await this.#parts.append(name, bytes, create);
    } catch (error) {
      throw new AppendError(name, 0, error);
    }
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    await this.#runExclusively(name, () => this.#writeAndRename(name, bytes, true));
  }

  create(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.#runExclusively(name, async () => {
      if (await this.#stat(name)) return false;
      return this.#writeAndRename(name, bytes, false);
    });
  }

  touch(name: string): Promise<boolean> {
    // Under the lock, so that it doesn't overwrite what another window writes meanwhile.
    return this.#runExclusively(name, async () => {
      const bytes = await this.#read(name);
      if (bytes) await vscode.workspace.fs.writeFile(this.#uri(name), bytes);
      return bytes !== undefined;
    });
  }

  async rename(from: string, to: string): Promise<boolean> {
    const renamed = await this.#parts.rename(from, to);
    this.#notify(from);
    this.#notify(to);
    return renamed;
  }

  async remove(name: string): Promise<boolean> {
    const removed = await this.#parts.remove(name);
    this.#notify(name);
    return removed;
  }

  watch(onChange: (name: string) => void, onError: (error: unknown) => void): StorageWatcher {
    const notify = (uri: vscode.Uri) =>
      onChange(parsePartName(uri.path.slice(uri.path.lastIndexOf('/') + 1)).name);
    const start = () => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#folder, '*'));
      watcher.onDidCreate(notify);
      watcher.onDidChange(notify);
      watcher.onDidDelete(notify);
      return watcher;
    };
    const channel = new BroadcastChannel(this.#sharedName);
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      // Other extensions can have the same origin.
      if (typeof data === 'string' && !/[/\\]|^\.*$/.test(data)) onChange(data);
    };
    this.#channel = channel;
    // VS Code looks for a missing folder every five seconds only.
    const watcher = startWatcher(vscode.workspace.fs.createDirectory(this.#folder), start, onError);
    return {
      started: watcher.started,
      dispose: () => {
        watcher.dispose();
        channel.close();
        this.#channel = undefined;
      },
    };
  }

  /** Tells other windows that a file has changed. */
  #notify(name: string): void {
    this.#channel?.postMessage(name);
  }

  get #sharedName(): string {
    return `parley ${this.#folder.toString()}`;
  }

  async #stat(name: string): Promise<FileInfo | undefined> {
    const found = await unlessMissing(vscode.workspace.fs.stat(this.#uri(name)));
    return found && { name, size: found.size, mtime: found.mtime };
  }

  async #read(name: string): Promise<Uint8Array | undefined> {
    return await unlessMissing(vscode.workspace.fs.readFile(this.#uri(name)));
  }

  #rename(from: string, to: string): Promise<boolean> {
    return succeeds(vscode.workspace.fs.rename(this.#uri(from), this.#uri(to), { overwrite: true }));
  }

  /** Finishes a replacement that a crashed window had started. */
  #finishReplacing(temporary: string, name: string): Promise<void> {
    return this.#runExclusively(parsePartName(name).name, async () => {
      if (await this.#stat(name)) return;
      await this.#rename(temporary, name);
    });
  }

  /**
   * Writes a temporary file and renames it to the name; resolves to false if the file exists and `overwrite`
   * is false.
   */
  async #writeAndRename(name: string, bytes: Uint8Array, overwrite: boolean): Promise<boolean> {
    const temporary = this.#uri(temporaryName(name));
    try {
      await vscode.workspace.fs.writeFile(temporary, bytes);
      await vscode.workspace.fs.rename(temporary, this.#uri(name), { overwrite });
    } catch (error) {
      await unlessMissing(vscode.workspace.fs.delete(temporary));
      if (!overwrite && error instanceof vscode.FileSystemError && error.code === 'FileExists') return false;
      throw error;
    }
    this.#notify(parsePartName(name).name);
    return true;
  }

  /**
   * Runs the work under the file's lock, which windows share if there is `navigator.locks`, or else in this
   * window only.
   */
  #runExclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { navigator } = globalThis as { navigator?: { locks?: Locks } };
    if (navigator?.locks) return navigator.locks.request(`parley ${this.#uri(name).toString()}`, work);
    return this.#mutex.run(work);
  }

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}

const temporaryName = (name: string) => `${name}.${crypto.randomUUID()}.tmp`;

/** Returns the name of the file that a temporary one was to replace. */
function getReplacedName(temporary: string): string | undefined {
  return /^(.+)\.[\da-f-]{36}\.tmp$/.exec(temporary)?.[1];
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

async function succeeds(change: Thenable<unknown>): Promise<boolean> {
  return (await unlessMissing(change.then(() => true))) ?? false;
}

async function unlessMissing<T>(result: Thenable<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return;
    throw error;
  }
}
