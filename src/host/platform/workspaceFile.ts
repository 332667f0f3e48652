import * as vscode from 'vscode';
import type { OpenedFile } from '../../chat/uploads';

/** A file of any file system that VS Code knows, read into memory: such file systems offer nothing smaller. */
export async function openWorkspaceFile(uri: vscode.Uri): Promise<OpenedFile> {
  const blob = new Blob([new Uint8Array(await vscode.workspace.fs.readFile(uri))]);
  return {
    body: { size: blob.size, open: () => blob },
    unchanged: async () => true,
    close: async () => undefined,
  };
}
