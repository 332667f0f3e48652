import * as vscode from 'vscode';
import { getPathInFolder } from '../platform/folderPaths';
import {
  type GitPattern,
  MatchSteps,
  matchesGitPattern,
  parseGitPatterns,
  TooManyStepsError,
} from './gitPattern';

/** Of all files that apply to a folder. With more, everything in the folder counts as ignored. */
const MAX_PATTERNS = 10_000;
/** Larger files aren't read: everything in their folder counts as ignored. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Of matching one path: some milliseconds. A path that takes more counts as ignored. */
const MAX_STEPS = 1_000_000;

interface PlacedPattern {
  readonly pattern: GitPattern;
  /** Number of the folders from the root to that of its file. */
  readonly depth: number;
}

interface Rules {
  /** The root of the repository, or the workspace folder if there is no repository. */
  readonly root: vscode.Uri;
  /** Number of the folders from the root. */
  readonly depth: number;
  /** The last one that matches decides. Undefined if some couldn't be read: then everything may be ignored. */
  readonly patterns: readonly PlacedPattern[] | undefined;
}

/**
 * Matches files that git ignores, by every `.gitignore` from the root of a repository down and its
 * `info/exclude`. Each file is read once. What may be ignored, because there are too many rules, counts as ignored.
 */
export class GitIgnore {
  readonly #rules = new Map<string, Promise<Rules | undefined>>();
  /** By the folder's URI. */
  readonly #ignoredFolders = new Map<string, Promise<boolean>>();

  async ignores(uri: vscode.Uri, isFolder = false): Promise<boolean> {
    const parent = getParent(uri);
    const rules = await this.#getRules(parent);
    if (!rules) return false;
    const place = getPathInFolder(rules.root, uri);
    if (!place) return false;
    // What is in an ignored folder is ignored, whatever other patterns say.
    if (rules.depth > 0 && (await this.#ignoresFolder(parent))) return true;
    if (!rules.patterns) return true;
    const path = place.split('/').map((name) => Array.from(name));
    const steps = new MatchSteps(MAX_STEPS);
    try {
      const last = rules.patterns.findLast(({ pattern, depth }) =>
        matchesGitPattern(pattern, depth === 0 ? path : path.slice(depth), isFolder, steps),
      );
      return last !== undefined && !last.pattern.isNegated;
    } catch (error) {
      if (error instanceof TooManyStepsError) return true;
      throw error;
    }
  }

  #ignoresFolder(folder: vscode.Uri): Promise<boolean> {
    const key = folder.toString();
    let ignored = this.#ignoredFolders.get(key);
    if (!ignored) {
      ignored = this.ignores(folder, true);
      this.#ignoredFolders.set(key, ignored);
    }
    return ignored;
  }

  /** Returns the rules that apply to the folder's children. */
  #getRules(folder: vscode.Uri): Promise<Rules | undefined> {
    const key = folder.toString();
    let rules = this.#rules.get(key);
    if (!rules) {
      rules = this.#readRules(folder);
      this.#rules.set(key, rules);
    }
    return rules;
  }

  async #readRules(folder: vscode.Uri): Promise<Rules | undefined> {
    const patterns = await readPatterns(vscode.Uri.joinPath(folder, '.gitignore'));
    const git = vscode.Uri.joinPath(folder, '.git');
    const type = await getType(git);
    if (type !== undefined) {
      const gitFolder = type & vscode.FileType.Directory ? git : await findGitFolder(git);
      const excluded = gitFolder ? await readPatterns(vscode.Uri.joinPath(gitFolder, 'info', 'exclude')) : [];
      return createRules(folder, 0, excluded && patterns && [...excluded, ...patterns]);
    }
    const parent = getParent(folder);
    const above = parent.path === folder.path ? undefined : await this.#getRules(parent);
    if (above) return createRules(above.root, above.depth + 1, patterns, above);
    const isTop = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString());
    return isTop ? createRules(folder, 0, patterns) : undefined;
  }
}

/** Adds a folder's patterns to the rules of the folders above it. */
function createRules(
  root: vscode.Uri,
  depth: number,
  patterns: readonly GitPattern[] | undefined,
  above?: Rules,
): Rules {
  const inherited = above ? above.patterns : [];
  if (!inherited || !patterns || inherited.length + patterns.length > MAX_PATTERNS)
    return { root, depth, patterns: undefined };
  // Most folders have none of their own.
  if (above && patterns.length === 0) return { root, depth, patterns: inherited };
  return { root, depth, patterns: [...inherited, ...patterns.map((pattern) => ({ pattern, depth }))] };
}

function getParent(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

/** Reads the patterns of a file: none if there is no such file, undefined if it is too large or can't be read. */
async function readPatterns(uri: vscode.Uri): Promise<GitPattern[] | undefined> {
  const type = await getType(uri);
  if (type === undefined || type & vscode.FileType.Directory) return [];
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > MAX_FILE_BYTES) return undefined;
    return parseGitPatterns(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch {
    return undefined;
  }
}

/** Returns the folder with the `info/exclude` of a linked worktree or a submodule, whose `.git` is a file that names it. */
async function findGitFolder(git: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folder = await readLinked(git, getParent(git), /^gitdir: ([^\r\n]+)/);
  if (!folder) return undefined;
  return (await readLinked(vscode.Uri.joinPath(folder, 'commondir'), folder, /^([^\r\n]+)/)) ?? folder;
}

/** Reads a path from a file; undefined if there is none. A path of another computer isn't followed. */
async function readLinked(file: vscode.Uri, base: vscode.Uri, line: RegExp): Promise<vscode.Uri | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    const path = line.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1]?.replaceAll('\\', '/');
    if (path === undefined || path.startsWith('//')) return undefined;
    if (/^[a-z]:\//i.test(path)) return base.with({ path: `/${path}` });
    return path.startsWith('/') ? base.with({ path }) : vscode.Uri.joinPath(base, path);
  } catch {
    return undefined;
  }
}

/** Returns the type of a file or folder; undefined if it isn't there. */
async function getType(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}
