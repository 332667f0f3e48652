import * as vscode from 'vscode';
import type { DocumentTurn } from '../../chat/conversation';

const { t } = vscode.l10n;

/** Asks before a document is added again that the service may have already, and doesn't list. */
export async function confirmAddAgain({ name }: DocumentTurn): Promise<boolean> {
  const add = t('Add Again');
  const choice = await vscode.window.showWarningMessage(
    t('Add “{0}” again?', name),
    {
      modal: true,
      detail: t(
        "The service didn't say whether it took the file, and doesn't list it yet. It may be there twice.",
      ),
    },
    add,
  );
  return choice === add;
}
