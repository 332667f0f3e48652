import * as vscode from 'vscode';

/**
 * What is selected in the active terminal, or nothing. VS Code has no API for it, only a command that copies: text on the
 * clipboard is put back. (A picture on it is lost, as extensions can read and write text only.)
 */
export async function terminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // The command leaves the clipboard alone where nothing is selected: a mark tells that from a selection copied before.
  const mark = before === '' ? '' : `parley ${crypto.randomUUID()}`;
  try {
    if (mark !== '') await clipboard.writeText(mark);
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await clipboard.readText();
    return copied === mark ? '' : copied;
  } finally {
    if ((await clipboard.readText()) !== before) await clipboard.writeText(before);
  }
}
