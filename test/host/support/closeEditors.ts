import * as vscode from 'vscode';
import { until } from './until';

/** Closes every editor, with what isn't saved, and waits until none is active any more. */
export async function closeEditors(): Promise<void> {
  const { window } = vscode;
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await until(() => !window.activeTextEditor);
}
