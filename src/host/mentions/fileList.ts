import * as vscode from 'vscode';
import { baseName } from '../../chat/documents/uploadName';
import { filterByRank, getPathRank } from '../../shared/text/fuzzyMatch';
import { isBoundedGlob } from '../files/boundedGlob';
import { GitIgnore } from '../files/gitIgnore';
import { waitAtMost } from './waitAtMost';

/** More files than this are not listed: what else matches is searched for with each query. */
const MAX_LISTED_FILES = 20_000;
const MAX_FOUND_FILES = 500;
/** After this, files are no longer waited for. */
const SEARCH_LIMIT_MS = 10_000;
/** The best matches that are looked up in `.gitignore` files. */
const MAX_IGNORE_TESTS = 200;

/** A file or folder of the workspace. */
export interface ListedPath {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** The path of the folder that it is in, as VS Code shows it; empty at the top. */
  readonly folder: string;
}

/** The files and folders of the workspace when the list of mentions was opened, without excluded and ignored ones. */
export class FileList {
  readonly #maxFiles: number;
  readonly #gitIgnore = new GitIgnore();
  #paths:
    | Promise<{ files: readonly ListedPath[]; folders: readonly ListedPath[]; isWhole: boolean }>
    | undefined;
  #isListed = false;

  constructor(maxFiles = MAX_LISTED_FILES) {
    this.#maxFiles = maxFiles;
  }

  /** Whether `find` doesn't have to wait for VS Code's search. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Finds the files and folders that match best. */
  async find(
    query: string,
    limits: { readonly files: number; readonly folders: number },
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly ListedPath[]; readonly folders: readonly ListedPath[] }> {
    this.#paths ??= this.#list();
    let { files, folders, isWhole } = await this.#paths;
    if (!isWhole && query !== '' && !signal.aborted) {
      const found = toListedPaths(await findFiles(createGlob(query), MAX_FOUND_FILES, signal));
      files = mergePaths(files, found);
      folders = mergePaths(folders, getFolders(found));
    }
    return {
      files: await this.#select(files, query, limits.files, false),
      folders: query === '' ? [] : await this.#select(folders, query, limits.folders, true),
    };
  }

  async #list() {
    const uris = await findFiles('**/*', this.#maxFiles);
    const files = toListedPaths(uris);
    this.#isListed = true;
    return { files, folders: getFolders(files), isWhole: uris.length < this.#maxFiles };
  }

  /** Returns the best matches that Git doesn't ignore. */
  async #select(
    paths: readonly ListedPath[],
    query: string,
    limit: number,
    areFolders: boolean,
  ): Promise<readonly ListedPath[]> {
    const selected: ListedPath[] = [];
    const ranked = filterByRank(paths, ({ name, folder }) => getPathRank(name, folder, query));
    for (const path of ranked.slice(0, MAX_IGNORE_TESTS)) {
      if (selected.length === limit) break;
      if (!(await this.#gitIgnore.ignores(path.uri, areFolders))) selected.push(path);
    }
    return selected;
  }
}

/** Finds files with VS Code's search, without those that its settings exclude. */
async function findFiles(
  glob: string,
  maxFiles: number,
  signal?: AbortSignal,
): Promise<readonly vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const search = vscode.workspace.findFiles(glob, createExcludeGlob(), maxFiles, source.token);
    return (await waitAtMost(search, SEARCH_LIMIT_MS)) ?? [];
  } finally {
    source.cancel();
    signal?.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Creates a glob from `search.exclude`. VS Code itself adds `files.exclude`. */
function createExcludeGlob(): string | undefined {
  const setting = vscode.workspace.getConfiguration('search').get<Record<string, unknown>>('exclude') ?? {};
  const globs = Object.entries(setting)
    // Braces within braces are not supported.
    .filter(([glob, on]) => on === true && isBoundedGlob(glob) && !/[{},]/.test(glob))
    .map(([glob]) => glob);
  return globs.length === 0 ? undefined : `{${globs.join(',')}}`;
}

/** Creates a glob for the names that have all letters and digits of a query in order, ignoring case. */
function createGlob(query: string): string {
  const name = query.slice(query.lastIndexOf('/') + 1);
  const characters = [...name].map((character) => {
    const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
    return /^[\p{L}\p{N}]$/u.test(character)
      ? `[${[...cases].filter((one) => [...one].length === 1).join('')}]`
      : '?';
  });
  return `**/*${characters.map((character) => `${character}*`).join('')}`;
}

/** Returns the paths of files, those with the fewest folders first. */
function toListedPaths(uris: readonly vscode.Uri[]): readonly ListedPath[] {
  return uris
    .map((uri) => {
      const path = vscode.workspace.asRelativePath(uri);
      return { path, depth: path.split('/').length, ...toListedPath(uri, path) };
    })
    .sort((a, b) => a.depth - b.depth || (a.path < b.path ? -1 : 1));
}

export function toListedPath(uri: vscode.Uri, path = vscode.workspace.asRelativePath(uri)): ListedPath {
  return { uri, name: baseName(uri.path), folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))) };
}

/** Returns the folders that files are in, and those above them. */
function getFolders(files: readonly ListedPath[]): readonly ListedPath[] {
  const folders = new Map<string, ListedPath>();
  for (const file of files) {
    for (let inside = file; inside.folder !== '' && !folders.has(inside.folder); ) {
      const folder = toListedPath(vscode.Uri.joinPath(inside.uri, '..'), inside.folder);
      folders.set(inside.folder, folder);
      inside = folder;
    }
  }
  return [...folders.values()];
}

function mergePaths(paths: readonly ListedPath[], others: readonly ListedPath[]): readonly ListedPath[] {
  return [...new Map([...paths, ...others].map((path) => [path.uri.toString(), path])).values()];
}
