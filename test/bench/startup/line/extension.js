// The least that a webview can show: a line of text; scripts are for the measurement. Each call of the command shows it in a new frame.
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  let panel;
  const show = () => {
    panel?.dispose();
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus: true };
    panel = vscode.window.createWebviewPanel('line', 'Line', column, { enableScripts: true });
    panel.webview.html = '<!DOCTYPE html><html><body><p id="line">A line of text.</p></body></html>';
  };
  const hide = () => panel?.dispose();
  subscriptions.push(
    vscode.commands.registerCommand('parley-bench.showLine', show),
    vscode.commands.registerCommand('parley-bench.hideLine', hide),
  );
};
