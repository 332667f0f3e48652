import * as vscode from 'vscode';
import { confirm } from './dialogs';

const { t } = vscode.l10n;

/**
 * Lets `use` change the clipboard, and puts its text back. Extensions can read and write text only: where there is none, which may
 * mean a picture or files, it asks first. Resolves to undefined where the person says no.
 */
export async function borrowClipboard<T>(use: (text: string) => Promise<T>): Promise<T | undefined> {
  const { clipboard } = vscode.env;
  const text = await clipboard.readText();
  if (text === '') {
    const goOn = t('Continue');
    const details = [
      t('It goes through the clipboard. A picture or files that are on it can’t be put back.'),
    ];
    if ((await confirm(t('Replace what is on the clipboard?'), details, goOn)) !== goOn) return undefined;
  }
  try {
    return await use(text);
  } finally {
    if ((await clipboard.readText()) !== text) await clipboard.writeText(text);
  }
}
