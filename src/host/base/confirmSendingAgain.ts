import * as vscode from 'vscode';
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
