import arrowUpIcon from '@vscode/codicons/src/icons/arrow-up.svg';
import attachIcon from '@vscode/codicons/src/icons/attach.svg';
import stopIcon from '@vscode/codicons/src/icons/primitive-square.svg';
import warningIcon from '@vscode/codicons/src/icons/warning.svg';
import {
  composeMessage,
  countCodePoints,
  MAX_SPLIT_LENGTH,
  MESSAGE_LIMIT,
} from '../../shared/conversation/message';
import type {
  Bot,
  ComposingView,
  Overflow,
  PanelState,
  QueueView,
  QuotaEstimate,
  SendTime,
} from '../../shared/view/viewModel';
import { formatPlaceholder } from '../base/format';
import { Icon } from '../base/icons';
import { formatCount, plural, t } from '../base/l10n';
import { isSendKey } from '../base/sendKey';
import { IconButton } from '../components/IconButton';
import { usePage } from '../page/pageServices';
import type { Composer as ComposerState } from '../page/state';
import { useIdleImport } from '../page/useIdleImport';
import { handleHistoryKey } from './inputHistory';

interface Props {
  readonly conversationId: string;
  readonly bot: Bot | undefined;
  readonly composer: ComposerState;
  readonly composing: ComposingView | undefined;
  readonly queue: QueueView | undefined;
  readonly overflow: Overflow | undefined;
  readonly quota: QuotaEstimate | undefined;
  readonly sendWith: PanelState['sendWith'];
  readonly streaming: boolean;
  /** Documents are still being processed: a bot can't use them yet. */
  readonly converting: boolean;
  /** The setup isn't complete: the user can type but not send. */
  readonly blocked: boolean;
}

/** Length in code points from which the counter is shown. */
const COUNTER_THRESHOLD = 1800;

export function Composer(props: Props) {
  const { conversationId, bot, composer, composing, queue, sendWith, quota } = props;
  const { streaming, converting, blocked } = props;
  const page = usePage();
  // The parts that most messages don't need.
  const extras = useIdleImport(() => import('./ComposerExtras'), { timeout: 500 });
  const { text, sending, editing, recalledId } = composer;
  const context = composing?.context ?? [];
  const message = composeMessage(text, context);
  const count = message.length < COUNTER_THRESHOLD ? 0 : countCodePoints(message);
  const tooLong = count > MESSAGE_LIMIT;
  const overflow =
    message.length > MAX_SPLIT_LENGTH && props.overflow === 'split' ? undefined : props.overflow;
  const limit = formatCount(MESSAGE_LIMIT);
  const sendable = message.trim() !== '' && !blocked && text !== sending;
  const ready = sendable && (!tooLong || overflow !== undefined);

  const send = (time?: SendTime) => {
    // For a message that can't be sent as it is, there are other options.
    if (tooLong && !ready) document.querySelector<HTMLElement>('.offer button')?.focus();
    if (!ready) return;
    page.sendMessage(tooLong ? overflow : undefined, time);
    page.focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSendKey(event, sendWith)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Backspace' && text === '' && context.length > 0) {
      page.post({ type: 'removeContext', conversationId, chipId: context.at(-1)?.id ?? '' });
    } else if (sending === undefined) handleHistoryKey(event, page, composer);
  };

  const extrasProps = {
    ...{ conversationId, bot, composing, queue, streaming, sendWith },
    ...{ text, message, count, overflow, ready: sendable },
    isDraft: editing === undefined && recalledId === undefined,
  };
  return (
    <>
      {extras && <extras.AboveComposer {...extrasProps} sending={sending !== undefined} />}
      <div class={tooLong ? 'composer too-long' : 'composer'}>
        {editing && (
          <p class="composer-note" id="editing">
            {t('This will be sent as a new message. The bot still remembers the conversation so far.')}{' '}
            {extras && !blocked && <extras.AskInFork {...extrasProps} turnId={editing} />}{' '}
            <button type="button" class="quiet-button" onClick={() => page.cancelEdit()}>
              {t('Cancel')}
            </button>
          </p>
        )}
        {extras && <extras.ComposerTop {...extrasProps} />}
        <textarea
          id="message"
          dir="auto"
          rows={1}
          spellcheck
          aria-label={t('Message')}
          aria-describedby={editing && 'editing'}
          aria-invalid={tooLong}
          placeholder={formatPlaceholder(bot)}
          value={text}
          onInput={(event) => page.setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="composer-bar">
          <IconButton
            icon={attachIcon}
            name={t('Attach Files…')}
            onClick={() => page.post({ type: 'attach', conversationId })}
          />
          {extras && <extras.ComposerButtons {...extrasProps} />}
          {count >= COUNTER_THRESHOLD && (
            <span
              class="composer-count"
              role="img"
              aria-label={t('{0} of {1} characters', formatCount(count), limit)}
            >
              {!tooLong && <Icon file={warningIcon} />}
              {`${formatCount(count)} / ${limit}`}
            </span>
          )}
          <div class="composer-send">
            {converting && !streaming ? (
              <>
                <button
                  type="button"
                  class="button"
                  title={t('Send now, without documents that are still being processed')}
                  disabled={!ready}
                  onClick={() => send('now')}
                >
                  {t('Send Now')}
                </button>
                <button
                  type="button"
                  class="button primary"
                  title={t('Send when the service has processed the documents')}
                  disabled={!ready}
                  onClick={() => send()}
                >
                  {t('Send When Ready')}
                </button>
              </>
            ) : (
              (!streaming || ready) && (
                <IconButton
                  icon={arrowUpIcon}
                  name={t('Send')}
                  title={streaming ? t('Send (after the reply)') : formatSendTitle(quota)}
                  class={streaming ? 'send later' : 'send'}
                  disabled={!ready}
                  onClick={() => send()}
                />
              )
            )}
            {streaming && (
              <IconButton icon={stopIcon} name={t('Stop')} class="stop" onClick={() => page.stopReply()} />
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function formatSendTitle({ messages, credits }: QuotaEstimate = { messages: 0 }): string {
  if (messages === 0) return t('Send');
  if (credits !== undefined) return t('Send (about {0} credits in the last 30 days)', formatCount(credits));
  return plural(
    messages,
    'Send (about {0} message in the last 30 days)',
    'Send (about {0} messages in the last 30 days)',
  );
}
