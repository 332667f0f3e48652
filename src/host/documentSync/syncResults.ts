import * as vscode from 'vscode';
import type { SyncResult } from '../../chat/documentSync/syncRun';
import { showError, showInformation, showWarning } from '../base/dialogs';
import { joinSentences, plural } from '../base/localizedText';
import { formatFailure } from '../service/failureText';

const { t } = vscode.l10n;

/** What became of the documents of one place: a result, or why they weren't synced. */
export type SyncOutcome = SyncResult | 'otherWindow' | 'otherService' | 'canceled';

/** Says what a sync did, and what to do about what it didn’t. */
export function showSyncResults(results: readonly SyncOutcome[]): void {
  const notSynced = joinSentences(
    results.includes('otherWindow') ? t('Another window is syncing these documents.') : undefined,
    results.includes('otherService')
      ? t('Open a conversation with a bot of the documents’ service, then sync again.')
      : undefined,
  );
  if (results.every((result) => result === 'otherWindow' || result === 'otherService')) {
    void showInformation(notSynced);
    return;
  }
  const all = results.filter((result) => typeof result === 'object');
  const sum = (pick: (result: SyncResult) => number) => all.reduce((total, each) => total + pick(each), 0);
  const stoppedBy = all.find((result) => result.stoppedBy)?.stoppedBy;
  const failed = all.flatMap((result) => result.failed);
  const [firstFailed] = failed;
  const kept = sum((result) => result.kept);
  const found = sum((result) => result.found.length);
  const refused = sum((result) => result.refused.length);
  const unconfirmed = sum((result) => result.unconfirmed.length);
  const details = joinSentences(
    plural(
      sum((result) => result.uploaded),
      '{0} document uploaded.',
      '{0} documents uploaded.',
    ),
    sum((result) => result.removed) > 0
      ? plural(
          sum((result) => result.removed),
          '{0} older document removed.',
          '{0} older documents removed.',
        )
      : undefined,
    kept > 0
      ? plural(
          kept,
          '{0} older document stays on the service, which can’t remove it.',
          '{0} older documents stay on the service, which can’t remove them.',
        )
      : undefined,
    found > 0
      ? plural(
          found,
          '{0} file wasn’t uploaded, because another machine has added a document of its name. Sync again to replace it.',
          '{0} files weren’t uploaded, because another machine has added documents of their names. Sync again to replace them.',
        )
      : undefined,
    refused > 0
      ? plural(refused, '{0} file may no longer be uploaded.', '{0} files may no longer be uploaded.')
      : undefined,
    unconfirmed > 0
      ? plural(
          unconfirmed,
          'Whether the service has {0} document isn’t known.',
          'Whether the service has {0} documents isn’t known.',
        )
      : undefined,
    notSynced === '' ? undefined : notSynced,
  );
  if (stoppedBy)
    void showError(
      joinSentences(t('The sync stopped.'), formatFailure(stoppedBy), details, t('Sync again to continue.')),
    );
  else if (firstFailed)
    void showWarning(
      joinSentences(
        plural(
          failed.length,
          'Couldn’t upload {0} file, such as {1}.',
          'Couldn’t upload {0} files, such as {1}.',
          firstFailed.path,
        ),
        formatFailure(firstFailed.failure),
        details,
      ),
    );
  else if (results.includes('canceled') || all.some(({ canceled }) => canceled))
    void showInformation(joinSentences(t('The sync was canceled.'), details, t('Sync again to continue.')));
  else void showInformation(details);
}
