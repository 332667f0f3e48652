import * as vscode from 'vscode';
import { until } from './until';

/** Closes all editors without saving, and waits until none is active. */
export async function closeEditors(): Promise<void> {
  const { window } = vscode;
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await until(() => !window.activeTextEditor);
}
