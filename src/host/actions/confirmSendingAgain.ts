import * as vscode from 'vscode';

const { t } = vscode.l10n;

/** Asks whether to send a message that the service may have already. */
export async function confirmSendingAgain(): Promise<boolean> {
  const send = t('Send Again');
  const choice = await vscode.window.showWarningMessage(
    t('Send the message again?'),
    {
      modal: true,
      detail: t('The service may have it already: it may count twice and be answered twice.'),
    },
    send,
  );
  return choice === send;
}
