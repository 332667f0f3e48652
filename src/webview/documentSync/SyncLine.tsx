import syncIcon from '@vscode/codicons/src/icons/sync.svg';
import { useEffect } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { DocumentSyncView } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { formatCount, plural, t } from '../base/l10n';
import { Action } from '../components/Problem';
import { usePage } from '../page/pageServices';

interface Props {
  readonly conversationId: string;
  readonly sync: DocumentSyncView;
}

/** Says how many of the workspace's documents have changed, and waits: nothing is uploaded before the user agrees to a list. */
export function SyncLine({ conversationId, sync }: Props) {
  const page = usePage();
  const text = formatSync(sync);
  useEffect(() => page.announce(text), [page, text]);
  return (
    <section class="tray sync-line" aria-label={t('Documents of This Workspace')}>
      <Icon file={syncIcon} />
      <p class="sync-text">
        {text}
        {sync.branch !== undefined && (
          <>
            {' '}
            <bdi class="sync-branch" title={t('Branch: {0}', escapeInvisible(sync.branch))}>
              {escapeInvisible(sync.branch)}
            </bdi>
          </>
        )}
      </p>
      <div class="sync-actions">
        <Action
          name={t('Sync Documents…')}
          onClick={() => page.post({ type: 'syncDocuments', conversationId })}
        />
        <Action
          name={t('Not Now')}
          onClick={() => {
            page.post({ type: 'postponeSync', conversationId });
            page.focusComposer();
          }}
        />
      </div>
    </section>
  );
}

function formatSync({ changed, total, isNew }: DocumentSyncView): string {
  if (isNew)
    return plural(
      total,
      '{0} document of this workspace hasn’t been synced from this machine yet',
      '{0} documents of this workspace haven’t been synced from this machine yet',
    );
  return plural(
    changed,
    '{0} of {1} documents has changed',
    '{0} of {1} documents have changed',
    formatCount(total),
  );
}
