import * as vscode from 'vscode';
import { FileChangedError } from '../../chat/model/failure';
import { hashBytes } from './openBytes';
import { type FoundFile, HEAD_BYTES } from './platform';

/**
 * Opens a file in any of VS Code's file systems. These can only read whole files: it is read once for
 * inspection and again for sending, so that a folder's files are not all in memory while the user is asked.
 * If the content has changed in between, it is not sent.
 */
export async function readWorkspaceFile(uri: vscode.Uri): Promise<FoundFile> {
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
