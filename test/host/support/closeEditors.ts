import * as vscode from 'vscode';
import { until } from './until';

/** Closes every editor, with what isn't saved, and waits until none is active or visible any more. */
export async function closeEditors(): Promise<void> {
  const { window } = vscode;
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await until(() => !window.activeTextEditor && window.visibleTextEditors.every(isOutput));
}

/** The panel below may show a channel of VS Code's output. */
function isOutput({ document }: vscode.TextEditor): boolean {
  return document.uri.scheme === 'output';
}
