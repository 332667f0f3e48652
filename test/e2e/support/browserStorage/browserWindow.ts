import type { FolderFiles } from '../../../../src/chat/store/files/folderFiles';
import type { FileInfo } from '../../../../src/chat/store/files/storage';
import { Fault } from '../../../chat/store/support/crashWindow';
import type { Gate } from '../../../chat/store/support/vscodeFiles';
import type { Connection, MainThreadFiles, Uri, VSCodeModule } from './vscodeModule';

const SCHEME = 'vscode-userdata';
const STORE = 'vscode-userdata-store';
const FOLDER = '/User/globalStorage/parley.parley/conversations';

/**
 * How a transaction that writes fails. One that reads fails only because the browser has closed the database, for want of
 * the disk or because it clears its data. VS Code doesn't open it again, so everything fails until the window is reloaded.
 */
export type FailureKind = 'aborted' | 'quota' | 'closed';

/**
 * The files of a window of VS Code for the Web in the browser's database: VS Code's own code over a real database, down
 * to the messages between its window and the extension host, which are calls here. Each transaction is a step; where its
 * gate throws, the transaction itself fails.
 */
export class BrowserWindow implements FolderFiles {
  readonly #vscode: VSCodeModule;
  #hasFailed = false;
  #isClosed = false;
  readonly #opened: Promise<{ readonly files: MainThreadFiles; close(): void }>;

  constructor(vscode: VSCodeModule, databaseName: string, gate: Gate, getFailure: () => FailureKind) {
    this.#vscode = vscode;
    this.#opened = this.#open(databaseName, gate, getFailure);
  }

  /** Whether the browser has closed the database. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  async close(): Promise<void> {
    (await this.#opened).close();
  }

  async #open(name: string, gate: Gate, getFailure: () => FailureKind) {
    const { FileService, IndexedDB, IndexedDBFileSystemProvider, MainThreadFileSystem, NullLogService } =
      this.#vscode;
    // As in src/vs/workbench/browser/web.main.ts.
    const [connection, closed] = await Promise.all([
      IndexedDB.create(name, 3, [STORE]),
      openClosed(this.#vscode, name),
    ]);
    let isStarting = true;
    const gated: Connection = {
      runInTransaction: async (store, mode, request) => {
        try {
          if (!isStarting) await gate(mode, store);
        } catch {
          this.#hasFailed = true;
          const kind = mode === 'readonly' ? 'closed' : getFailure();
          if (kind !== 'closed') return await failTransaction(kind, connection, store, mode, request);
          this.#isClosed = true;
        }
        if (this.#isClosed) return await closed.runInTransaction(store, mode, request);
        return await connection.runInTransaction(store, mode, request);
      },
    };
    const provider = new IndexedDBFileSystemProvider(SCHEME, gated, STORE, true);
    const service = new FileService(new NullLogService());
    service.registerProvider(SCHEME, provider);
    const files = new MainThreadFileSystem(
      { getProxy: () => ({ $acceptProviderInfos: () => undefined }) },
      service,
    );
    // VS Code reads its settings before an extension runs.
    await provider.stat(this.#uri('')).catch(() => undefined);
    isStarting = false;
    return {
      files,
      close() {
        provider.dispose();
        connection.close();
      },
    };
  }

  async listNames(): Promise<string[]> {
    const entries = await this.#call((files) => files.$readdir(this.#uri('')));
    return (entries ?? []).map(([name]) => name);
  }

  async statFile(name: string): Promise<FileInfo | undefined> {
    const found = await this.#call((files) => files.$stat(this.#uri(name)));
    return found && { name, size: found.size, mtime: found.mtime };
  }

  async readFile(name: string): Promise<Uint8Array | undefined> {
    return (await this.#call((files) => files.$readFile(this.#uri(name))))?.buffer;
  }

  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    const content = this.#vscode.VSBuffer.wrap(bytes.slice());
    await this.#call((files) => files.$writeFile(this.#uri(name), content), true);
  }

  async renameFile(from: string, to: string, overwrite: boolean): Promise<boolean> {
    const done = this.#call(async (files) => {
      await files.$rename(this.#uri(from), this.#uri(to), { overwrite });
      return true;
    });
    return (await done) ?? false;
  }

  async removeFile(name: string): Promise<boolean> {
    const done = this.#call(async (files) => {
      await files.$delete(this.#uri(name), { recursive: false, useTrash: false, atomic: false });
      return true;
    });
    return (await done) ?? false;
  }

  #uri(name: string): Uri {
    return this.#vscode.URI.from({ scheme: SCHEME, path: name === '' ? FOLDER : `${FOLDER}/${name}` });
  }

  /** Returns undefined if the file is missing, as `webStorage.ts` does with what `extHostFileSystemConsumer.ts` throws. */
  async #call<T>(
    call: (files: MainThreadFiles) => Promise<T>,
    throwsMissing = false,
  ): Promise<T | undefined> {
    const { files } = await this.#opened;
    try {
      return await call(files);
    } catch (error) {
      const { name, message } = error as Error;
      if (name === 'EntryNotFound' && !throwsMissing) return;
      throw this.#hasFailed ? new Fault(`${name}: ${message}`) : error;
    }
  }
}

/** Opens a connection and closes it below VS Code's code, as a browser does that clears its data. */
async function openClosed({ IndexedDB }: VSCodeModule, name: string): Promise<Connection> {
  const connection = await IndexedDB.create(name, 3, [STORE]);
  (connection as unknown as { readonly database: IDBDatabase }).database.close();
  return connection;
}

/** Runs a transaction that fails, by VS Code's own code. */
async function failTransaction(
  kind: 'aborted' | 'quota',
  connection: Connection,
  ...[store, mode, request]: Parameters<Connection['runInTransaction']>
): Promise<unknown> {
  return await connection.runInTransaction(store, mode, (objectStore) => {
    if (kind === 'quota') throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    const made = request(objectStore);
    objectStore.transaction.abort();
    return made;
  });
}
