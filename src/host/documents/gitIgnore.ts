import ignore, { type Ignore } from 'ignore';
import * as vscode from 'vscode';
import { isBoundedGlob, MAX_MATCHED_PATH_LENGTH } from './boundedGlob';

interface Rules {
  /** The root of the repository, or the workspace folder if there is no repository. */
  readonly root: vscode.Uri;
  readonly ignore: Ignore;
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
    const path = getRelativePath(rules.root, uri) + (isFolder ? '/' : '');
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
    const text = (await readPatterns(vscode.Uri.joinPath(folder, '.gitignore'))) ?? '';
    if (await hasFile(vscode.Uri.joinPath(folder, '.git'))) {
      const excluded = (await readPatterns(vscode.Uri.joinPath(folder, '.git', 'info', 'exclude'))) ?? '';
      return { root: folder, ignore: createIgnore().add(excluded).add(text) };
    }
    const parent = getParent(folder);
    const above = parent.path === folder.path ? undefined : await this.#getRules(parent);
    if (above) {
      const patterns = toRootPatterns(text, getRelativePath(above.root, folder));
      return { root: above.root, ignore: createIgnore().add(above.ignore).add(patterns) };
    }
    const isTop = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString());
    return isTop ? { root: folder, ignore: createIgnore().add(text) } : undefined;
  }
}

function createIgnore(): Ignore {
  return ignore({ ignorecase: false });
}

/** Converts a folder's patterns to patterns relative to the root of its repository. */
function toRootPatterns(text: string, folder: string): string[] {
  const base = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [not, pattern] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
      // A slash before the end anchors a pattern to its folder.
      const isAnchored = /\/\s*\S/.test(pattern);
      return `${not}/${base}/${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
    });
}

function getParent(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

function getRelativePath(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.endsWith('/') ? root.path.length : root.path.length + 1);
}

/** Reads the patterns of a file, without those that could take too long to match. */
async function readPatterns(uri: vscode.Uri): Promise<string | undefined> {
  if (!(await hasFile(uri))) return undefined;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('#') || isBoundedGlob(line))
    .join('\n');
}

async function hasFile(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    // A file that can't be read has no rules.
    return false;
  }
}
