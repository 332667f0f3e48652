import * as vscode from 'vscode';
import { platform } from '#platform';
import { ConversationStore } from '../../chat/store/store';
import { logError } from '../base/log';

/** The conversations of this machine, in the extension's own folder: the same for every window. */
export function openStore(globalStorage: vscode.Uri, log: vscode.LogOutputChannel): ConversationStore {
  const folder = vscode.Uri.joinPath(globalStorage, 'conversations');
  const owner = vscode.workspace.name ?? vscode.env.appName;
  return new ConversationStore(platform.openStorage(folder), owner, (error) => logError(log, error));
}
