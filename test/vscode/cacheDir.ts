import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's top folder. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A folder below `.vscode-test`, where downloads and throw-away profiles live and git doesn't look. */
export function cacheDir(...names: string[]): string {
  return path.join(repositoryRoot, '.vscode-test', ...names);
}
