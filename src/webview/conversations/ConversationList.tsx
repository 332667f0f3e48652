import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ToHost } from '../../shared/protocol/toHost';
import type { ListFilter } from '../../shared/view/conversationGroups';
import type { ConversationSummary, ServiceSummary } from '../../shared/view/viewModel';
import { formatAge } from '../base/format';
import { t } from '../base/l10n';
import { FilterInput } from '../components/FilterInput';
import { usePage } from '../page/pageServices';
import { FilterBar, SelectionBar } from './ListFooter';
import { type ConversationAction, ConversationRow, HitRow, ServiceRow } from './ListRow';
import { useActiveRow } from './useActiveRow';
import { getRowId, isHere, isHit, type Row, useListRows } from './useListRows';
import { useRenderedCount } from './useRenderedCount';
import { useSelection } from './useSelection';

interface Props {
  readonly conversations: readonly ConversationSummary[];
  /** Absent if there is only one. */
  readonly services: readonly ServiceSummary[] | undefined;
  /** ID of the conversation that is shown. */
  readonly shown: string;
  readonly onClose: () => void;
  /** Closed without opening anything. */
  readonly onCancel: () => void;
}

/** A quick pick for conversations and their messages inside the panel. */
export function ConversationList({ conversations, services = [], shown, onClose, onCancel }: Props) {
  const page = usePage();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  const [facets, setFacets] = useState<ListFilter>({});
  const selection = useSelection();
  const now = Date.now();
  const { groups, found, fromService, hits, rows, searching } = useListRows(
    conversations,
    filter,
    facets,
    now,
  );
  /** For the handlers of rows that weren't rendered again. */
  const shownConversations = useRef(found);
  shownConversations.current = found;
  const selected = selection.on ? found.filter(({ id }) => selection.ids.has(id)) : [];
  const { at, choose } = useActiveRow(rows.map(getRowId));
  const active = rows[at];
  const renderedCount = Math.max(useRenderedCount(found.length, JSON.stringify([filter, facets])), at + 1);

  const areSelectedGone = selection.ids.size > 0 && !conversations.some(({ id }) => selection.ids.has(id));
  useLayoutEffect(() => {
    if (areSelectedGone) selection.end();
  }, [areSelectedGone]);

  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    // Scroll to the very top, so that the first group's title is visible.
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
  }, [at, filter]);

  const open = (row: Row | undefined) => {
    if (!row) return;
    onClose();
    if (isHit(row)) page.openHit(row, filter);
    else if (isHere(row)) page.post({ type: 'openConversation', conversationId: row.id });
    else {
      const { baseUrl } = row.bot;
      page.post({ type: 'openFromService', remoteId: row.id, ...(baseUrl !== undefined && { baseUrl }) });
    }
  };
  const act = (action: ConversationAction, { id, pinned, archived }: ConversationSummary) => {
    if (action === 'pin') {
      choose(id);
      page.post({ type: 'pinConversation', conversationId: id, pinned: !pinned });
    } else if (action === 'rename') page.post({ type: 'renameConversation', conversationId: id });
    else if (action === 'delete') page.post({ type: 'deleteConversations', conversationIds: [id] });
    else page.post({ type: 'archiveConversations', conversationIds: [id], archived: !archived });
    input.current?.focus();
  };
  const order = () => shownConversations.current.map(({ id }) => id);
  const click = (conversation: ConversationSummary, { shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    input.current?.focus();
    if (shiftKey) selection.extend(conversation.id, conversation.id, order());
    else if (ctrlKey || metaKey || selection.on) selection.toggle(conversation.id);
    else open(conversation);
  };
  /** Extends the selection to the next row; what isn't stored here can't be selected. */
  const extend = (step: number) => {
    const [from, to] = [found[at], found[at + step]];
    if (!from || !to) return;
    selection.extend(from.id, to.id, order());
    choose(to.id);
  };
  const selectedIds = selected.map(({ id }) => id);
  const postForSelection = (message: ToHost) => {
    page.post(message);
    input.current?.focus();
  };
  const move = (step: number) => {
    const next = rows.at((at + step) % Math.max(rows.length, 1));
    if (next) choose(getRowId(next));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const inFilter = event.target === input.current;
    const activeHere = active && !isHit(active) && isHere(active) ? active : undefined;
    if (step && event.target instanceof HTMLSelectElement) return;
    if (step) inFilter && event.shiftKey ? extend(step) : move(step);
    else if (event.key === 'Escape') {
      if (!inFilter) input.current?.focus();
      else if (selection.on) selection.end();
      else onCancel();
    } else if (event.key === 'Tab') moveFocus(dialog.current, event.shiftKey ? -1 : 1);
    else if (event.key === 'F2' && activeHere) act('rename', activeHere);
    else if (event.key === 'Enter' && inFilter) {
      if (!selection.on) open(active);
      else if (activeHere) selection.toggle(activeHere.id);
    } else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && isAllSelected(event.target)) {
      selection.selectAll(order());
    } else return;
    event.preventDefault();
  };

  let place = 0;
  return (
    <div
      ref={dialog}
      class="widget list"
      role="dialog"
      aria-modal="true"
      aria-label={t('Conversations')}
      onKeyDown={onKeyDown}
    >
      <FilterInput
        input={input}
        name={t('Search conversations and messages')}
        popup="grid"
        rows="conversations"
        active={active && `row-${getRowId(active)}`}
        value={filter}
        onFilter={(text) => {
          setFilter(text);
          choose(undefined);
        }}
      />
      <div
        class="list-items"
        id="conversations"
        role="grid"
        aria-label={t('Conversations')}
        aria-multiselectable={selection.on}
        ref={list}
      >
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
                    selected={selection.on ? selection.ids.has(conversation.id) : undefined}
                    onChoose={choose}
                    onOpen={click}
                    onAct={act}
                  />
                ))}
              </Group>
            )
          );
        })}
        {fromService.length > 0 && (
          <Group title={services.length > 1 ? t('On the services') : t('On the service')}>
            {fromService.map((conversation) => (
              <ServiceRow
                key={getRowId(conversation)}
                id={getRowId(conversation)}
                conversation={conversation}
                age={conversation.at === undefined ? '' : formatAge(conversation.at, now)}
                active={conversation === active}
                onChoose={choose}
                onOpen={open}
              />
            ))}
          </Group>
        )}
        {hits.length > 0 && (
          <Group title={t('In messages')}>
            {hits.map((hit) => (
              <HitRow
                key={getRowId(hit)}
                id={getRowId(hit)}
                hit={hit}
                age={formatAge(hit.at, now)}
                active={hit === active}
                onChoose={choose}
                onOpen={open}
              />
            ))}
          </Group>
        )}
      </div>
      {rows.length === 0 && (
        <p class="list-none">
          {conversations.length === 0
            ? t('No conversations yet.')
            : searching
              ? t('Searching messages…')
              : filter.trim() === ''
                ? t('No conversations match the filters.')
                : t('No matching results.')}
        </p>
      )}
      {selection.on ? (
        <SelectionBar
          selected={selected}
          onExport={() => postForSelection({ type: 'exportConversations', conversationIds: selectedIds })}
          onArchive={(archived) => {
            postForSelection({ type: 'archiveConversations', conversationIds: selectedIds, archived });
            selection.end();
          }}
          onDelete={() => postForSelection({ type: 'deleteConversations', conversationIds: selectedIds })}
          onEnd={() => {
            selection.end();
            input.current?.focus();
          }}
        />
      ) : (
        conversations.length > 0 && (
          <FilterBar
            conversations={conversations}
            services={services}
            filter={facets}
            onFilter={(next) => {
              setFacets(next);
              choose(undefined);
            }}
            onSelect={() => {
              selection.start();
              input.current?.focus();
            }}
          />
        )
      )}
    </div>
  );
}

/** Returns whether all text of a text box is selected, so that Ctrl+A there would do nothing. */
function isAllSelected(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement)) return false;
  const { selectionStart, selectionEnd, value } = target;
  return selectionStart === 0 && selectionEnd === value.length;
}

/** Moves the focus between the filter, the actions of the active row, and what is below the rows. */
function moveFocus(dialog: HTMLElement | null, step: number): void {
  const stops = [...(dialog?.querySelectorAll<HTMLElement>('input, select, button:not(:disabled)') ?? [])];
  const now = stops.indexOf(document.activeElement as HTMLElement);
  stops.at((now + step) % stops.length)?.focus();
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
