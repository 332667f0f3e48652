import * as vscode from 'vscode';
import { splitRelativePath } from '../../chat/text/fileName';
import { isFileInWorkspace } from '../platform/workspacePlace';

/**
 * Finds a workspace file by its relative path. Never returns a file outside the workspace, not even by a
 * link.
 */
export async function findWorkspaceFile(path: string): Promise<vscode.Uri | undefined> {
  const parts = splitRelativePath(path);
  if (!parts) return;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    // The path may begin with the folder's name, as in VS Code's multi-root workspaces.
    for (const inside of parts[0] === folder.name ? [parts, parts.slice(1)] : [parts]) {
      const uri = vscode.Uri.joinPath(folder.uri, ...inside);
      if (await isFileInWorkspace(uri)) return uri;
    }
  }
  return undefined;
}

/** Returns the paths that are workspace files. */
export async function filterExistingFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(findWorkspaceFile));
  return paths.filter((_, index) => found[index] !== undefined);
}

/** Shows a workspace file at a line, starting at 1; does nothing if there is no such file. */
export async function showWorkspaceFile(path: string, line = 1): Promise<void> {
  const uri = await findWorkspaceFile(path);
  if (!uri) return;
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(position, position) });
}
