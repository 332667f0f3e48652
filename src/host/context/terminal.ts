import * as vscode from 'vscode';
import { borrowClipboard } from '../base/clipboard';

/** Reads the selection of the active terminal. VS Code has no API for it, only a command that copies it. */
export async function readTerminalSelection(): Promise<string> {
  const selection = await borrowClipboard(async () => {
    const { clipboard } = vscode.env;
    // The command doesn't change the clipboard if nothing is selected: a marker tells that apart from a
    // copied selection.
    const mark = `parley ${crypto.randomUUID()}`;
    await clipboard.writeText(mark);
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await clipboard.readText();
    return copied === mark ? '' : copied;
  });
  return selection ?? '';
}
