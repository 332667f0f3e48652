const vscode = require('vscode');

/** Once a profile: who closes the panel doesn't want it back at the next start. */
exports.activate = async (context) => {
  if (context.globalState.get('opened')) return;
  await vscode.commands.executeCommand('parley.chat.focus');
  await context.globalState.update('opened', true);
};
