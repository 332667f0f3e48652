import infoIcon from '@vscode/codicons/src/icons/info.svg';
import { useMemo, useState } from 'preact/hooks';
import { MAX_SPLIT_LENGTH, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { splitMessage } from '../../shared/conversation/splitMessage';
import type { Overflow } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { formatCount, plural, t } from '../base/l10n';
import { QuietButton } from '../components/QuietButton';
import { usePage } from '../page/pageServices';

const remembered = {
  document: () => t('Too long for one message. It will be sent as a document.'),
  split: (count: string) =>
    t('Too long for one message. It will be sent as {0} messages, which all count toward your limit.', count),
} as const;

interface Props {
  /** The whole message, chips included. */
  readonly message: string;
  /** Length of the message in code points. */
  readonly count: number;
  readonly overflow: Overflow | undefined;
  /** Whether it can be sent now. */
  readonly ready: boolean;
  readonly sending: boolean;
}

/** Options for sending a text that is too long for one message. Nothing is shortened automatically. */
export function OverflowOffer({ message, count, overflow, ready, sending }: Props) {
  const page = usePage();
  const [isShortening, setIsShortening] = useState(false);
  const [always, setAlways] = useState(false);
  const canSplit = message.length <= MAX_SPLIT_LENGTH;
  const parts = useMemo(() => (canSplit ? formatCount(splitMessage(message).length) : ''), [message]);

  const send = (way: Overflow) => {
    if (always) page.post({ type: 'setOverflow', overflow: way });
    page.sendMessage(way);
    page.focusComposer();
  };
  if (overflow) {
    return (
      <Strip text={sending ? t('Sending…') : remembered[overflow](parts)}>
        <QuietButton name={t('Ask Each Time')} onClick={() => page.post({ type: 'setOverflow' })} />
      </Strip>
    );
  }
  const shorten = (on: boolean) => {
    setIsShortening(on);
    page.focusComposer();
  };
  if (isShortening) {
    return (
      <Strip
        text={plural(
          count - MESSAGE_LIMIT,
          '{0} character over the limit.',
          '{0} characters over the limit.',
        )}
      >
        <QuietButton name={t('Other Options')} onClick={() => shorten(false)} />
      </Strip>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form is filled in here.
    <div class="strip offer" role="group" aria-label={t('Too long for one message')}>
      <Icon file={infoIcon} />
      <div class="notice-text">
        <p role="status">
          {t(
            'Your message is {0} characters long; the limit is {1}.',
            formatCount(count),
            formatCount(MESSAGE_LIMIT),
          )}{' '}
          {canSplit && t('If split, it counts as {0} messages, each sent after the previous reply.', parts)}
        </p>
        <div class="problem-actions">
          <button type="button" class="button primary" disabled={!ready} onClick={() => send('document')}>
            {t('Send as Document')}
          </button>
          {canSplit && (
            <button type="button" class="button" disabled={!ready} onClick={() => send('split')}>
              {t('Split into {0} Messages', parts)}
            </button>
          )}
          <button type="button" class="button" onClick={() => shorten(true)}>
            {t('Shorten Manually')}
          </button>
        </div>
        <label class="offer-always">
          <input
            type="checkbox"
            checked={always}
            onChange={(event) => setAlways(event.currentTarget.checked)}
          />
          {t('Always do this')}
        </label>
      </div>
    </div>
  );
}

function Strip({ text, children }: { readonly text: string; readonly children: preact.ComponentChildren }) {
  return (
    <div class="strip">
      <Icon file={infoIcon} />
      <p class="notice-text" role="status">
        {text}
      </p>
      {children}
    </div>
  );
}
