import type { Uri } from 'vscode';

/**
 * Returns the path from a folder to a file in it, without a slash at its beginning; empty for the folder itself, undefined
 * for a file elsewhere. Compares paths as they are written: both must be real paths, or both as VS Code lists them.
 */
export function getPathInFolder(folder: Uri, uri: Uri): string | undefined {
  if (uri.scheme !== folder.scheme || uri.authority !== folder.authority) return undefined;
  // The folder may be the root of its file system.
  const start = normalizePath(folder.path).replace(/\/?$/, '/');
  const path = normalizePath(uri.path);
  if (`${path}/` === start) return '';
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** Returns whether a file is in a folder or its subfolders, or is the folder. */
export function isInFolder(folder: Uri, uri: Uri): boolean {
  return getPathInFolder(folder, uri) !== undefined;
}

/** Writes a Windows drive in lower case, as VS Code does, and the root of a file system as `/`. */
function normalizePath(path: string): string {
  return path === '' ? '/' : path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}
