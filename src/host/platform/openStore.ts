import * as vscode from 'vscode';
import { platform } from '#platform';
import { ConversationStore } from '../../chat/store/store';
import { logError } from '../base/log';

/**
 * Opens the store of this machine's conversations, in the extension's global storage, which all windows
 * share.
 */
export function openStore(globalStorage: vscode.Uri, log: vscode.LogOutputChannel): ConversationStore {
  const folder = vscode.Uri.joinPath(globalStorage, 'conversations');
  const owner = vscode.workspace.name ?? vscode.env.appName;
  return new ConversationStore(platform.openStorage(folder), owner, (error) => logError(log, error));
}
