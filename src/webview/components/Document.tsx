import type { DocumentTurn } from '../../shared/conversation';
import { formatBytes, inert } from '../format';
import { Icon } from '../icons';
import { usePage } from '../page';
import { strings } from '../strings';
import { IconButton } from './IconButton';
import { Action, ProblemActions, ProblemText } from './Problem';

interface Props {
  readonly conversationId: string;
  readonly document: DocumentTurn;
}

const UNDER_WAY: ReadonlySet<DocumentTurn['state']> = new Set([
  'queued',
  'signing',
  'uploading',
  'registering',
]);

/** A file in the conversation, or on its way there. */
export function DocumentView({ conversationId, document }: Props) {
  const page = usePage();
  const { id, state, problem } = document;
  const name = inert(document.name);
  const size = formatBytes(document.size);
  const uploading = state === 'uploading';
  const retry = () => {
    page.post({ type: 'retry', conversationId, turnId: id });
    page.focusComposer();
  };
  return (
    <article
      class="turn document"
      data-turn={id}
      aria-label={strings.document(name)}
      aria-busy={UNDER_WAY.has(state)}
    >
      <div class={`document-card ${state}`}>
        <Icon name="file" />
        <div class="document-text">
          <bdi class="document-name" title={name}>
            {name}
          </bdi>
          <span class="document-state">
            {uploading
              ? strings.uploaded(formatBytes(document.sent), size)
              : `${size}, ${strings.documentStates[state].toLocaleLowerCase()}`}
          </span>
        </div>
        {UNDER_WAY.has(state) && (
          <IconButton
            icon="close"
            name={strings.cancelUpload}
            onClick={() => {
              page.post({ type: 'cancelUpload', conversationId, turnId: id });
              page.focusComposer();
            }}
          />
        )}
        {uploading && (
          <progress
            aria-label={strings.documentStates.uploading}
            max={document.size || 1}
            value={document.sent}
          />
        )}
      </div>
      {state === 'failed' && (
        <div class="notice failed">
          <Icon name="error" />
          <div class="notice-text">
            <ProblemText problem={problem ?? { text: strings.uploadFailed, actions: [] }} />
            {problem ? (
              <ProblemActions problem={problem} conversationId={conversationId} onRetry={retry} />
            ) : (
              <div class="problem-actions">
                <Action name={strings.retry} onClick={retry} />
              </div>
            )}
          </div>
        </div>
      )}
    </article>
  );
}
