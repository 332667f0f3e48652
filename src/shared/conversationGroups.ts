import { foldText, parseSearchWords } from './searchText';
import type { Bot, ConversationSummary } from './viewModel';

const DAY_MS = 86_400_000;

export interface ConversationGroup {
  readonly title: string;
  readonly conversations: readonly ConversationSummary[];
}

/** What the groups are called. */
export interface GroupTitles {
  readonly pinned: string;
  readonly today: string;
  readonly yesterday: string;
  /** The seven days before. */
  readonly week: string;
  /** The thirty days before. */
  readonly month: string;
  /** Of a time longer ago. */
  formatMonth(at: number): string;
}

/** Conversations by when they were last spoken in, the pinned ones first; within a group in the order given. */
export function groupConversations(
  conversations: readonly ConversationSummary[],
  now: number,
  titles: GroupTitles,
): ConversationGroup[] {
  const today = getMidnight(now);
  const groups = new Map<string, ConversationSummary[]>([[titles.pinned, []]]);
  for (const conversation of conversations) {
    const title = conversation.pinned ? titles.pinned : formatGroupTitle(conversation.at, today, titles);
    const group = groups.get(title);
    if (group) group.push(conversation);
    else groups.set(title, [conversation]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => ({ title, conversations: group }));
}

/** Those in whose name or bot every word of the filter occurs. */
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
  // Days have 23 to 25 hours.
  const days = Math.round((midnightOfToday - getMidnight(at)) / DAY_MS);
  if (days <= 0) return titles.today;
  if (days === 1) return titles.yesterday;
  if (days <= 7) return titles.week;
  return days <= 30 ? titles.month : titles.formatMonth(at);
}

function getMidnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
