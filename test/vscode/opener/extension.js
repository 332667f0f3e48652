const vscode = require('vscode');

/** Opens the panel once per profile: a user who closed it doesn't want it back at the next start. */
exports.activate = async (context) => {
  if (context.globalState.get('opened')) return;
  await vscode.commands.executeCommand('parley.chat.focus');
  await context.globalState.update('opened', true);
};
