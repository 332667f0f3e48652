import * as vscode from 'vscode';
import { toFailure } from '../../chat/model/failure';
import { showError } from '../base/dialogs';
import { joinSentences } from '../base/localizedText';
import { formatFailure } from '../service/failureText';

/**
 * Runs a request to the service; shows a failure, described by `getTitle`, with a Retry button until `closing` aborts.
 * Resolves to whether it succeeded.
 */
export async function reportFailures(
  getTitle: () => string,
  run: () => Promise<void>,
  closing?: AbortSignal,
): Promise<boolean> {
  for (;;) {
    try {
      await run();
      return true;
    } catch (error) {
      if (closing?.aborted) return false;
      const again = vscode.l10n.t('Retry');
      const choice = await Promise.race([
        showError(joinSentences(getTitle(), formatFailure(toFailure(error, Date.now()))), again),
        ...(closing ? [whenAborted(closing)] : []),
      ]);
      if (choice !== again) return false;
    }
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
