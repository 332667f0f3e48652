import { foldText, parseSearchWords } from '../text/searchText';
import type { Bot, ConversationSummary } from './viewModel';

const DAY_MS = 86_400_000;

export interface ConversationGroup {
  readonly title: string;
  readonly conversations: readonly ConversationSummary[];
}

export interface GroupTitles {
  readonly pinned: string;
  readonly today: string;
  readonly yesterday: string;
  /** The previous seven days. */
  readonly week: string;
  /** The previous thirty days. */
  readonly month: string;
  readonly archived: string;
  /** Title for a time longer ago. */
  formatMonth(at: number): string;
}

/**
 * Groups conversations by the time of their last turn, pinned ones first and archived ones last; keeps the order
 * within a group.
 */
export function groupConversations(
  conversations: readonly ConversationSummary[],
  now: number,
  titles: GroupTitles,
): ConversationGroup[] {
  const today = getMidnight(now);
  const groups = new Map<string, ConversationSummary[]>([[titles.pinned, []]]);
  const archived: ConversationSummary[] = [];
  for (const conversation of conversations) {
    if (conversation.archived) {
      archived.push(conversation);
      continue;
    }
    const title = conversation.pinned ? titles.pinned : formatGroupTitle(conversation.at, today, titles);
    const group = groups.get(title);
    if (group) group.push(conversation);
    else groups.set(title, [conversation]);
  }
  return [...groups, [titles.archived, archived] as const]
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => ({ title, conversations: group }));
}

/** The filters of a list of conversations, besides the words of a search. */
export interface ListFilter {
  /** The base URL of a service. */
  readonly service?: string | undefined;
  /** The ID of a bot. */
  readonly bot?: string | undefined;
  /** The ID of a workspace. */
  readonly workspace?: string | undefined;
  readonly status?: 'unread' | 'archived' | undefined;
}

/** Returns the conversations that a list shows. Archived ones need a filter, or a search that finds them. */
export function selectConversations(
  conversations: readonly ConversationSummary[],
  filter: ListFilter,
  words: string,
): readonly ConversationSummary[] {
  const selected = selectListed(conversations, words, filter.status).filter((conversation) =>
    matchesFilter(conversation, filter),
  );
  return filterConversations(selected, words);
}

/** Returns the conversations without those that are archived, unless a filter asks for them or something is typed. */
export function selectListed(
  conversations: readonly ConversationSummary[],
  typed: string,
  status?: ListFilter['status'],
): readonly ConversationSummary[] {
  const showsArchived = status === 'archived' || typed.trim() !== '';
  return showsArchived ? conversations : conversations.filter(({ archived }) => !archived);
}

export function matchesFilter(
  conversation: ConversationSummary,
  { service, bot, workspace, status }: ListFilter,
): boolean {
  return (
    (service === undefined || conversation.bot.baseUrl === service) &&
    (bot === undefined || conversation.bot.id === bot) &&
    (workspace === undefined || conversation.workspace?.id === workspace) &&
    (status === undefined || Boolean(conversation[status]))
  );
}

/** Returns the conversations with every word of the filter in the name or the bot's name. */
export function filterConversations<T extends { readonly name: string; readonly bot: Bot }>(
  conversations: readonly T[],
  filter: string,
): readonly T[] {
  const words = parseSearchWords(filter);
  if (words.length === 0) return conversations;
  return conversations.filter(({ name, bot }) => {
    const text = foldText(`${name} ${bot.name}`);
    return words.every((word) => text.includes(word));
  });
}

function formatGroupTitle(at: number, midnightOfToday: number, titles: GroupTitles): string {
  // A day has 23 to 25 hours when clocks change.
  const days = Math.round((midnightOfToday - getMidnight(at)) / DAY_MS);
  if (days <= 0) return titles.today;
  if (days === 1) return titles.yesterday;
  if (days <= 7) return titles.week;
  return days <= 30 ? titles.month : titles.formatMonth(at);
}

function getMidnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
