import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { PanelState, QueuedEdit, QueuedMessageView } from '../../shared/view/viewModel';
import { formatCount, t } from '../base/l10n';
import { isSendKey } from '../base/sendKey';
import { usePage } from '../page/pageServices';

interface Props {
  readonly conversationId: string;
  readonly message: QueuedMessageView;
  readonly sendWith: PanelState['sendWith'];
  /** Text typed in a page that was closed or left. */
  readonly edit: QueuedEdit | undefined;
  readonly onDone: () => void;
}

/** Edits a queued message in its row; it isn't sent in the meantime. */
export function QueuedEditor({ conversationId, message, sendWith, edit, onDone }: Props) {
  const page = usePage();
  const row = useRef<HTMLLIElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const restored = useRef(edit?.messageId === message.id ? edit.text : undefined).current;
  const [text, setText] = useState(restored ?? message.text);
  const content = composeMessage(text, message.context);
  const count = countCodePoints(content);
  const tooLong = count > MESSAGE_LIMIT;
  const ready = content.trim() !== '' && !tooLong;

  useLayoutEffect(() => {
    if (restored !== undefined) return;
    box.current?.focus();
    box.current?.setSelectionRange(message.text.length, message.text.length);
  }, []);
  const storeDraft = (draft: string) => {
    page.post({ type: 'draftQueued', conversationId, messageId: message.id, text: draft });
  };
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
  const cancel = () => {
    if (text !== message.text) storeDraft(message.text);
    close();
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
        aria-label={t('Queued Message')}
        aria-invalid={tooLong}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          storeDraft(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (isSendKey(event, sendWith)) save();
          else if (event.key === 'Escape' && !event.isComposing) cancel();
          else return;
          event.preventDefault();
        }}
      />
      <div class="queued-buttons">
        {tooLong && (
          <span class="composer-count">{`${formatCount(count)} / ${formatCount(MESSAGE_LIMIT)}`}</span>
        )}
        <button type="button" class="button" onClick={cancel}>
          {t('Cancel')}
        </button>
        <button type="button" class="button primary" disabled={!ready} onClick={save}>
          {t('Save')}
        </button>
      </div>
    </li>
  );
}
