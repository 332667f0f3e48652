import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns a folder below `.vscode-test`, which git ignores, for temporary profiles and results. */
export function getCacheDir(...names: string[]): string {
  return path.join(repositoryRoot, '.vscode-test', ...names);
}

/** Returns a folder in the user's cache, which all clones share; `PARLEY_CACHE_DIR` overrides it. */
export function getSharedCacheDir(...names: string[]): string {
  return path.join(process.env.PARLEY_CACHE_DIR ?? path.join(findUserCache(), 'parley'), ...names);
}

/** Returns the folder that the platform has for data of a user that programs can make again. */
export function findUserCache(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches');
  // A relative path is invalid by the XDG specification, and to be ignored.
  return XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : path.join(homedir(), '.cache');
}
