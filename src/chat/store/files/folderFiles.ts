import type { FileInfo } from './storage';

/**
 * A folder in one of VS Code's file systems, with the operations of `vscode.workspace.fs`. A missing file is `undefined`
 * or false; throws other errors of the file system.
 */
export interface FolderFiles {
  listNames(): Promise<string[]>;
  statFile(name: string): Promise<FileInfo | undefined>;
  readFile(name: string): Promise<Uint8Array | undefined>;
  writeFile(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Deletes a file that has the new name, and then renames: a failure in between leaves neither. Without `overwrite`, throws
   * if there is one.
   */
  renameFile(from: string, to: string, overwrite: boolean): Promise<boolean>;
  removeFile(name: string): Promise<boolean>;
}
