import * as vscode from 'vscode';
import { until } from './until';

/** Closes all editors without saving, and waits until none is active and no untitled file of them is open. */
export async function closeEditors(): Promise<void> {
  const untitled = new Set(
    listTabs().flatMap(({ input }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === 'untitled' ? [input.uri.toString()] : [],
    ),
  );
  await closeTabs();
  // The next untitled file may get the name of a closed one, and its text if that is still open.
  await until(() => !vscode.workspace.textDocuments.some(({ uri }) => untitled.has(uri.toString())));
  for (let count = 0; count < untitled.size; count++) await takeUntitledName();
}

/**
 * Takes the first free name of untitled files for good: VS Code backs up an untitled file after a second, deletes the
 * backup some time after the file is closed, and until then restores it in the next file of that name.
 */
async function takeUntitledName(): Promise<void> {
  const document = await vscode.workspace.openTextDocument();
  if (document.getText() === '') return;
  await vscode.window.showTextDocument(document);
  await closeTabs();
  await until(() => document.isClosed);
  await takeUntitledName();
}

async function closeTabs(): Promise<void> {
  while (listTabs().length > 0) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await until(() => !vscode.window.activeTextEditor);
}

const listTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
