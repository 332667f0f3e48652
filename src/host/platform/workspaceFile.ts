import * as vscode from 'vscode';
import { FileChangedError } from '../../chat/model/failure';
import { hashBytes } from './openBytes';
import { type FoundFile, HEAD_BYTES } from './platform';

/**
 * A file of any file system that VS Code knows. Such file systems only read whole files: it is read once to be looked at and once
 * more to be sent, so that a folder's files are not all in memory while the person is asked; others than those that were looked at
 * are not sent.
 */
export async function openWorkspaceFile(uri: vscode.Uri): Promise<FoundFile> {
  const before = await vscode.workspace.fs.stat(uri);
  const { head, size, sha256 } = await inspect(uri);
  return {
    realUri: uri,
    head,
    body: {
      size,
      async open() {
        const bytes = await read(uri);
        if ((await hashBytes(bytes)) !== sha256) throw new FileChangedError(uri.path);
        return new Blob([bytes]);
      },
    },
    sha256: async () => sha256,
    async unchanged() {
      try {
        const now = await vscode.workspace.fs.stat(uri);
        return now.size === before.size && now.mtime === before.mtime;
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
        throw error;
      }
    },
    close: async () => undefined,
  };
}

async function inspect(uri: vscode.Uri): Promise<{ head: Uint8Array; size: number; sha256: string }> {
  const bytes = await read(uri);
  return { head: bytes.slice(0, HEAD_BYTES), size: bytes.length, sha256: await hashBytes(bytes) };
}

async function read(uri: vscode.Uri): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await vscode.workspace.fs.readFile(uri));
}
