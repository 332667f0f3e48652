import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { filterConversations, groupConversations } from '../../shared/conversationGroups';
import type { ConversationSummary, SearchHit, ServiceConversation } from '../../shared/viewModel';
import { formatAge, formatMonth } from '../base/format';
import { strings } from '../base/strings';
import { usePage } from '../page/services';
import { type ConversationAction, ConversationRow, HitRow, ServiceRow } from './ListRow';
import { listStrings } from './listStrings';
import { useMessageSearch } from './useMessageSearch';
import { useServiceConversations } from './useServiceConversations';

interface Props {
  readonly conversations: readonly ConversationSummary[];
  /** Id of the conversation that is shown. */
  readonly shown: string;
  readonly onClose: () => void;
  /** Closed without opening anything. */
  readonly onCancel: () => void;
}

/** Rows rendered at first, so that long lists open fast; the others follow when idle. */
const INITIAL_ROWS = 40;
const ROWS_PER_IDLE = 200;

/** A quick pick for conversations and their messages inside the panel. */
export function ConversationList({ conversations, shown, onClose, onCancel }: Props) {
  const page = usePage();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  /** Id of the row that keys apply to; the first one by default. */
  const [chosen, setChosen] = useState<string>();
  const { hits, searching } = useMessageSearch(filter);
  const fromService = useServiceConversations(filter);
  const now = Date.now();
  const groups = useMemo(
    () => groupConversations(filterConversations(conversations, filter), now, titles),
    [conversations, filter],
  );
  const found = groups.flatMap((group) => group.conversations);
  const rows: readonly Row[] = [...found, ...fromService, ...hits];
  const at = Math.max(0, rows.map(getRowId).indexOf(chosen ?? ''));
  const active = rows[at];
  const renderedCount = Math.max(useRenderedCount(found.length, filter), at + 1);

  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    // Scroll to the very top, so that the first group's title is visible.
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, filter]);

  const open = (row: Row | undefined) => {
    if (!row) return;
    onClose();
    if (isHit(row)) page.openHit(row, filter);
    else if (isHere(row)) page.post({ type: 'openConversation', conversationId: row.id });
    else page.post({ type: 'openFromService', remoteId: row.id });
  };
  const act = (action: ConversationAction, { id, pinned }: ConversationSummary) => {
    if (action === 'pinConversation') {
      setChosen(id);
      page.post({ type: action, conversationId: id, pinned: !pinned });
    } else page.post({ type: action, conversationId: id });
    input.current?.focus();
  };
  const move = (step: number) => {
    const next = rows.at((at + step) % Math.max(rows.length, 1));
    if (next) setChosen(getRowId(next));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const inFilter = event.target === input.current;
    if (step) move(step);
    else if (event.key === 'Escape') inFilter ? onCancel() : input.current?.focus();
    else if (event.key === 'Tab') moveFocus(list.current, input.current, event.shiftKey ? -1 : 1);
    else if (event.key === 'F2' && active && !isHit(active) && isHere(active))
      act('renameConversation', active);
    else if (event.key === 'Enter' && inFilter) open(active);
    else return;
    event.preventDefault();
  };

  let place = 0;
  return (
    <div
      class="widget list"
      role="dialog"
      aria-modal="true"
      aria-label={strings.conversations}
      onKeyDown={onKeyDown}
    >
      <input
        ref={input}
        class="list-filter"
        type="text"
        dir="auto"
        role="combobox"
        aria-expanded="true"
        aria-haspopup="grid"
        aria-controls="conversations"
        aria-activedescendant={active && `row-${getRowId(active)}`}
        aria-label={listStrings.filter}
        placeholder={listStrings.filter}
        value={filter}
        onInput={(event) => {
          setFilter(event.currentTarget.value);
          setChosen(undefined);
        }}
      />
      <div class="list-items" id="conversations" role="grid" aria-label={strings.conversations} ref={list}>
        {groups.map(({ title, conversations: group }) => {
          const rowsLeft = renderedCount - place;
          place += group.length;
          return (
            rowsLeft > 0 && (
              <Group key={title} title={title}>
                {group.slice(0, rowsLeft).map((conversation) => (
                  <ConversationRow
                    key={conversation.id}
                    conversation={conversation}
                    age={formatAge(conversation.at, now)}
                    shown={conversation.id === shown}
                    active={conversation === active}
                    onChoose={setChosen}
                    onOpen={open}
                    onAct={act}
                  />
                ))}
              </Group>
            )
          );
        })}
        {fromService.length > 0 && (
          <Group title={listStrings.onService}>
            {fromService.map((conversation) => (
              <ServiceRow
                key={conversation.id}
                id={getRowId(conversation)}
                conversation={conversation}
                age={conversation.at === undefined ? '' : formatAge(conversation.at, now)}
                active={conversation === active}
                onChoose={setChosen}
                onOpen={open}
              />
            ))}
          </Group>
        )}
        {hits.length > 0 && (
          <Group title={listStrings.inMessages}>
            {hits.map((hit) => (
              <HitRow
                key={getRowId(hit)}
                id={getRowId(hit)}
                hit={hit}
                age={formatAge(hit.at, now)}
                active={hit === active}
                onChoose={setChosen}
                onOpen={open}
              />
            ))}
          </Group>
        )}
      </div>
      {rows.length === 0 && (
        <p class="list-none">
          {conversations.length === 0
            ? listStrings.noConversations
            : searching
              ? listStrings.searching
              : listStrings.noMatch}
        </p>
      )}
    </div>
  );
}

const titles = { ...listStrings.groups, formatMonth };

type Row = ConversationSummary | ServiceConversation | SearchHit;

function isHit(row: Row): row is SearchHit {
  return 'turnId' in row;
}

/** Returns whether a conversation is stored here; the others only exist on the service. */
function isHere(row: ConversationSummary | ServiceConversation): row is ConversationSummary {
  return 'pinned' in row;
}

function getRowId(row: Row): string {
  if (isHit(row)) return `${row.conversationId}-${row.turnId}`;
  // The service's ids may contain anything, but an element's id can't contain spaces.
  return isHere(row) ? row.id : `service-${encodeURIComponent(row.id)}`;
}

/** Moves the focus between the filter and the actions of the active row. */
function moveFocus(list: HTMLElement | null, input: HTMLElement | null, step: number): void {
  const stops = [input, ...(list?.querySelectorAll<HTMLElement>('.list-actions button') ?? [])];
  const now = stops.indexOf(document.activeElement as HTMLElement);
  stops.at((now + step) % stops.length)?.focus();
}

/** Returns how many rows to render; grows whenever the page is idle, and starts over for each filter. */
function useRenderedCount(total: number, filter: string): number {
  const [{ renderedCount, renderedFilter }, setRendered] = useState({
    renderedCount: INITIAL_ROWS,
    renderedFilter: filter,
  });
  const now = renderedFilter === filter ? renderedCount : INITIAL_ROWS;
  useEffect(() => {
    if (now >= total) return;
    const idle = requestIdleCallback(
      () => setRendered({ renderedCount: now + ROWS_PER_IDLE, renderedFilter: filter }),
      {
        timeout: 200,
      },
    );
    return () => cancelIdleCallback(idle);
  }, [now, total, filter]);
  return now;
}

interface GroupProps {
  readonly title: string;
  readonly children: preact.ComponentChildren;
}

function Group({ title, children }: GroupProps) {
  return (
    <div role="rowgroup" aria-label={title}>
      <div class="list-group" aria-hidden="true">
        {title}
      </div>
      {children}
    </div>
  );
}
