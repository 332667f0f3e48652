import { type GitConfig, parseGitConfig } from './gitConfig';

/** Larger files of Git aren't read. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The files that Git's rules and settings are read from, by absolute path with `/`, as in a URI: `/home/me` or `/c:/me`. */
export interface GitFiles {
  /** Resolves to undefined if there is nothing, or neither a folder nor a regular file. */
  getType(path: string): Promise<'file' | 'folder' | undefined>;
  /** Rejects if the file can't be read or is larger. */
  readText(path: string, maxBytes: number): Promise<string>;
}

/** Git's folders of a working tree. */
export interface GitFolders {
  /** The root of the working tree; empty for that at the top. */
  readonly root: string;
  /** Has the `HEAD` of this working tree. */
  readonly own: string;
  /** Has the `config` and the `info/exclude` of the repository, which linked worktrees share. */
  readonly shared: string;
}

/** Finds the repository that a folder is in. */
export async function findRepository(files: GitFiles, folder: string): Promise<GitFolders | undefined> {
  let root: string | undefined = folder.replace(/\/$/, '');
  for (; root !== undefined; root = getParent(root)) {
    const found = await findGitFolders(files, root);
    if (found) return found === 'unknown' ? undefined : found;
  }
  return undefined;
}

/**
 * Returns the folders of the repository whose root this is; undefined if there is no `.git`, or `unknown` if they can't be found. A
 * linked worktree and a submodule have a file `.git` that names them.
 */
export async function findGitFolders(
  files: GitFiles,
  root: string,
): Promise<GitFolders | 'unknown' | undefined> {
  const git = `${root}/.git`;
  const type = await files.getType(git);
  if (!type) return undefined;
  if (type === 'folder') return { root, own: git, shared: git };
  const own = await readLink(files, git, root, /^gitdir: ([^\r\n]+)/);
  if (own === undefined) return 'unknown';
  const shared = await readLink(files, `${own}/commondir`, own, /^([^\r\n]+)/);
  return { root, own, shared: shared ?? own };
}

/** Reads a file with Git's settings; without any if it can't be read. */
export async function readGitConfig(files: GitFiles, path: string): Promise<GitConfig> {
  return parseGitConfig((await readGitFile(files, path)) ?? '');
}

/** Reads a file of Git; undefined if it isn't there, is too large, or isn't a regular file. */
export async function readGitFile(files: GitFiles, path: string): Promise<string | undefined> {
  if ((await files.getType(path)) !== 'file') return undefined;
  return files.readText(path, MAX_FILE_BYTES).catch(() => undefined);
}

/** Reads a path from a file; undefined if there is none. */
async function readLink(
  files: GitFiles,
  file: string,
  base: string,
  line: RegExp,
): Promise<string | undefined> {
  const path = line.exec((await readGitFile(files, file)) ?? '')?.[1];
  return path === undefined ? undefined : resolvePath(base, path);
}

/** Returns a path that a file of Git has; undefined for one of another computer, which would get the user's credentials. */
export function resolvePath(base: string, written: string): string | undefined {
  const path = written.replaceAll('\\', '/');
  if (path.startsWith('//')) return undefined;
  if (/^[a-z]:\//i.test(path)) return `/${path}`;
  return path.startsWith('/') ? path : `${base}/${path}`;
}

/** Returns the folder that a path is in: empty for that at the top, which is in none. */
export function getParent(path: string): string | undefined {
  const end = path.lastIndexOf('/');
  return end < 0 ? undefined : path.slice(0, end);
}
