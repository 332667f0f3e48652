import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's top folder. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A folder below `.vscode-test`, where throw-away profiles and results live and git doesn't look. */
export function cacheDir(...names: string[]): string {
  return path.join(repositoryRoot, '.vscode-test', ...names);
}

/** A folder in the user's cache, for what all clones share; `PARLEY_CACHE_DIR` names another one. */
export function sharedCacheDir(...names: string[]): string {
  return path.join(process.env.PARLEY_CACHE_DIR ?? path.join(findUserCache(), 'parley'), ...names);
}

function findUserCache(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches');
  return XDG_CACHE_HOME || path.join(homedir(), '.cache');
}
