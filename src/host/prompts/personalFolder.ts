import * as vscode from 'vscode';

/** Returns the folder of the user's own prompts. */
export function getPersonalFolder(globalStorage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(globalStorage, 'prompts');
}
