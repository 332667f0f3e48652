import { useMemo } from 'preact/hooks';
import {
  type ConversationGroup,
  groupConversations,
  type ListFilter,
  matchesFilter,
  selectConversations,
} from '../../shared/view/conversationGroups';
import type { ConversationSummary, SearchHit, ServiceConversation } from '../../shared/view/viewModel';
import { formatMonth } from '../base/format';
import { t } from '../base/l10n';
import { useMessageSearch } from './useMessageSearch';
import { useServiceConversations } from './useServiceConversations';

const groups = {
  pinned: t('Pinned'),
  today: t('Today'),
  yesterday: t('Yesterday'),
  week: t('Previous 7 days'),
  month: t('Previous 30 days'),
  archived: t('Archived'),
} as const;

export type Row = ConversationSummary | ServiceConversation | SearchHit;

/** The content of the list. */
export interface ListRows {
  readonly groups: readonly ConversationGroup[];
  /** The conversations of all groups. */
  readonly found: readonly ConversationSummary[];
  readonly fromService: readonly ServiceConversation[];
  readonly hits: readonly SearchHit[];
  /** All rows in their order. */
  readonly rows: readonly Row[];
  /** Whether messages are still being searched. */
  readonly searching: boolean;
}

const titles = { ...groups, formatMonth };

/** Returns what matches the text and the other filters of the list. */
export function useListRows(
  conversations: readonly ConversationSummary[],
  filter: string,
  facets: ListFilter,
  now: number,
): ListRows {
  const search = useMessageSearch(filter);
  const service = useServiceConversations(filter);
  const groups = useMemo(
    () => groupConversations(selectConversations(conversations, facets, filter), now, titles),
    [conversations, facets, filter],
  );
  const found = useMemo(() => groups.flatMap((group) => group.conversations), [groups]);
  const hits = useMemo(() => {
    if (!isFiltering(facets)) return search.hits;
    const matching = conversations.filter((conversation) => matchesFilter(conversation, facets));
    const ids = new Set(matching.map(({ id }) => id));
    return search.hits.filter(({ conversationId }) => ids.has(conversationId));
  }, [search.hits, conversations, facets]);
  // The services know neither workspaces nor what is unread or archived here.
  const fromService = service.filter(
    ({ bot }) =>
      !facets.workspace &&
      !facets.status &&
      (facets.service ?? bot.baseUrl) === bot.baseUrl &&
      (facets.bot ?? bot.id) === bot.id,
  );
  const rows = [...found, ...fromService, ...hits];
  return { groups, found, fromService, hits, rows, searching: search.searching };
}

export function isHit(row: Row): row is SearchHit {
  return 'turnId' in row;
}

/** Returns whether a conversation is stored here; the others only exist on the service. */
export function isHere(row: ConversationSummary | ServiceConversation): row is ConversationSummary {
  return 'pinned' in row;
}

export function getRowId(row: Row): string {
  if (isHit(row)) return `${row.conversationId}-${row.turnId}`;
  // The service's IDs may contain anything, but an element's ID can't contain spaces.
  return isHere(row) ? row.id : `service-${encodeURIComponent(`${row.bot.baseUrl ?? ''} ${row.id}`)}`;
}

function isFiltering(filter: ListFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
