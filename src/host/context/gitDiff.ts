import * as vscode from 'vscode';

/** As much of the built-in Git extension's API (version 1) as is used here. */
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

/** Repositories with changes; none where there is no Git, as on the web. */
export async function changedRepositories(): Promise<GitRepository[]> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return [];
  const git = extension.isActive ? extension.exports : await extension.activate();
  // Where Git is turned off, or there is no `git`, it has no API.
  if (!git.enabled) return [];
  return git
    .getAPI(1)
    .repositories.filter(({ state }) => state.workingTreeChanges.length > 0 || state.indexChanges.length > 0);
}

/** What is staged, then what isn't. Files that Git doesn't know yet are in neither. */
export async function readDiff(repository: GitRepository): Promise<string> {
  const [staged, unstaged] = [await repository.diff(true), await repository.diff(false)];
  return [staged, unstaged].filter((diff) => diff !== '').join('\n');
}
