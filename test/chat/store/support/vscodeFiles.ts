import type { FolderFiles } from '../../../../src/chat/store/files/folderFiles';
import { IndexedDbFiles, settles } from '../../../../src/chat/store/files/indexedDbFiles';
import { ReplacedFiles } from '../../../../src/chat/store/files/replacedFiles';
import type { FileInfo, Storage } from '../../../../src/chat/store/files/storage';
import { WholeFileStorage } from '../../../../src/chat/store/files/wholeFileStorage';

/** Decides about each step of a file system: waits, throws the file system's error, or never returns. */
export type Gate = (operation: string, name: string) => Promise<void>;

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/** What survives all windows. */
export type Disk = Map<string, StoredFile>;

/**
 * VS Code's `Throttler` (`src/vs/base/common/async.ts`): runs one task at a time; of those that wait, the last one runs for
 * all. If that one fails, those who wait for it never get an answer.
 */
class Throttler {
  #active: Promise<void> | undefined;
  #next: () => Promise<void> = async () => undefined;
  #waiting: Promise<void> | undefined;

  queue(task: () => Promise<void>): Promise<void> {
    if (!this.#active) {
      const active = task().finally(() => {
        this.#active = undefined;
      });
      this.#active = active;
      return active;
    }
    this.#next = task;
    const start = () => {
      this.#waiting = undefined;
      return this.queue(this.#next);
    };
    const active = this.#active;
    this.#waiting ??= new Promise((resolve) => active.then(start, start).then(resolve, () => undefined));
    return this.#waiting;
  }
}

/**
 * VS Code's `FileService` over `IndexedDBFileSystemProvider`, as in the sources of VS Code 1.139
 * (`src/vs/platform/files/common/fileService.ts` and `../browser/indexedDBFileSystemProvider.ts`): each transaction is a
 * step. A window has one for itself.
 */
class IndexedDbFileService implements FolderFiles {
  readonly #disk: Disk;
  readonly #gate: Gate;
  /** `cachedFiletree`: what this window knows. */
  #tree: Map<string, number> | undefined;
  readonly #mtimes = new Map<string, number>();
  /** `fileWriteBatch` */
  readonly #batch: [name: string, bytes: Uint8Array][] = [];
  /** `writeManyThrottler` */
  readonly #throttler = new Throttler();

  constructor(disk: Disk, gate: Gate) {
    this.#disk = disk;
    this.#gate = gate;
  }

  async listNames(): Promise<string[]> {
    return [...(await this.#getTree()).keys()];
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    const tree = await this.#getTree();
    if (!tree.has(name)) return;
    const size = tree.get(name) ?? -1;
    const mtime = this.#mtimes.get(name) ?? 0;
    if (size >= 0) return { name, size, mtime };
    // `size ?? (await this.readFile(resource)).byteLength`
    const bytes = await this.#readFile(name);
    return bytes && { name, size: bytes.length, mtime };
  }

  async readFile(name: string): Promise<Uint8Array | undefined> {
    // `doReadFileStream`: validated with `stat` and read at the same time; either may fail.
    const [known, bytes] = await Promise.all([this.statFile(name), this.#readFile(name)]);
    return known && bytes;
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    // `bulkWrite`
    this.#batch.push([name, bytes]);
    await this.#throttler.queue(() => this.#writeMany());
    await this.#remember(name, bytes.length);
    this.#mtimes.set(name, Date.now());
  }

  async renameFile(from: string, to: string, overwrite: boolean): Promise<boolean> {
    // `doMoveCopy`
    if (await this.statFile(to)) {
      if (!overwrite) throw new Error('FileExists');
      await this.removeFile(to);
    }
    // `rename` of the provider
    if (!(await this.#getTree()).has(from)) return false;
    await this.#gate('get', from);
    const found = this.#disk.get(from);
    if (found) await this.writeFile(to, found.bytes);
    await this.removeFile(from);
    return true;
  }

  async removeFile(name: string): Promise<boolean> {
    // `doValidateDelete`
    if (!(await this.statFile(name))) return false;
    await this.#gate('delete', name);
    this.#disk.delete(name);
    (await this.#getTree()).delete(name);
    this.#mtimes.delete(name);
    return true;
  }

  /** Puts all files that wait, in one transaction. */
  async #writeMany(): Promise<void> {
    const files = this.#batch.splice(0);
    if (files.length === 0) return;
    await this.#gate('put', files.map(([name]) => name).join());
    for (const [name, bytes] of files) this.#disk.set(name, { bytes, mtime: 0 });
  }

  async #getTree(): Promise<Map<string, number>> {
    if (!this.#tree) {
      await this.#gate('getAllKeys', '');
      this.#tree ??= new Map([...this.#disk.keys()].map((name) => [name, -1]));
    }
    return this.#tree;
  }

  async #readFile(name: string): Promise<Uint8Array | undefined> {
    await this.#gate('get', name);
    const found = this.#disk.get(name);
    if (found) await this.#remember(name, found.bytes.length);
    return found?.bytes;
  }

  async #remember(name: string, size: number): Promise<void> {
    (await this.#getTree()).set(name, size);
  }
}

/** VS Code's `FileService` over the disk of a server: each request is a step, and a written file may be incomplete. */
class DiskFileService implements FolderFiles {
  readonly #disk: Disk;
  readonly #gate: Gate;

  constructor(disk: Disk, gate: Gate) {
    this.#disk = disk;
    this.#gate = gate;
  }

  async listNames(): Promise<string[]> {
    await this.#gate('readdir', '');
    return [...this.#disk.keys()];
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    await this.#gate('stat', name);
    const found = this.#disk.get(name);
    return found && { name, size: found.bytes.length, mtime: found.mtime };
  }

  async readFile(name: string): Promise<Uint8Array | undefined> {
    await this.#gate('readFile', name);
    return this.#disk.get(name)?.bytes;
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    // Opened, which empties it, and then written.
    await this.#gate('open', name);
    this.#disk.set(name, { bytes: new Uint8Array(), mtime: Date.now() });
    await this.#gate('write', name);
    this.#disk.set(name, { bytes: bytes.subarray(0, bytes.length / 2), mtime: Date.now() });
    await this.#gate('write', name);
    this.#disk.set(name, { bytes, mtime: Date.now() });
  }

  async renameFile(from: string, to: string, overwrite: boolean): Promise<boolean> {
    // `doMoveCopy`, which doesn't look for the source.
    if (await this.statFile(to)) {
      if (!overwrite) throw new Error('FileExists');
      await this.removeFile(to);
    }
    await this.#gate('rename', from);
    const found = this.#disk.get(from);
    if (!found) return false;
    this.#disk.delete(from);
    this.#disk.set(to, found);
    return true;
  }

  async removeFile(name: string): Promise<boolean> {
    if (!(await this.statFile(name))) return false;
    await this.#gate('unlink', name);
    return this.#disk.delete(name);
  }
}

/** The lock manager that the windows of a browser share: a window that ends loses its locks. */
export class SharedLocks {
  readonly #queues = new Map<string, { readonly window: object; run(): void }[]>();
  readonly #ended = new WeakSet<object>();

  async request<T>(window: object, name: string, work: () => Promise<T>): Promise<T> {
    if (this.#ended.has(window)) await new Promise(() => undefined);
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    const granted = new Promise<void>((resolve) => queue.push({ window, run: resolve }));
    if (queue.length === 1) queue[0]?.run();
    await granted;
    try {
      return await work();
    } finally {
      queue.shift();
      queue[0]?.run();
    }
  }

  endWindow(window: object): void {
    this.#ended.add(window);
    for (const [name, queue] of this.#queues) {
      const wasHeld = queue[0]?.window === window;
      const left = queue.filter((request) => request.window !== window);
      queue.splice(0, queue.length, ...left);
      if (wasHeld) queue[0]?.run();
      if (queue.length === 0) this.#queues.delete(name);
    }
  }
}

/** The file systems of VS Code that Parley's storage is used with in a web worker. */
export type FileSystemKind = 'IndexedDB' | 'a server’s disk';

/** Returns the model of a window's file system. */
export function openModel(kind: FileSystemKind, disk: Disk, gate: Gate): FolderFiles {
  return kind === 'IndexedDB' ? new IndexedDbFileService(disk, gate) : new DiskFileService(disk, gate);
}

/** A window's storage in one of VS Code's file systems, which hears of its own changes only. */
export class VSCodeStorage extends WholeFileStorage implements Storage {
  readonly #listeners: Set<(name: string) => void>;

  /** `window` is the holder of this window's locks. */
  constructor(kind: FileSystemKind, folder: FolderFiles, locks: SharedLocks, window: object) {
    const runExclusively = <T>(name: string, work: () => Promise<T>) => locks.request(window, name, work);
    const listeners = new Set<(name: string) => void>();
    super(
      () => folder.listNames(),
      kind === 'IndexedDB'
        ? new IndexedDbFiles(folder, runExclusively, settles)
        : new ReplacedFiles(folder, runExclusively),
      (name) => {
        for (const listener of listeners) listener(name);
      },
    );
    this.#listeners = listeners;
  }

  watch(onChange: (name: string) => void): ReturnType<Storage['watch']> {
    this.#listeners.add(onChange);
    return { started: Promise.resolve(), dispose: () => this.#listeners.delete(onChange) };
  }
}
