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
    const rules = await this.#rulesIn(getParent(uri));
    if (!rules) return false;
    const path = pathIn(rules.root, uri) + (isFolder ? '/' : '');
    return path.length <= MAX_MATCHED_PATH_LENGTH && rules.ignore.ignores(path);
  }

  /** Returns the rules that apply to the folder's children. */
  #rulesIn(folder: vscode.Uri): Promise<Rules | undefined> {
    const key = folder.toString();
    let rules = this.#rules.get(key);
    if (!rules) {
      rules = this.#read(folder);
      this.#rules.set(key, rules);
    }
    return rules;
  }

  async #read(folder: vscode.Uri): Promise<Rules | undefined> {
    const text = (await readText(vscode.Uri.joinPath(folder, '.gitignore'))) ?? '';
    if (await exists(vscode.Uri.joinPath(folder, '.git'))) {
      const excluded = (await readText(vscode.Uri.joinPath(folder, '.git', 'info', 'exclude'))) ?? '';
      return { root: folder, ignore: empty().add(excluded).add(text) };
    }
    const parent = getParent(folder);
    const above = parent.path === folder.path ? undefined : await this.#rulesIn(parent);
    if (above) {
      const patterns = patternsIn(text, pathIn(above.root, folder));
      return { root: above.root, ignore: empty().add(above.ignore).add(patterns) };
    }
    const isTop = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString());
    return isTop ? { root: folder, ignore: empty().add(text) } : undefined;
  }
}

function empty(): Ignore {
  return ignore({ ignorecase: false });
}

/** Converts a folder's patterns to patterns relative to the root of its repository. */
export function patternsIn(text: string, folder: string): string[] {
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

function pathIn(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.endsWith('/') ? root.path.length : root.path.length + 1);
}

/** Reads the patterns of a file, without those that could take too long to match. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  if (!(await exists(uri))) return undefined;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('#') || isBoundedGlob(line))
    .join('\n');
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    // A file that can't be read has no rules.
    return false;
  }
}
