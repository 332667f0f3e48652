import * as vscode from 'vscode';
import { confirm } from './dialogs';

const { t } = vscode.l10n;

/**
 * Runs `use`, which may change the clipboard, and restores the clipboard's text. Extensions can read and
 * write text only: when there is none, the clipboard may hold an image or files, so the user is asked first.
 * Resolves to undefined if they decline.
 */
export async function borrowClipboard<T>(use: (text: string) => Promise<T>): Promise<T | undefined> {
  const { clipboard } = vscode.env;
  const text = await clipboard.readText();
  if (text === '') {
    const goOn = t('Continue');
    const details = [t('This uses the clipboard. An image or files on it can’t be restored.')];
    if ((await confirm(t('Replace the contents of the clipboard?'), details, goOn)) !== goOn)
      return undefined;
  }
  try {
    return await use(text);
  } finally {
    if ((await clipboard.readText()) !== text) await clipboard.writeText(text);
  }
}
