import * as vscode from 'vscode';

/** A file system in memory that reports no changes, so that VS Code's watchers stay silent. */
export class SilentFileSystem implements vscode.FileSystemProvider {
  readonly #files = new Map<string, { bytes: Uint8Array; mtime: number }>();
  readonly #folders = new Set<string>();
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  /** The number of bytes that were read and written. */
  transferred = 0;

  /** The names of all files, with their lengths. */
  get lengths(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#files].map(([path, { bytes }]) => [path.slice(path.lastIndexOf('/') + 1), bytes.length]),
    );
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(path);
    if (file) return { type: vscode.FileType.File, ctime: 0, mtime: file.mtime, size: file.bytes.length };
    if (!this.#folders.has(path) && path !== '/') throw vscode.FileSystemError.FileNotFound();
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const names = [...this.#files.keys()].filter((each) => each.startsWith(`${path}/`));
    return names.map((each) => [each.slice(path.length + 1), vscode.FileType.File]);
  }

  createDirectory({ path }: vscode.Uri): void {
    this.#folders.add(path);
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const file = this.#files.get(path);
    if (!file) throw vscode.FileSystemError.FileNotFound();
    this.transferred += file.bytes.length;
    return file.bytes;
  }

  writeFile({ path }: vscode.Uri, bytes: Uint8Array): void {
    this.transferred += bytes.length;
    this.#files.set(path, { bytes, mtime: Date.now() });
  }

  delete({ path }: vscode.Uri): void {
    if (!this.#files.delete(path)) throw vscode.FileSystemError.FileNotFound();
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { readonly overwrite: boolean }): void {
    const file = this.#files.get(from.path);
    if (!file) throw vscode.FileSystemError.FileNotFound();
    if (this.#files.has(to.path) && !overwrite) throw vscode.FileSystemError.FileExists();
    this.#files.delete(from.path);
    this.#files.set(to.path, file);
  }
}
