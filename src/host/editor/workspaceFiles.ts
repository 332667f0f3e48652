import * as vscode from 'vscode';
import { liesInWorkspace } from '../platform/workspacePlace';

/** The file of the workspace that a relative path names, if it is there. Never leads out of the workspace, by no link either. */
export async function findWorkspaceFile(path: string): Promise<vscode.Uri | undefined> {
  const parts = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[:\0]/.test(part)))
    return undefined;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    // A reply may name the file from above the folder, as VS Code does where there are several.
    for (const inside of parts[0] === folder.name ? [parts, parts.slice(1)] : [parts]) {
      const uri = vscode.Uri.joinPath(folder.uri, ...inside);
      if (await isFileInWorkspace(uri)) return uri;
    }
  }
  return undefined;
}

/** Those of the paths that are files of the workspace. */
export async function existingFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(findWorkspaceFile));
  return paths.filter((_, index) => found[index] !== undefined);
}

/** Opens a file of the workspace at a line, from 1; a path that names none does nothing. */
export async function openWorkspaceFile(path: string, line = 1): Promise<void> {
  const uri = await findWorkspaceFile(path);
  if (!uri) return;
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
}

async function isFileInWorkspace(uri: vscode.Uri): Promise<boolean> {
  try {
    const isFile = ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
    return isFile && (await liesInWorkspace(uri));
  } catch {
    return false;
  }
}
