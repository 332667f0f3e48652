export interface FileInfo {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** ms since the epoch, with fractions if the file system supports them. */
  readonly mtime: number;
}

/** A failed append: the disk is full, the folder is read-only. `cause` is the file system's error. */
export class AppendError extends Error {
  override readonly name = 'AppendError';
  /** Bytes that were written nevertheless: all of them if only making them durable failed. */
  readonly written: number;

  constructor(name: string, written: number, cause: unknown) {
    super(`Appending to ${name} failed`, { cause });
    this.written = written;
  }
}

/**
 * One folder of files. Throws file system errors, except for missing files, which every method reports
 * otherwise.
 */
export interface Storage {
  listFiles(): Promise<FileInfo[]>;
  /**
   * Returns the names of all files, which takes much less than `list`. Completes what a window was writing when it
   * crashed or was reloaded.
   */
  listNames(): Promise<string[]>;
  statFile(name: string): Promise<FileInfo | undefined>;
  /** Reads bytes `from` (inclusive) to `to` (exclusive), fewer if the file ends earlier. */
  readFile(name: string, from?: number, to?: number): Promise<Uint8Array | undefined>;
  /**
   * Appends bytes to a file and resolves to its new state; with `durable`, only once they would survive a
   * power loss. `create` creates a missing file; otherwise the result is undefined. Throws AppendError.
   */
  appendFile(
    name: string,
    bytes: Uint8Array,
    options: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined>;
  /** Creates or replaces a file atomically: readers see either the old bytes or the new ones. */
  replaceFile(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Creates a file; returns false if it exists. If several windows try at the same time, exactly one
   * succeeds.
   */
  createFile(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Sets the file's mtime to now. Returns false if there is no such file, as do the two below. */
  touchFile(name: string): Promise<boolean>;
  renameFile(from: string, to: string): Promise<boolean>;
  removeFile(name: string): Promise<boolean>;
  /**
   * Reports names of files that may have changed, in this window or another. Stops after calling `onError`.
   */
  watch(onChange: (name: string) => void, onError: (error: unknown) => void): StorageWatcher;
}

export interface StorageWatcher {
  /** Resolves once changes are reported, or `onError` was called; what is read before may change unnoticed. */
  readonly started: Promise<void>;
  dispose(): void;
}
