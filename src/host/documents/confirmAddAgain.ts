import * as vscode from 'vscode';
import type { DocumentTurn } from '../../chat/model/turn';
import { confirm } from '../base/dialogs';

const { t } = vscode.l10n;

/** Asks before adding a document again that the service may already have but doesn't list. */
export async function confirmAddAgain({ name }: DocumentTurn): Promise<boolean> {
  const add = t('Add Again');
  const detail = t(
    'The service didn’t confirm that it received the file and doesn’t list it yet. The file may be added twice.',
  );
  return (await confirm(t('Add “{0}” again?', name), [detail], add)) === add;
}
