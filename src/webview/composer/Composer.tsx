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
import { formatCount } from '../base/l10n';
import { isSendKey } from '../base/sendKey';
import { strings } from '../base/strings';
import { useIdleImport } from '../base/useIdleImport';
import { IconButton } from '../components/IconButton';
import { usePage } from '../page/pageServices';
import type { Composer as ComposerState } from '../page/state';
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
  const { text, sending, editing } = composer;
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
  };
  return (
    <>
      {extras && <extras.AboveComposer {...extrasProps} sending={sending !== undefined} />}
      <div class={tooLong ? 'composer too-long' : 'composer'}>
        {editing && (
          <p class="composer-note" id="editing">
            {strings.editing} {extras && !blocked && <extras.AskInFork {...extrasProps} turnId={editing} />}{' '}
            <button type="button" class="quiet-button" onClick={() => page.cancelEdit()}>
              {strings.cancelEdit}
            </button>
          </p>
        )}
        {extras && <extras.ComposerTop {...extrasProps} />}
        <textarea
          id="message"
          dir="auto"
          rows={1}
          spellcheck
          aria-label={strings.message}
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
            name={strings.attach}
            onClick={() => page.post({ type: 'attach', conversationId })}
          />
          {extras && <extras.ComposerButtons {...extrasProps} />}
          {count >= COUNTER_THRESHOLD && (
            <span
              class="composer-count"
              role="img"
              aria-label={strings.counterLabel(formatCount(count), limit)}
            >
              {!tooLong && <Icon file={warningIcon} />}
              {strings.counter(formatCount(count), limit)}
            </span>
          )}
          <div class="composer-send">
            {converting && !streaming ? (
              <>
                <button
                  type="button"
                  class="button"
                  title={strings.sendNowTitle}
                  disabled={!ready}
                  onClick={() => send('now')}
                >
                  {strings.sendNow}
                </button>
                <button
                  type="button"
                  class="button primary"
                  title={strings.sendWhenReadyTitle}
                  disabled={!ready}
                  onClick={() => send()}
                >
                  {strings.sendWhenReady}
                </button>
              </>
            ) : (
              (!streaming || ready) && (
                <IconButton
                  icon={arrowUpIcon}
                  name={strings.send}
                  title={streaming ? strings.sendLater : strings.sendTitle(quota)}
                  class={streaming ? 'send later' : 'send'}
                  disabled={!ready}
                  onClick={() => send()}
                />
              )
            )}
            {streaming && (
              <IconButton icon={stopIcon} name={strings.stop} class="stop" onClick={() => page.stopReply()} />
            )}
          </div>
        </div>
      </div>
    </>
  );
}
