import ellipsisIcon from '@vscode/codicons/src/icons/ellipsis.svg';
import historyIcon from '@vscode/codicons/src/icons/history.svg';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConversationSummary, ConversationView } from '../../shared/viewModel';
import { escapeInvisible } from '../base/format';
import { getLastFocused } from '../base/lastFocus';
import { strings } from '../base/strings';
import { useIdleImport } from '../base/useIdleImport';
import { IconButton } from '../components/IconButton';
import { MoreMenu } from '../components/MoreMenu';
import { usePage } from '../page/services';

interface Props {
  readonly conversation: ConversationView;
  readonly conversations: readonly ConversationSummary[];
}

export function Header({ conversation, conversations }: Props) {
  const page = usePage();
  const [open, setOpen] = useState<'list' | 'menu'>();
  // Most sessions start with a message, not with the list.
  const List = useIdleImport(
    async () => (await import('../conversations/ConversationList')).ConversationList,
  );
  const hasUnread = conversations.some(({ id, unread }) => unread && id !== conversation.id);
  /** The element that had the focus before the list or menu opened. */
  const before = useRef<HTMLElement>(undefined);
  const show = (what: 'list' | 'menu') => {
    const focused = getLastFocused();
    if (!focused?.closest('.widget')) before.current = focused;
    setOpen(what);
  };
  const close = () => {
    setOpen(undefined);
    page.focusComposer();
  };
  const cancel = () => {
    setOpen(undefined);
    if (before.current?.isConnected) before.current.focus();
    else page.focusComposer();
  };
  useLayoutEffect(
    () =>
      page.events.on('showList', () => {
        show('list');
        document.querySelector<HTMLElement>('.list-filter')?.focus();
      }),
    [page],
  );
  const toggle = (what: 'list' | 'menu') => (open === what ? cancel() : show(what));

  return (
    <header class="header">
      <h1 class="title">
        <bdi class="title-name">{escapeInvisible(conversation.name) || strings.newConversation}</bdi>
        {conversation.bot && <bdi class="title-bot">{escapeInvisible(conversation.bot.name)}</bdi>}
      </h1>
      <div class="actions">
        <IconButton
          icon={historyIcon}
          name={hasUnread ? strings.unreadElsewhere : strings.conversations}
          class={hasUnread ? 'has-unread' : ''}
          keepsFocus
          onClick={() => toggle('list')}
        />
        <IconButton icon={ellipsisIcon} name={strings.more} keepsFocus onClick={() => toggle('menu')} />
      </div>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: closes the list by a click outside; the key for it is Escape.
        <div
          class="backdrop"
          onMouseDown={(event) => {
            event.preventDefault();
            cancel();
          }}
        />
      )}
      {open === 'list' && List && (
        <List conversations={conversations} shown={conversation.id} onClose={close} onCancel={cancel} />
      )}
      {open === 'menu' && <MoreMenu conversation={conversation} onClose={close} onCancel={cancel} />}
    </header>
  );
}
