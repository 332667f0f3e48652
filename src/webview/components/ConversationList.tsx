import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConversationSummary } from '../../shared/conversation';
import { formatAge, inert } from '../format';
import { Icon } from '../icons';
import { usePage } from '../page';
import { strings } from '../strings';

interface Props {
  readonly conversations: readonly ConversationSummary[];
  /** Id of the conversation on the page. */
  readonly shown: string;
  readonly onClose: () => void;
}

/** A quick pick of conversations inside the panel. */
export function ConversationList({ conversations, shown, onClose }: Props) {
  const page = usePage();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  const [active, setActive] = useState(0);
  const found = conversations.filter((it) => matches(it, filter));
  const now = Date.now();

  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const open = (conversation: ConversationSummary | undefined) => {
    if (!conversation) return;
    onClose();
    page.post({ type: 'openConversation', conversationId: conversation.id });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((active + step + found.length) % Math.max(found.length, 1));
    else if (event.key === 'Enter') open(found[active]);
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
  };

  return (
    <div class="widget list" role="dialog" aria-modal="true" aria-label={strings.conversations}>
      <input
        ref={input}
        class="list-filter"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="conversations"
        aria-activedescendant={found[active] ? `conversation-${active}` : undefined}
        aria-label={strings.filter}
        placeholder={strings.filter}
        value={filter}
        onInput={(event) => {
          setFilter(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="list-items" id="conversations" role="listbox" aria-label={strings.conversations} ref={list}>
        {found.map((it, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above takes the keys.
          <div
            key={it.id}
            id={`conversation-${index}`}
            class={it.id === shown ? 'list-item shown' : 'list-item'}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseMove={() => setActive(index)}
            onClick={() => open(it)}
          >
            <span class="list-mark">
              {it.streaming && <span class="spinner" role="img" aria-label={strings.streaming} />}
              {it.unread && !it.streaming && <span class="dot" role="img" aria-label={strings.unread} />}
              {it.id === shown && !it.streaming && !it.unread && <Icon name="check" />}
            </span>
            <bdi class="list-name">{inert(it.name) || strings.newConversation}</bdi>
            <bdi class="list-bot">{inert(it.bot.name)}</bdi>
            <span class="list-age">{formatAge(it.at, now)}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="list-none">{conversations.length > 0 ? strings.noMatch : strings.noConversations}</p>
      )}
    </div>
  );
}

function matches({ name, bot }: ConversationSummary, filter: string): boolean {
  const text = `${name} ${bot.name}`.toLocaleLowerCase();
  return filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
