import type { Message } from '../../client/models';
import { type NumberedPage, type Page, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import { type Service, waitForRateLimit } from './service';

/** An item of a list that was requested for one conversation. */
interface ConversationItem {
  readonly id: string;
  readonly conversationId?: string | undefined;
}

/**
 * Reads a conversation's messages page by page (docs/service.md: GET /messages), without those of other conversations.
 * Waits while the rate limit is nearly used up. Throws ServiceError.
 */
export async function* readMessagePages(
  service: Service,
  {
    remoteId,
    ...range
  }: { readonly remoteId: string; readonly firstPage?: number; readonly maxPages: number },
  signal: AbortSignal,
): AsyncGenerator<NumberedPage<Message>, void, undefined> {
  const read = async (page: number | undefined): Promise<Page<Message>> => {
    await waitForRateLimit(service, signal);
    return service.client.listMessages({ conversationId: remoteId, page }, signal);
  };
  for await (const page of readPages(read, range)) yield { ...page, items: dropOthers(page.items, remoteId) };
}

/** Drops the items that name another conversation: a service may ignore the query's `conversation_id`. */
export function dropOthers<T extends ConversationItem>(items: readonly T[], remoteId: string): readonly T[] {
  return items.filter(({ conversationId = remoteId }) => conversationId === remoteId);
}

/**
 * Returns whether a service was seen to filter a list by `conversation_id`, which the contract doesn't show. Items that
 * name their conversation show it; others are compared with the account's list, which `readAll` reads from the same page
 * on. If both lists have the same items, that isn't known. Throws ServiceError.
 */
export async function isFiltered<T extends ConversationItem>(
  { capabilities: { filteredLists } }: Service,
  list: 'messages' | 'documents',
  items: readonly T[],
  { readAll, readAgain }: { readAll: () => Promise<Page<T>>; readAgain: () => Promise<readonly T[]> },
): Promise<boolean> {
  const isNamed = items.every(({ conversationId }) => conversationId !== undefined);
  if (isNamed || filteredLists.has(list)) return true;
  const findOthers = (all: readonly T[], own: readonly T[]) => {
    const ids = new Set(own.map(({ id }) => id));
    return all.filter(({ id }) => !ids.has(id));
  };
  try {
    const others = findOthers((await readAll()).items, items);
    // What was added since the items were read is on both lists.
    if (others.length === 0 || findOthers(others, await readAgain()).length === 0) return false;
  } catch (error) {
    // Without a conversation the request makes no sense to this service.
    if (!(error instanceof ServiceError) || (error.status ?? 500) >= 500) throw error;
  }
  filteredLists.add(list);
  return true;
}
