import * as vscode from 'vscode';
import { showError } from '../base/dialogs';

const { t } = vscode.l10n;

/** Shows that a change to the queue couldn't be saved. */
export function showQueueNotSaved(): void {
  void showError(t('Couldn’t change the queue because it can’t be saved to disk.'));
}
