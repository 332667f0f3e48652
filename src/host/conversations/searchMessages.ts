import { searchConversations } from '../../chat/conversations/searchConversations';
import type { Conversation } from '../../chat/model/conversation';
import type { SearchHit } from '../../shared/view/viewModel';

/** Interval at which a page gets results while a search is running. */
const RESULTS_INTERVAL_MS = 100;

/** Yields what was found so far while it searches conversations, and finally that it is done. */
export async function* searchMessages(
  conversations: AsyncIterable<Conversation>,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly hits: readonly SearchHit[]; readonly done: boolean }> {
  const hits: SearchHit[] = [];
  let yieldedAt = performance.now();
  for await (const hit of searchConversations(conversations, query, signal)) {
    hits.push(hit);
    if (performance.now() - yieldedAt < RESULTS_INTERVAL_MS) continue;
    yield { hits, done: false };
    yieldedAt = performance.now();
  }
  yield { hits, done: true };
}
