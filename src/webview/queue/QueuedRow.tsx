import arrowUpIcon from '@vscode/codicons/src/icons/arrow-up.svg';
import chevronDownIcon from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronUpIcon from '@vscode/codicons/src/icons/chevron-up.svg';
import closeIcon from '@vscode/codicons/src/icons/close.svg';
import editIcon from '@vscode/codicons/src/icons/edit.svg';
import globeIcon from '@vscode/codicons/src/icons/globe.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { QueuedMessageView } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { t } from '../base/l10n';
import { usePage } from '../page/pageServices';

interface Props {
  readonly conversationId: string;
  readonly message: QueuedMessageView;
  /** Its position from 0, among `count` rows. */
  readonly index: number;
  readonly count: number;
  readonly streaming: boolean;
  /** Whether the queue waits for a document. */
  readonly waits: boolean;
  /** Set if an edited text isn't saved yet, here or in another page. */
  readonly hasEdit: boolean;
  readonly onEdit: () => void;
}

/** Maximum length shown of a message, in code units; a row has two lines. */
const MAX_SHOWN_LENGTH = 300;

/** A queued message with its actions. */
export function QueuedRow(props: Props) {
  const { conversationId, message, index, count, streaming, waits, hasEdit, onEdit } = props;
  const page = usePage();
  const { id: messageId, text, context, webSearch, maybeSent } = message;
  const move = (step: -1 | 1) => () => page.post({ type: 'moveQueued', conversationId, messageId, step });
  // Sending the text from before would lose the edited one: it is shown instead, to be saved first.
  const send = hasEdit ? onEdit : () => page.post({ type: 'sendQueued', conversationId, messageId });
  return (
    <li class="queue-row" data-message={messageId} data-index={index}>
      <div class="queued-main">
        <p class="queued-text" dir="auto" title={escapeInvisible(text)}>
          {escapeInvisible(text.slice(0, MAX_SHOWN_LENGTH))}
        </p>
        {context.length > 0 && (
          <p class="queued-detail">
            <bdi>{context.map(({ name }) => escapeInvisible(name)).join(', ')}</bdi>
          </p>
        )}
        {webSearch && (
          <p class="queued-detail">
            <Icon file={globeIcon} />
            {t('With web search')}
          </p>
        )}
        {maybeSent && (
          <p class="queued-detail queued-warning">
            <Icon file={warningIcon} />
            {t('May have been sent')}
          </p>
        )}
      </div>
      <div class="queued-actions">
        <RowButton
          action="send"
          icon={arrowUpIcon}
          name={t('Send Now')}
          title={
            streaming
              ? t('Send Now (stops the reply)')
              : waits
                ? t('Send now, without documents that are still being processed')
                : t('Send Now')
          }
          onClick={send}
        />
        <RowButton action="edit" icon={editIcon} name={t('Edit')} onClick={onEdit} />
        {count > 1 && (
          <>
            <RowButton
              action="up"
              icon={chevronUpIcon}
              name={t('Move Up')}
              disabled={index === 0}
              onClick={move(-1)}
            />
            <RowButton
              action="down"
              icon={chevronDownIcon}
              name={t('Move Down')}
              disabled={index === count - 1}
              onClick={move(1)}
            />
          </>
        )}
        <RowButton
          action="remove"
          icon={closeIcon}
          name={t('Remove')}
          onClick={() => page.post({ type: 'removeQueued', conversationId, messageId })}
        />
      </div>
    </li>
  );
}

interface ButtonProps {
  /** Identifies the button when its row has moved. */
  readonly action: string;
  readonly icon: string;
  readonly name: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A button that keeps the focus when it is disabled. */
function RowButton({ action, icon, name, title = name, disabled = false, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      data-action={action}
      aria-label={name}
      title={title}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
    >
      <Icon file={icon} />
    </button>
  );
}
