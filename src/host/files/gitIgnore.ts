import ignore, { type Ignore } from 'ignore';
import * as vscode from 'vscode';
import { getPathInFolder } from '../platform/folderPaths';
import { isBoundedGlob, MAX_MATCHED_PATH_LENGTH } from './boundedGlob';

/** Each pattern becomes a regular expression, and each file is matched against all that apply to it. */
const MAX_PATTERNS = 1000;
/** Larger files are not read. */
const MAX_FILE_BYTES = 256 * 1024;

interface Rules {
  /** The root of the repository, or the workspace folder if there is no repository. */
  readonly root: vscode.Uri;
  readonly ignore: Ignore;
  /** The number of patterns, at most `MAX_PATTERNS`; those in deeper folders are left out first. */
  readonly count: number;
}

/**
 * Matches files that git ignores, by every `.gitignore` from the root of a repository down and its
 * `info/exclude`. Each file is read once.
 */
export class GitIgnore {
  readonly #rules = new Map<string, Promise<Rules | undefined>>();

  async ignores(uri: vscode.Uri, isFolder = false): Promise<boolean> {
    const rules = await this.#getRules(getParent(uri));
    if (!rules) return false;
    const place = getPathInFolder(rules.root, uri);
    if (!place) return false;
    const path = place + (isFolder ? '/' : '');
    return path.length <= MAX_MATCHED_PATH_LENGTH && rules.ignore.ignores(path);
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
    if (await hasFile(vscode.Uri.joinPath(folder, '.git'))) {
      const excluded = await readPatterns(vscode.Uri.joinPath(folder, '.git', 'info', 'exclude'));
      return createRules(folder, [...excluded, ...patterns]);
    }
    const parent = getParent(folder);
    const above = parent.path === folder.path ? undefined : await this.#getRules(parent);
    if (above) {
      return createRules(
        above.root,
        toRootPatterns(patterns, getPathInFolder(above.root, folder) ?? ''),
        above,
      );
    }
    const isTop = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString());
    return isTop ? createRules(folder, patterns) : undefined;
  }
}

/** Adds a folder's patterns, relative to the root, to the rules of the folders above it. */
function createRules(root: vscode.Uri, patterns: readonly string[], above?: Rules): Rules {
  const added = patterns.slice(0, MAX_PATTERNS - (above?.count ?? 0));
  const ignore = createIgnore();
  if (above) ignore.add(above.ignore);
  return { root, ignore: ignore.add(added), count: (above?.count ?? 0) + added.length };
}

function createIgnore(): Ignore {
  return ignore({ ignorecase: false });
}

/** Converts a folder's patterns to patterns relative to the root of its repository. */
function toRootPatterns(patterns: readonly string[], folder: string): string[] {
  const base = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return patterns.map((line) => {
    const [not, pattern] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
    // A slash before the end anchors a pattern to its folder.
    const isAnchored = /\/\s*\S/.test(pattern);
    return `${not}/${base}/${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
  });
}

function getParent(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

/**
 * Reads the patterns of a file, without those that could take too long to match. A file that is too large or
 * can't be read has none.
 */
async function readPatterns(uri: vscode.Uri): Promise<string[]> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > MAX_FILE_BYTES) return [];
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '' && !line.startsWith('#') && isBoundedGlob(line));
  } catch {
    return [];
  }
}

async function hasFile(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
