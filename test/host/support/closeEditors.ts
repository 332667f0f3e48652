import * as vscode from 'vscode';
import { until } from './until';

/** Closes all editors without saving, and waits until none is active and no untitled file of them is open. */
export async function closeEditors(): Promise<void> {
  const { window, workspace } = vscode;
  const listTabs = () => window.tabGroups.all.flatMap(({ tabs }) => tabs);
  const untitled = new Set(
    listTabs().flatMap(({ input }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === 'untitled' ? [input.uri.toString()] : [],
    ),
  );
  while (listTabs().length > 0) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await until(() => !window.activeTextEditor);
  // The next untitled file may get the name of a closed one, and its text if that is still open.
  await until(() => !workspace.textDocuments.some(({ uri }) => untitled.has(uri.toString())));
}
