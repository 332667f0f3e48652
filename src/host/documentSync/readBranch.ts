import type * as vscode from 'vscode';
import { findRepository, readGitFile } from '../../chat/files/gitRepository';
import { createGitFiles } from '../files/gitIgnore';

/** In characters: of more, the list and the panel show the start. */
const MAX_BRANCH_LENGTH = 200;

/** Returns the name of the branch that a workspace folder is on, or the start of its commit; undefined without Git. */
export async function readBranch({ uri }: vscode.WorkspaceFolder): Promise<string | undefined> {
  const files = createGitFiles(uri);
  const repository = await findRepository(files, uri.path);
  if (!repository) return undefined;
  const head = await readGitFile(files, `${repository.own}/HEAD`);
  const branch = /^ref: refs\/heads\/(\S+)/.exec(head ?? '')?.[1];
  return branch?.slice(0, MAX_BRANCH_LENGTH) ?? /^[\da-f]{7}/.exec(head ?? '')?.[0];
}
