import * as vscode from 'vscode';
import { borrowClipboard } from '../base/clipboard';

/** What is selected in the active terminal, or nothing. VS Code has no API for it, only a command that copies. */
export async function terminalSelection(): Promise<string> {
  const selection = await borrowClipboard(async () => {
    const { clipboard } = vscode.env;
    // The command leaves the clipboard alone where nothing is selected: a mark tells that from a selection copied before.
    const mark = `parley ${crypto.randomUUID()}`;
    await clipboard.writeText(mark);
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await clipboard.readText();
    return copied === mark ? '' : copied;
  });
  return selection ?? '';
}
