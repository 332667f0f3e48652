import * as vscode from 'vscode';
import { openBytes } from './openBytes';
import { type FoundFile, HEAD_BYTES } from './platform';

/** A file of any file system that VS Code knows, read into memory: such file systems offer nothing smaller. */
export async function openWorkspaceFile(uri: vscode.Uri): Promise<FoundFile> {
  const before = await vscode.workspace.fs.stat(uri);
  const bytes = new Uint8Array(await vscode.workspace.fs.readFile(uri));
  return {
    ...openBytes(bytes),
    realUri: uri,
    head: bytes.slice(0, HEAD_BYTES),
    async unchanged() {
      try {
        const now = await vscode.workspace.fs.stat(uri);
        return now.size === before.size && now.mtime === before.mtime;
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
        throw error;
      }
    },
  };
}
