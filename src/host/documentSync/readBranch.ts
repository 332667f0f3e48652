import * as vscode from 'vscode';
import { readWorkspaceText } from '../platform/workspacePlace';

const MAX_HEAD_BYTES = 1024;
/** In characters: of more, the list and the panel show the start. */
const MAX_BRANCH_LENGTH = 200;

/** Returns the name of the branch that a workspace folder is on, or the start of its commit; undefined without Git. */
export async function readBranch(folder: vscode.WorkspaceFolder): Promise<string | undefined> {
  const head = await readWorkspaceText(vscode.Uri.joinPath(folder.uri, '.git', 'HEAD'), MAX_HEAD_BYTES);
  const branch = /^ref: refs\/heads\/(\S+)/.exec(head ?? '')?.[1];
  return branch?.slice(0, MAX_BRANCH_LENGTH) ?? /^[\da-f]{7}/.exec(head ?? '')?.[0];
}
