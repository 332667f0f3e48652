import debugPauseIcon from '@vscode/codicons/src/icons/debug-pause.svg';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import type { PanelState, QueueView } from '../../shared/view/viewModel';
import { Icon } from '../base/icons';
import { plural, t } from '../base/l10n';
import { moveFocusByArrow, useRovingTabIndex } from '../base/roving';
import { Action } from '../components/Problem';
import { usePage } from '../page/pageServices';
import { QueuedEditor } from './QueuedEditor';
import { QueuedRow } from './QueuedRow';

interface Props {
  readonly conversationId: string;
  readonly queue: QueueView | undefined;
  readonly streaming: boolean;
  readonly sendWith: PanelState['sendWith'];
}

/** The queued messages above the composer: one Tab stop, with arrow keys within. */
export function Queue({ conversationId, queue, streaming, sendWith }: Props) {
  const page = usePage();
  const rows = useRef<HTMLUListElement>(null);
  const { edit } = queue ?? {};
  const [editing, setEditing] = useState(edit?.messageId);
  const { messages = [], paused, waitsFor } = queue ?? {};
  const ids = messages.map(({ id }) => id);

  useLayoutEffect(() => {
    if (editing === undefined) return;
    page.post({ type: 'editQueued', conversationId, messageId: editing });
    return () => page.post({ type: 'editQueued', conversationId });
  }, [page, conversationId, editing]);
  useAnnouncements(queue);
  useRovingTabIndex(rows);
  useStableFocus(rows, ids, () => page.focusComposer());

  if (!queue) return null;
  return (
    <section class="queue">
      <div class="queue-head">
        <p
          class="queue-title"
          title={t('Each queued message counts toward your plan’s message limit once it’s sent.')}
        >
          <strong>{t('Queue')}</strong> <span class="queue-count">{formatQueueCount(messages.length)}</span>
        </p>
        {paused ? (
          <div class="queue-paused">
            <Icon file={debugPauseIcon} />
            <p>{paused}</p>
            <Action
              name={t('Resume')}
              onClick={() => {
                page.post({ type: 'resumeQueue', conversationId });
                page.focusComposer();
              }}
            />
          </div>
        ) : (
          waitsFor !== undefined && (
            <p class="queue-waits">
              <bdi>{t('Waiting for “{0}”', escapeInvisible(waitsFor))}</bdi>
            </p>
          )
        )}
      </div>
      <ul
        class="queue-rows"
        aria-label={t('Queue')}
        ref={rows}
        onKeyDown={(event) => moveFocusByArrow(event, rows, 'li', () => page.focusComposer())}
      >
        {messages.map((message, index) =>
          message.id === editing ? (
            <QueuedEditor
              key={message.id}
              conversationId={conversationId}
              message={message}
              sendWith={sendWith}
              edit={edit}
              onDone={() => setEditing(undefined)}
            />
          ) : (
            <QueuedRow
              key={message.id}
              conversationId={conversationId}
              message={message}
              index={index}
              count={messages.length}
              streaming={streaming}
              waits={waitsFor !== undefined}
              hasEdit={edit?.messageId === message.id && edit.text !== message.text}
              onEdit={() => setEditing(message.id)}
            />
          ),
        )}
      </ul>
    </section>
  );
}

/** Announces messages added to the queue, and why it is paused. */
function useAnnouncements(queue: QueueView | undefined): void {
  const page = usePage();
  const before = useRef(queue);
  useEffect(() => {
    const { messages: oldMessages = [], paused: oldPaused } = before.current ?? {};
    before.current = queue;
    if (!queue) return;
    const { messages, paused } = queue;
    if (messages.length > oldMessages.length)
      page.announce(`${t('Added to the queue.')} ${formatQueueCount(messages.length)}`);
    if (paused !== undefined && paused !== oldPaused) page.announce(paused);
  });
}

/** Keeps the focus on a button when its row moves, and moves it to the next row when the row is removed. */
function useStableFocus(
  rows: { readonly current: HTMLElement | null },
  ids: readonly string[],
  leave: () => void,
): void {
  const page = usePage();
  const last = useRef<{ id: string; action: string; index: number } | undefined>(undefined);
  useEffect(() => {
    const list = rows.current;
    const onFocus = ({ target }: FocusEvent) => {
      const button = target as HTMLElement;
      const row = button.closest('li');
      const id = row?.dataset.message ?? '';
      const { action } = button.dataset;
      last.current = action === undefined ? undefined : { id, action, index: Number(row?.dataset.index) };
    };
    const onLeave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget && !list?.contains(relatedTarget as Node)) last.current = undefined;
    };
    list?.addEventListener('focusin', onFocus);
    list?.addEventListener('focusout', onLeave);
    return () => {
      list?.removeEventListener('focusin', onFocus);
      list?.removeEventListener('focusout', onLeave);
    };
  });
  const order = ids.join(' ');
  useLayoutEffect(() => {
    if (!last.current) return;
    const { id, action, index } = last.current;
    const now = ids.indexOf(id);
    if (now >= 0 && now !== index) {
      last.current = { ...last.current, index: now };
      page.announce(t('Moved to position {0} of {1}.', now + 1, ids.length));
    }
    if (document.activeElement !== document.body) return;
    const to = now < 0 ? ids[Math.min(index, ids.length - 1)] : id;
    const row =
      to === undefined ? undefined : rows.current?.querySelector(`[data-message="${CSS.escape(to)}"]`);
    const button = row?.querySelector<HTMLElement>(`[data-action="${action}"]`);
    if (button) button.focus();
    else leave();
  }, [order]);
}

function formatQueueCount(count: number): string {
  return plural(
    count,
    '{0} message (counts toward your limit)',
    '{0} messages (each counts toward your limit)',
  );
}
