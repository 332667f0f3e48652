import type { Bot, PanelState } from '../../shared/conversation';
import { countCharacters, formatCount, inert } from '../format';
import { Icon } from '../icons';
import { lookBack } from '../lookBack';
import { usePage } from '../page';
import type { Composer as ComposerState } from '../state';
import { strings } from '../strings';
import { IconButton } from './IconButton';

interface Props {
  readonly conversationId: string;
  readonly bot: Bot | undefined;
  readonly composer: ComposerState;
  readonly sendWith: PanelState['sendWith'];
  readonly streaming: boolean;
  /** The setup isn't done: one can write, not send. */
  readonly blocked: boolean;
}

/** Unicode code points, as the service counts them. */
const LIMIT = 2000;
const NEAR = 1800;

export function Composer({ conversationId, bot, composer, sendWith, streaming, blocked }: Props) {
  const page = usePage();
  const { text, sending, editing } = composer;
  const count = text.length < NEAR ? 0 : countCharacters(text);
  const tooLong = count > LIMIT;
  const limit = formatCount(LIMIT);
  const ready = text.trim() !== '' && !tooLong && !streaming && !blocked && sending === undefined;

  const send = () => {
    if (!ready) return;
    page.send();
    page.focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (sends(event, sendWith)) {
      event.preventDefault();
      send();
    } else if (sending === undefined) lookBack(event, page, composer);
  };

  return (
    <div class={tooLong ? 'composer too-long' : 'composer'}>
      {editing && (
        <p class="composer-note" id="editing">
          {strings.editing}{' '}
          <button type="button" class="quiet-button" onClick={() => page.cancelEdit()}>
            {strings.cancelEdit}
          </button>
        </p>
      )}
      <textarea
        id="message"
        dir="auto"
        rows={1}
        spellcheck
        aria-label={strings.message}
        aria-describedby={tooLong ? 'too-long' : editing && 'editing'}
        aria-invalid={tooLong}
        placeholder={strings.placeholder(bot ? inert(bot.name) : strings.bot)}
        value={text}
        onInput={(event) => page.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {tooLong && (
        <p class="composer-refusal" id="too-long" role="alert">
          <Icon name="error" />
          {strings.tooLong(limit)}
        </p>
      )}
      <div class="composer-bar">
        <IconButton
          icon="attach"
          name={strings.attach}
          onClick={() => page.post({ type: 'attach', conversationId })}
        />
        {count >= NEAR && (
          <span
            class="composer-count"
            role="img"
            aria-label={strings.counterLabel(formatCount(count), limit)}
          >
            {!tooLong && <Icon name="warning" />}
            {strings.counter(formatCount(count), limit)}
          </span>
        )}
        {streaming ? (
          <IconButton icon="stop" name={strings.stop} class="stop" onClick={() => page.stop()} />
        ) : (
          <IconButton icon="arrowUp" name={strings.send} class="send" disabled={!ready} onClick={send} />
        )}
      </div>
    </div>
  );
}

/** Whether a key sends. Never while an input method composes: its Enter picks a candidate (keyCode 229 in some). */
function sends(event: KeyboardEvent, sendWith: PanelState['sendWith']): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false;
  const control = event.ctrlKey || event.metaKey;
  return !event.shiftKey && !event.altKey && (sendWith === 'enter' || control);
}
