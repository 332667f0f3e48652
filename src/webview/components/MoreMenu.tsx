import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ConversationView } from '../../shared/viewModel';
import { strings } from '../base/strings';
import { usePage } from '../page/services';

interface Props {
  readonly conversation: ConversationView;
  readonly onClose: () => void;
  /** Closed without choosing an entry. */
  readonly onCancel: () => void;
}

export function MoreMenu({ conversation, onClose, onCancel }: Props) {
  const page = usePage();
  const menu = useRef<HTMLDivElement>(null);
  // Focus before the first paint: the next key press belongs to the menu.
  useLayoutEffect(() => menu.current?.querySelector('button')?.focus(), []);

  const items = [
    ['renameConversation', strings.rename],
    ['changeBot', strings.changeBot],
    ['deleteConversation', strings.deleteConversation],
  ] as const;

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Escape: 0, Tab: 0 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (step === 0) return onCancel();
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons.at((now + step) % buttons.length)?.focus();
  };

  return (
    <div
      class="widget menu"
      role="menu"
      tabIndex={-1}
      aria-label={strings.more}
      ref={menu}
      onKeyDown={onKeyDown}
    >
      {items.map(([type, name]) => (
        <button
          key={type}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onMouseEnter={(event) => event.currentTarget.focus()}
          onClick={() => {
            onClose();
            page.post({ type, conversationId: conversation.id });
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
