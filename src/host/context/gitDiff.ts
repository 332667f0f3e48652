import * as vscode from 'vscode';

/** The part of the built-in Git extension's API (version 1) that is used here. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly workingTreeChanges: readonly unknown[];
    readonly indexChanges: readonly unknown[];
  };
  diff(staged: boolean): Promise<string>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** Returns the repositories with changes; none if there is no Git extension, as on the web. */
export async function findChangedRepositories(): Promise<GitRepository[]> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return [];
  const git = extension.isActive ? extension.exports : await extension.activate();
  // Without `git`, or with Git disabled, there is no API.
  if (!git.enabled) return [];
  return git
    .getAPI(1)
    .repositories.filter(({ state }) => state.workingTreeChanges.length > 0 || state.indexChanges.length > 0);
}

/** Reads the staged diff, then the unstaged one. Untracked files are in neither. */
export async function readDiff(repository: GitRepository): Promise<string> {
  const [staged, unstaged] = [await repository.diff(true), await repository.diff(false)];
  return [staged, unstaged].filter((diff) => diff !== '').join('\n');
}
