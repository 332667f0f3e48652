import * as vscode from 'vscode';
import { GitIgnoreRules } from '../../chat/files/gitIgnoreRules';

/** Matches files that git ignores, in any of the window's file systems. Each file with rules is read once. */
export class GitIgnore {
  /** By scheme and authority. */
  readonly #rules = new Map<string, GitIgnoreRules>();

  ignores(uri: vscode.Uri, isFolder = false): Promise<boolean> {
    const key = uri.with({ path: '/' }).toString();
    const rules = this.#rules.get(key) ?? createRules(uri);
    this.#rules.set(key, rules);
    return rules.ignores(uri.path.replace(/\/$/, ''), isFolder);
  }
}

/** Creates the rules for the file system of a URI. */
function createRules(base: vscode.Uri): GitIgnoreRules {
  const { fs } = vscode.workspace;
  const toUri = (path: string) => base.with({ path });
  return new GitIgnoreRules({
    getType: async (path) => {
      try {
        return (await fs.stat(toUri(path))).type & vscode.FileType.Directory ? 'folder' : 'file';
      } catch {
        return undefined;
      }
    },
    readText: async (path, maxBytes) => {
      const uri = toUri(path);
      if ((await fs.stat(uri)).size > maxBytes) throw new Error(`${path} is too large.`);
      return new TextDecoder().decode(await fs.readFile(uri));
    },
    isWorkspace: (folder) =>
      vscode.workspace.workspaceFolders?.some(
        ({ uri }) => uri.toString() === toUri(folder || '/').toString(),
      ) === true,
  });
}
