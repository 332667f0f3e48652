import type { ConversationSummary } from '../shared/conversation';
import { fold, searchWords } from '../shared/searchText';
import { formatMonth } from './format';
import { strings } from './strings';

const DAY = 86_400_000;

export interface ConversationGroup {
  readonly title: string;
  readonly conversations: readonly ConversationSummary[];
}

/** Conversations by when they were last spoken in, the pinned ones first; within a group in the order given. */
export function groupConversations(
  conversations: readonly ConversationSummary[],
  now: number,
): ConversationGroup[] {
  const today = midnight(now);
  const groups = new Map<string, ConversationSummary[]>([[strings.groups.pinned, []]]);
  for (const conversation of conversations) {
    const title = conversation.pinned ? strings.groups.pinned : titleOf(conversation.at, today);
    const group = groups.get(title);
    if (group) group.push(conversation);
    else groups.set(title, [conversation]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => ({ title, conversations: group }));
}

/** Those in whose name or bot every word of the filter occurs. */
export function filterConversations(
  conversations: readonly ConversationSummary[],
  filter: string,
): readonly ConversationSummary[] {
  const words = searchWords(filter);
  if (words.length === 0) return conversations;
  return conversations.filter(({ name, bot }) => {
    const text = fold(`${name} ${bot.name}`);
    return words.every((word) => text.includes(word));
  });
}

function titleOf(at: number, midnightOfToday: number): string {
  // Days have 23 to 25 hours.
  const days = Math.round((midnightOfToday - midnight(at)) / DAY);
  const { today, yesterday, week, month } = strings.groups;
  if (days <= 0) return today;
  if (days === 1) return yesterday;
  if (days <= 7) return week;
  return days <= 30 ? month : formatMonth(at);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
