const vscode = require('vscode');

/**
 * Opens the panel and the sample's README once per profile: a user who closed them doesn't want them back at
 * the next start.
 */
exports.activate = async (context) => {
  if (context.globalState.get('opened')) return;
  // As text: in a new browser profile, the second of two webviews that load together may stay empty. If it
  // commits after VS Code's new service worker has claimed its clients, the worker never controls it.
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'README.md'));
  await vscode.commands.executeCommand('parley.chat.focus');
  await context.globalState.update('opened', true);
};
