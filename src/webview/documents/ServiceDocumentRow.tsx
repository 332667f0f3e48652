import closeIcon from '@vscode/codicons/src/icons/close.svg';
import fileIcon from '@vscode/codicons/src/icons/file.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { getReadiness } from '../../shared/view/documentReadiness';
import type { ServiceDocumentView } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { memo } from '../base/memo';
import { IconButton } from '../components/IconButton';
import { usePage } from '../page/pageServices';
import { FocusButton } from './FocusButton';

const originTitles = {
  addedElsewhere: t('Added on another machine or by another client'),
  older: t('Older version, still on the service; replies may still use it'),
} as const;

const origins = { addedElsewhere: t('added elsewhere'), older: t('older version') } as const;

interface Props {
  readonly conversationId: string;
  readonly document: ServiceDocumentView;
}

/** A document that only the service has: it can be opened if it has an address, and removed if the service supports it. */
export const ServiceDocumentRow = memo<Props>(({ conversationId, document }) => {
  const page = usePage();
  const { id: documentId, name, status, origin, opens = false, removable, focus } = document;
  const readiness = getReadiness({ state: 'attached', ...(status !== undefined && { status }) });
  const state = { pending: t('Converting…'), failed: t('Conversion failed'), ready: undefined }[readiness];
  return (
    <div class={`document on-service ${focus ?? ''}`} role="row" data-document={documentId}>
      <div class="document-main" role="gridcell">
        <button
          type="button"
          class="document-open"
          title={[escapeInvisible(name), originTitles[origin], ...(state ? [state] : [])].join('\n')}
          aria-disabled={!opens}
          onClick={() => {
            if (opens) page.post({ type: 'openServiceDocument', conversationId, documentId });
          }}
        >
          {readiness === 'pending' ? (
            <span class="spinner" />
          ) : (
            <Icon file={readiness === 'failed' ? warningIcon : fileIcon} />
          )}
          <span class="document-text">
            <bdi class="document-name">{escapeInvisible(name)}</bdi>{' '}
            <span class="document-state">
              {origins[origin]}
              {state !== undefined && ` · ${state}`}
              {focus === 'excluded' && ` · ${t('excluded')}`}
            </span>
          </span>
        </button>
      </div>
      {(focus || removable) && (
        <div class="document-actions" role="gridcell">
          {focus && (
            <FocusButton
              focus={focus}
              onClick={(on) => page.post({ type: 'includeServiceDocument', conversationId, documentId, on })}
            />
          )}
          {removable && (
            <IconButton
              icon={closeIcon}
              name={t('Remove')}
              onClick={() => {
                page.post({ type: 'removeServiceDocument', conversationId, documentId });
                page.focusComposer();
              }}
            />
          )}
        </div>
      )}
    </div>
  );
});
