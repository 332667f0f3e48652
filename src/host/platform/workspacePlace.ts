import * as vscode from 'vscode';
import { platform } from '#platform';
import type { Workspace } from '../../shared/view/viewModel';
import { getPathInFolder, isInFolder } from './folderPaths';

/** Returns the workspace of this window, or its folder, as new conversations store it. */
export function getWorkspace(): Workspace | undefined {
  const { workspaceFile, workspaceFolders, name } = vscode.workspace;
  const uri = workspaceFile ?? workspaceFolders?.[0]?.uri;
  return uri && { id: uri.toString(), name: name ?? '' };
}

/** Returns whether a file is reached through a link or is outside the workspace. */
export async function findPlaceConcerns(
  uri: vscode.Uri,
  realUri: vscode.Uri,
): Promise<('link' | 'outside')[]> {
  if (uri.scheme === 'untitled') return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const realFolders = await Promise.all(folders.map((folder) => platform.realUri(folder.uri)));
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const realFolder = folder && realFolders[folders.indexOf(folder)];
  const place = folder && getPathInFolder(folder.uri, uri);
  const expected = realFolder && place !== undefined ? vscode.Uri.joinPath(realFolder, place) : uri;
  const isLink = realUri.path !== expected.path || (await hasLink(uri));
  const isInside = realFolders.some((inside) => isInFolder(inside, realUri));
  // If the file system can't resolve links, any link may lead outside.
  const leadsOut = !isInside || (isLink && realUri.scheme !== 'file');
  return [...(isLink ? ['link' as const] : []), ...(leadsOut ? ['outside' as const] : [])];
}

/**
 * Returns whether a file is in the workspace after resolving symbolic links. Throws the file system's error.
 */
export async function isInWorkspace(uri: vscode.Uri): Promise<boolean> {
  return !(await findPlaceConcerns(uri, await platform.realUri(uri))).includes('outside');
}

/** Returns whether there is a regular file in the workspace, after resolving symbolic links. */
export async function isFileInWorkspace(uri: vscode.Uri): Promise<boolean> {
  try {
    const isFile = ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
    return isFile && (await isInWorkspace(uri));
  } catch {
    return false;
  }
}

/**
 * Reads a text file of the workspace; undefined if there is none, if a link moves it out of the workspace, or if it is larger
 * than `maxBytes`.
 */
export async function readWorkspaceText(uri: vscode.Uri, maxBytes: number): Promise<string | undefined> {
  try {
    if (!(await isInWorkspace(uri))) return;
    if ((await vscode.workspace.fs.stat(uri)).size > maxBytes) return;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length > maxBytes ? undefined : new TextDecoder().decode(bytes);
  } catch {
    // What can't be read is left out: most workspaces don't have the files that are looked for.
    return;
  }
}

/**
 * Returns whether a path has a link below the workspace folder, in a file system that can't resolve links.
 */
async function hasLink(uri: vscode.Uri): Promise<boolean> {
  const top = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!top || uri.scheme === 'file') return false;
  for (
    let current = uri;
    current.path.length > top.path.length;
    current = vscode.Uri.joinPath(current, '..')
  ) {
    if ((await vscode.workspace.fs.stat(current)).type & vscode.FileType.SymbolicLink) return true;
  }
  return false;
}
