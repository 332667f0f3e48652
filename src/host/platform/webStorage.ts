import * as vscode from 'vscode';
import { Mutex } from '../../chat/base/mutex';
import { parsePartName } from '../../chat/store/files/fileParts';
import type { FolderFiles } from '../../chat/store/files/folderFiles';
import { IndexedDbFiles } from '../../chat/store/files/indexedDbFiles';
import { ReplacedFiles } from '../../chat/store/files/replacedFiles';
import type { FileInfo, Storage, StorageWatcher } from '../../chat/store/files/storage';
import { WholeFileStorage } from '../../chat/store/files/wholeFileStorage';
import { startWatcher } from './startWatcher';

/**
 * A folder in any of VS Code's file systems. These can only write whole files, so files that grow are stored
 * in parts; durability depends on the file system. `create` and `append` are atomic across windows if they
 * share `navigator.locks`: in one browser, if their extension hosts have the same origin. Such windows also
 * tell each other what they change, because VS Code's watcher takes its time.
 */
export class WebStorage extends WholeFileStorage implements Storage {
  readonly #folder: vscode.Uri;
  readonly #sharedName: string;
  readonly #windows: OtherWindows;

  constructor(folder: vscode.Uri) {
    const windows: OtherWindows = {};
    const files = new VSCodeFiles(folder);
    const runExclusively = createLock(folder);
    super(
      () => files.listNames(),
      isInIndexedDb(folder)
        ? new IndexedDbFiles(files, runExclusively)
        : new ReplacedFiles(files, runExclusively),
      (name) => windows.channel?.postMessage(name),
    );
    this.#folder = folder;
    this.#sharedName = getSharedName(folder);
    this.#windows = windows;
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
    this.#windows.channel = channel;
    // VS Code looks for a missing folder every five seconds only.
    const watcher = startWatcher(vscode.workspace.fs.createDirectory(this.#folder), start, onError);
    return {
      started: watcher.started,
      dispose: () => {
        watcher.dispose();
        channel.close();
        delete this.#windows.channel;
      },
    };
  }
}

/** VS Code for the Web keeps the user's data in the browser's database. On the desktop, the same scheme is a disk. */
function isInIndexedDb({ scheme }: vscode.Uri): boolean {
  return scheme === 'vscode-userdata' && vscode.env.uiKind === vscode.UIKind.Web;
}

interface OtherWindows {
  /** Connects the windows that watch the folder. */
  channel?: InstanceType<typeof BroadcastChannel>;
}

/** `vscode.workspace.fs` for one folder. */
class VSCodeFiles implements FolderFiles {
  readonly #folder: vscode.Uri;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async listNames(): Promise<string[]> {
    const entries = (await unlessMissing(vscode.workspace.fs.readDirectory(this.#folder))) ?? [];
    return entries.map(([name]) => name);
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    const found = await unlessMissing(vscode.workspace.fs.stat(this.#uri(name)));
    return found && { name, size: found.size, mtime: found.mtime };
  }

  async readFile(name: string): Promise<Uint8Array | undefined> {
    return await unlessMissing(vscode.workspace.fs.readFile(this.#uri(name)));
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    await vscode.workspace.fs.writeFile(this.#uri(name), bytes);
  }

  renameFile(from: string, to: string, overwrite: boolean): Promise<boolean> {
    return succeeds(vscode.workspace.fs.rename(this.#uri(from), this.#uri(to), { overwrite }));
  }

  removeFile(name: string): Promise<boolean> {
    return succeeds(vscode.workspace.fs.delete(this.#uri(name)));
  }

  #uri(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, name);
  }
}

const getSharedName = (folder: vscode.Uri) => `parley ${folder.toString()}`;

/**
 * Returns a function that runs work under a file's lock, which windows share if there is `navigator.locks`, or else in
 * this window only.
 */
function createLock(folder: vscode.Uri): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const mutex = new Mutex();
  return (name, work) => {
    const { navigator } = globalThis as { navigator?: { locks?: Locks } };
    const lockName = getSharedName(vscode.Uri.joinPath(folder, name));
    return navigator?.locks ? navigator.locks.request(lockName, work) : mutex.run(work);
  };
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
