import fileIcon from '@vscode/codicons/src/icons/file.svg';
import linkExternalIcon from '@vscode/codicons/src/icons/link-external.svg';
import type { Source } from '../../shared/view/viewModel';
import { escapeInvisible } from '../base/format';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { usePage } from '../page/pageServices';

interface Props {
  readonly conversationId: string;
  readonly turnId: string;
  readonly sources: readonly Source[];
}

/** Lists the documents that a reply is based on; only the host knows their locations. */
export function Sources({ conversationId, turnId, sources }: Props) {
  const page = usePage();
  return (
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
  );
}
