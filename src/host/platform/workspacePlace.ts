import * as vscode from 'vscode';
import { platform } from '#platform';

/** Whether a file lies elsewhere than its path says, or outside the workspace. */
export async function findPlaceConcerns(
  uri: vscode.Uri,
  realUri: vscode.Uri,
): Promise<('link' | 'outside')[]> {
  if (uri.scheme === 'untitled') return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const realFolders = await Promise.all(folders.map((folder) => platform.realUri(folder.uri)));
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const realFolder = folder && realFolders[folders.indexOf(folder)];
  const expected = folder && realFolder ? realFolder.path + uri.path.slice(folder.uri.path.length) : uri.path;
  const isLink = realUri.path !== expected || (await leadsThroughLink(uri));
  const isInside = realFolders.some(
    (each) =>
      each.scheme === realUri.scheme &&
      each.authority === realUri.authority &&
      realUri.path.startsWith(`${each.path}/`),
  );
  // Where a file system does not tell where its links lead, any may lead outside.
  const leadsOut = !isInside || (isLink && realUri.scheme !== 'file');
  return [...(isLink ? ['link' as const] : []), ...(leadsOut ? ['outside' as const] : [])];
}

/** Whether a file of the workspace really lies in it, links resolved. Throws what the file system says. */
export async function liesInWorkspace(uri: vscode.Uri): Promise<boolean> {
  return !(await findPlaceConcerns(uri, await platform.realUri(uri))).includes('outside');
}

/** Whether a path has a link in it, below the workspace's folder, in a file system that does not say where links lead. */
async function leadsThroughLink(uri: vscode.Uri): Promise<boolean> {
  const top = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!top || uri.scheme === 'file') return false;
  for (let at = uri; at.path.length > top.path.length; at = vscode.Uri.joinPath(at, '..')) {
    if ((await vscode.workspace.fs.stat(at)).type & vscode.FileType.SymbolicLink) return true;
  }
  return false;
}
