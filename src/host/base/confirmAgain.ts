import * as vscode from 'vscode';
import type { DocumentTurn } from '../../chat/model/turn';
import { confirm } from './dialogs';

const { t } = vscode.l10n;

/** Asks whether to send a message again that the service may already have. */
export async function confirmSendingAgain(): Promise<boolean> {
  const send = t('Send Again');
  const detail = t(
    'The service may have received it already, so the message may be counted and answered twice.',
  );
  return (await confirm(t('Send the message again?'), [detail], send)) === send;
}

/** Asks before adding a document again that the service may already have but doesn't list. */
export async function confirmAddAgain({ name }: DocumentTurn): Promise<boolean> {
  const add = t('Add Again');
  const detail = t(
    'The service didn’t confirm that it received the file and doesn’t list it yet. The file may be added twice.',
  );
  return (await confirm(t('Add “{0}” again?', name), [detail], add)) === add;
}
