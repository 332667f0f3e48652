export interface FileInfo {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** ms since the epoch, with fractions where the file system has them. */
  readonly mtime: number;
}

/** A write that did not go through: the disk is full, the folder is read-only. `cause` is the file system's error. */
export class AppendError extends Error {
  override readonly name = 'AppendError';
  /** Bytes that are in the file all the same: all of them, where only making them durable failed. */
  readonly written: number;

  constructor(name: string, written: number, cause: unknown) {
    super(`Appending to ${name} failed`, { cause });
    this.written = written;
  }
}

/** One folder of files. Throws what the file system says; a file that isn't there is an answer, not an error. */
export interface Storage {
  list(): Promise<FileInfo[]>;
  stat(name: string): Promise<FileInfo | undefined>;
  /** Bytes `from` to before `to`, fewer where the file ends earlier. */
  read(name: string, from?: number, to?: number): Promise<Uint8Array | undefined>;
  /**
   * Adds bytes at the end of a file, and resolves to what it is then; `durable`: once they would survive a loss of power.
   * `create`: a file that isn't there is made; else the answer is undefined. Throws AppendError.
   */
  append(
    name: string,
    bytes: Uint8Array,
    options: { readonly durable: boolean; readonly create: boolean },
  ): Promise<FileInfo | undefined>;
  /** Writes the file anew or for the first time: readers see the old bytes or the new ones, never a part. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /** Makes a file that isn't there yet; false where it is. Of several windows that try at once, one succeeds. */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Sets the file's mtime to now. False where there is no such file, and for the two below. */
  touch(name: string): Promise<boolean>;
  rename(from: string, to: string): Promise<boolean>;
  remove(name: string): Promise<boolean>;
  /** Tells which file may have changed, by this window or another; once `onError` was called, no more. */
  watch(onChange: (name: string) => void, onError: (error: unknown) => void): { dispose(): void };
}
