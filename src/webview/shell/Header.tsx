import { useLayoutEffect, useState } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { ConversationSummary, ConversationView, ServiceSummary } from '../../shared/view/viewModel';
import { t } from '../base/l10n';
import { usePage } from '../page/pageServices';
import { useFocusReturn } from '../page/useFocusReturn';
import { useIdleImport } from '../page/useIdleImport';

interface Props {
  readonly conversation: ConversationView;
  readonly conversations: readonly ConversationSummary[];
  /** Absent if there is only one. */
  readonly services: readonly ServiceSummary[] | undefined;
}

/** Shows the conversation's name, and the list of conversations; the actions are in VS Code's title bar. */
export function Header({ conversation, conversations, services }: Props) {
  const page = usePage();
  const [open, setOpen] = useState(false);
  // Most sessions start with a message, not with the list.
  const List = useIdleImport(
    async () => (await import('../conversations/ConversationList')).ConversationList,
  );
  const focusReturn = useFocusReturn('.widget');
  const close = () => {
    setOpen(false);
    page.focusComposer();
  };
  const cancel = () => {
    setOpen(false);
    focusReturn.restore();
  };
  useLayoutEffect(
    () =>
      page.events.on('showList', () => {
        focusReturn.remember();
        setOpen(true);
        document.querySelector<HTMLElement>('.list-filter')?.focus();
      }),
    [page],
  );

  return (
    <header class="header">
      <h1 class={conversation.name ? 'title' : 'title unseen'}>
        <bdi>{escapeInvisible(conversation.name) || t('New Conversation')}</bdi>
      </h1>
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
      {open && List && (
        <List
          conversations={conversations}
          services={services}
          shown={conversation.id}
          onClose={close}
          onCancel={cancel}
        />
      )}
    </header>
  );
}
