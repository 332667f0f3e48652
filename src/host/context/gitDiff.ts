import * as vscode from 'vscode';

/** The part of the built-in Git extension's API (version 1) that is used here. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string } | undefined;
    readonly workingTreeChanges: readonly unknown[];
    readonly indexChanges: readonly unknown[];
  };
  /** Updates `state`, which may be out of date, or empty in a new window. */
  status(): Promise<void>;
  diff(staged: boolean): Promise<string>;
  /** Compares `ref2` with the commit at which it left `ref1`. */
  diffBetween(ref1: string, ref2: string, path: string): Promise<string>;
  getBranchBase(
    name: string,
  ): Promise<{ readonly remote?: string; readonly name?: string; readonly commit?: string } | undefined>;
  getBranches(query: { readonly remote: boolean }): Promise<readonly { readonly name?: string }[]>;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  readonly repositories: readonly GitRepository[];
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** How long the Git extension may take to find the repositories of a new window. */
const START_LIMIT_MS = 5000;

/** Returns the repositories with changes; none if there is no Git extension, as on the web. */
export async function findChangedRepositories(): Promise<GitRepository[]> {
  const repositories = (await activateGit())?.repositories ?? [];
  return repositories.filter(
    ({ state }) => state.workingTreeChanges.length > 0 || state.indexChanges.length > 0,
  );
}

/** Returns all repositories; undefined without a Git extension, as on the web, or if Git is disabled or not installed. */
export async function findRepositories(): Promise<readonly GitRepository[] | undefined> {
  const git = await activateGit();
  if (git?.state === 'uninitialized') await whenInitialized(git);
  return git?.repositories;
}

async function activateGit(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  const git = extension.isActive ? extension.exports : await extension.activate();
  // Without `git`, or with Git disabled, there is no API.
  return git.enabled ? git.getAPI(1) : undefined;
}

function whenInitialized(git: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(finish, START_LIMIT_MS);
    const listening = git.onDidChangeState(finish);
  });
}

/** Reads the staged diff, then the unstaged one. Untracked files are in neither. */
export async function readDiff(repository: GitRepository): Promise<string> {
  const [staged, unstaged] = [await repository.diff(true), await repository.diff(false)];
  return [staged, unstaged].filter((diff) => diff !== '').join('\n');
}

/** Returns the branch that the current one was created from, as far as Git knows; undefined without a branch. */
export async function findBranchBase(repository: GitRepository): Promise<string | undefined> {
  const { name } = repository.state.HEAD ?? {};
  if (name === undefined) return undefined;
  const base = await repository.getBranchBase(name).catch(() => undefined);
  return base?.name && (base.remote ? `${base.remote}/${base.name}` : base.name);
}

/** Returns the names of the other local branches. */
export async function listOtherBranches(repository: GitRepository): Promise<readonly string[]> {
  const branches = await repository.getBranches({ remote: false });
  return branches.flatMap(({ name }) => (name && name !== repository.state.HEAD?.name ? [name] : []));
}

/** Reads the diff of what was committed since the current branch left another one. */
export async function readBranchDiff(repository: GitRepository, base: string): Promise<string> {
  return repository.diffBetween(base, 'HEAD', '.');
}
