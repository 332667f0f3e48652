import closeIcon from '@vscode/codicons/src/icons/close.svg';
import errorIcon from '@vscode/codicons/src/icons/error.svg';
import fileIcon from '@vscode/codicons/src/icons/file.svg';
import syncIcon from '@vscode/codicons/src/icons/sync.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import { getReadiness } from '../../shared/view/documentReadiness';
import type { DocumentTurn } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { memo } from '../base/memo';
import { IconButton } from '../components/IconButton';
import { Action, ProblemActions, ProblemText } from '../components/Problem';
import { usePage } from '../page/pageServices';
import { formatDetails, formatState, isConverting, isUnderWay } from './documentList';
import { FocusButton } from './FocusButton';

interface Props {
  readonly conversationId: string;
  readonly document: DocumentTurn;
}

/** A document of the conversation, or on its way there, with its actions. */
export const DocumentRow = memo<Props>(({ conversationId, document }) => (
  <div
    class={`document ${document.state} ${document.focus ?? ''}`}
    role="row"
    data-turn={document.id}
    aria-busy={isUnderWay(document)}
  >
    <Main conversationId={conversationId} document={document} />
    <Actions conversationId={conversationId} document={document} />
    {document.state === 'failed' && <Failure conversationId={conversationId} document={document} />}
  </div>
));

function Main({ conversationId, document }: Props) {
  const page = usePage();
  const { id, state, file, opens } = document;
  const warns = file === 'changed' || file === 'gone' || getReadiness(document) === 'failed';
  return (
    <div class="document-main" role="gridcell">
      <button
        type="button"
        class="document-open"
        title={formatDetails(document)}
        aria-disabled={!opens || file === 'gone'}
        onClick={() => {
          if (opens && file !== 'gone') page.post({ type: 'openDocument', conversationId, turnId: id });
        }}
      >
        {isConverting(document) ? (
          <span class="spinner" />
        ) : (
          <Icon file={state === 'failed' ? errorIcon : warns ? warningIcon : fileIcon} />
        )}
        <span class="document-text">
          <bdi class="document-name">{escapeInvisible(document.name)}</bdi>{' '}
          <span class="document-state">{formatState(document)}</span>
        </span>
      </button>
      {state === 'uploading' && (
        <progress aria-label={t('Uploading')} max={document.size || 1} value={document.sent} />
      )}
    </div>
  );
}

function Actions({ conversationId, document }: Props) {
  const page = usePage();
  const { id: turnId, state, file, opens, updateOnSave = false, focus } = document;
  const notConverted = state === 'attached' && getReadiness(document) === 'failed';
  const act = (type: 'cancelUpload' | 'removeDocument' | 'updateDocument') => () => {
    page.post({ type, conversationId, turnId });
    page.focusComposer();
  };
  return (
    <div class="document-actions" role="gridcell">
      {notConverted && file !== 'gone' ? (
        <Action name={t('Upload Again')} onClick={act('updateDocument')} />
      ) : (
        file === 'changed' && <Action name={t('Update')} onClick={act('updateDocument')} />
      )}
      {state === 'attached' && opens && file !== 'gone' && (
        <button
          type="button"
          class="icon-button toggle"
          aria-label={t('Update on Save')}
          aria-pressed={updateOnSave}
          title={t('Update on Save')}
          onClick={() => page.post({ type: 'updateOnSave', conversationId, turnId, on: !updateOnSave })}
        >
          <Icon file={syncIcon} />
        </button>
      )}
      {focus && (
        <FocusButton
          focus={focus}
          onClick={(on) => page.post({ type: 'includeDocument', conversationId, turnId, on })}
        />
      )}
      {isUnderWay(document) && (
        <IconButton icon={closeIcon} name={t('Cancel')} onClick={act('cancelUpload')} />
      )}
      {(state === 'failed' || state === 'cancelled') && (
        <IconButton icon={closeIcon} name={t('Remove')} onClick={act('removeDocument')} />
      )}
    </div>
  );
}

function Failure({ conversationId, document }: Props) {
  const page = usePage();
  const {
    id: turnId,
    problem = { text: t('The upload failed.'), actions: ['retry'] },
    offersText,
  } = document;
  const again = (type: 'retry' | 'retryAsText') => () => {
    page.post({ type, conversationId, turnId });
    page.focusComposer();
  };
  return (
    <div class="document-problem" role="gridcell">
      <ProblemText problem={problem} />
      {offersText && (
        <div class="problem-actions">
          <Action name={t('Upload as Text')} onClick={again('retryAsText')} />
        </div>
      )}
      <ProblemActions problem={problem} conversationId={conversationId} onRetry={again('retry')} />
    </div>
  );
}
