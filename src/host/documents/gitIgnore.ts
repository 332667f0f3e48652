import ignore, { type Ignore } from 'ignore';
import * as vscode from 'vscode';
import { isBoundedGlob, MAX_MATCHED_PATH } from './boundedGlob';

interface Rules {
  /** The repository's top, or the workspace's folder where there is no repository. */
  readonly root: vscode.Uri;
  readonly ignore: Ignore;
}

/** What git leaves out, by every `.gitignore` from the top of a repository down, and its `info/exclude`. Reads each once. */
export class GitIgnore {
  readonly #rules = new Map<string, Promise<Rules | undefined>>();

  async ignores(uri: vscode.Uri, isFolder = false): Promise<boolean> {
    const rules = await this.#rulesIn(getParent(uri));
    if (!rules) return false;
    const path = pathIn(rules.root, uri) + (isFolder ? '/' : '');
    return path.length <= MAX_MATCHED_PATH && rules.ignore.ignores(path);
  }

  /** The rules that hold for what lies in the folder. */
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
    const own = (await readText(vscode.Uri.joinPath(folder, '.gitignore'))) ?? '';
    if (await exists(vscode.Uri.joinPath(folder, '.git'))) {
      const excluded = (await readText(vscode.Uri.joinPath(folder, '.git', 'info', 'exclude'))) ?? '';
      return { root: folder, ignore: empty().add(excluded).add(own) };
    }
    const parent = getParent(folder);
    const above = parent.path === folder.path ? undefined : await this.#rulesIn(parent);
    if (above) {
      const patterns = patternsIn(own, pathIn(above.root, folder));
      return { root: above.root, ignore: empty().add(above.ignore).add(patterns) };
    }
    const isTop = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString());
    return isTop ? { root: folder, ignore: empty().add(own) } : undefined;
  }
}

function empty(): Ignore {
  return ignore({ ignorecase: false });
}

/** A folder's patterns as the top of its repository would have them. */
export function patternsIn(text: string, folder: string): string[] {
  const base = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [not, pattern] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
      // A slash before the end ties a pattern to its folder.
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

/** The patterns of a file, without those that could take for ever. */
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
    // Whatever keeps it from being read keeps its rules away, too.
    return false;
  }
}
