import fileIcon from '@vscode/codicons/src/icons/file.svg';
import linkExternalIcon from '@vscode/codicons/src/icons/link-external.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { Source } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { plural, t } from '../base/l10n';
import { QuietButton } from '../components/QuietButton';
import { usePage } from '../page/pageServices';

const sinceTexts = {
  changed: (name: string) => t('{0} has changed since this answer.', name),
  gone: (name: string) => t('{0} no longer exists.', name),
  updated: (name: string) => t('This answer was made from an older version of {0}.', name),
} as const;

interface Props {
  readonly conversationId: string;
  readonly turnId: string;
  readonly sources: readonly Source[];
}

/** Lists the documents that a reply is based on; only the host knows their locations. */
export function Sources({ conversationId, turnId, sources }: Props) {
  const page = usePage();
  return (
    <>
      <div class="sources">
        <span aria-hidden="true">{t('Sources')}</span>
        <ul aria-label={t('Sources')}>
          {sources.map(({ name, opens }, index) => {
            const shown = escapeInvisible(name);
            const inside = (
              <>
                <Icon file={opens === 'link' ? linkExternalIcon : fileIcon} />
                <bdi>{shown}</bdi>
              </>
            );
            return (
              <li key={index}>
                {opens ? (
                  <button
                    type="button"
                    class="source"
                    title={t('Open {0}', shown)}
                    onClick={() => page.post({ type: 'openSource', conversationId, turnId, index })}
                  >
                    {inside}
                  </button>
                ) : (
                  <span class="source" title={shown}>
                    {inside}
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <ChangedSources conversationId={conversationId} turnId={turnId} sources={sources} />
    </>
  );
}

/** Says in one line which sources have changed since the reply, which stays as it is. */
function ChangedSources({ conversationId, turnId, sources }: Props) {
  const page = usePage();
  const changes = sources.flatMap(({ name, since, hasChanges }, index) =>
    since ? [{ name, since, index, hasChanges }] : [],
  );
  const [first] = changes;
  if (!first) return null;
  const others = changes.length - 1;
  const text = sinceTexts[first.since](escapeInvisible(first.name));
  const title = changes.map(({ name, since }) => sinceTexts[since](escapeInvisible(name))).join('\n');
  const shown = changes.find(({ hasChanges }) => hasChanges);
  const updatable = changes.find(({ since }) => since === 'changed');
  return (
    <div class="sources-changed" role="note">
      <p title={title}>
        {text}
        {others > 0 && ` ${plural(others, '(and {0} more)', '(and {0} more)')}`}
      </p>
      {shown && (
        <QuietButton
          name={t('Show Changes')}
          onClick={() => page.post({ type: 'showSourceChanges', conversationId, turnId, index: shown.index })}
        />
      )}
      {updatable && (
        <QuietButton
          name={t('Update')}
          onClick={() => page.post({ type: 'updateSource', conversationId, turnId, index: updatable.index })}
        />
      )}
      <QuietButton name={t('Ask Again')} onClick={() => page.askAgain(turnId)} />
    </div>
  );
}
