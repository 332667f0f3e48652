import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import type { PanelState, QueuedMessage } from '../../shared/viewModel';
import { formatCount } from '../base/l10n';
import { strings as common } from '../base/strings';
import { usePage } from '../page/services';
import { queueStrings as strings } from './queueStrings';
import { isSendKey } from './sendKey';

interface Props {
  readonly conversationId: string;
  readonly message: QueuedMessage;
  readonly sendWith: PanelState['sendWith'];
  readonly onDone: () => void;
}

/** Edits a queued message in its row; it isn't sent meanwhile. */
export function QueuedEditor({ conversationId, message, sendWith, onDone }: Props) {
  const page = usePage();
  const row = useRef<HTMLLIElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(message.text);
  const content = composeMessage(text, message.context);
  const count = countCodePoints(content);
  const tooLong = count > MESSAGE_LIMIT;
  const ready = content.trim() !== '' && !tooLong;

  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(message.text.length, message.text.length);
  }, []);
  const close = () => {
    const list = row.current?.parentElement;
    onDone();
    // Return the focus to the edit button once the row is rendered again.
    setTimeout(() => {
      const edited = list?.querySelector(`[data-message="${CSS.escape(message.id)}"]`);
      const button = edited?.querySelector<HTMLElement>('[data-action="edit"]');
      if (button) button.focus();
      else page.focusComposer();
    });
  };
  const save = () => {
    if (!ready) return;
    if (text !== message.text) {
      page.post({ type: 'changeQueued', conversationId, messageId: message.id, text });
    }
    close();
  };
  return (
    <li class="queued-editor" data-message={message.id} ref={row}>
      <textarea
        ref={box}
        dir="auto"
        rows={2}
        spellcheck
        aria-label={strings.editing}
        aria-invalid={tooLong}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isSendKey(event, sendWith)) save();
          else if (event.key === 'Escape' && !event.isComposing) close();
          else return;
          event.preventDefault();
        }}
      />
      <div class="queued-buttons">
        {tooLong && (
          <span class="composer-count">{common.counter(formatCount(count), formatCount(MESSAGE_LIMIT))}</span>
        )}
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button type="button" class="button primary" disabled={!ready} onClick={save}>
          {strings.save}
        </button>
      </div>
    </li>
  );
}
