import * as vscode from 'vscode';
import { platform } from '#platform';
import { GitIgnoreRules } from '../../chat/files/gitIgnoreRules';
import type { GitFiles } from '../../chat/files/gitRepository';

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
  const { home, configHome } = platform;
  const isOnDisk = home && configHome && base.scheme === 'file';
  return new GitIgnoreRules({
    ...createGitFiles(base),
    userFolders: isOnDisk ? { home: home.path, config: configHome.path } : undefined,
    isWorkspace: (folder) =>
      vscode.workspace.workspaceFolders?.some(
        ({ uri }) => uri.toString() === base.with({ path: folder || '/' }).toString(),
      ) === true,
  });
}

/** Returns the files of the file system of a URI, by path. */
export function createGitFiles(base: vscode.Uri): GitFiles {
  const { fs } = vscode.workspace;
  const toUri = (path: string) => base.with({ path });
  return {
    getType: async (path) => {
      try {
        const { type } = await fs.stat(toUri(path));
        if (type & vscode.FileType.Directory) return 'folder';
        // Others, such as devices, may never end.
        return type & vscode.FileType.File ? 'file' : undefined;
      } catch {
        return undefined;
      }
    },
    readText: async (path, maxBytes) => {
      const uri = toUri(path);
      if ((await fs.stat(uri)).size > maxBytes) throw new Error(`${path} is too large.`);
      return new TextDecoder().decode(await fs.readFile(uri));
    },
  };
}
