import { searchConversations } from '../../chat/conversations/search';
import type { Conversation } from '../../chat/model/conversation';
import type { SearchHit } from '../../shared/viewModel';
import type { Page } from '../panel/page';

/** How often a page gets results while a search is running. */
const RESULTS_INTERVAL_MS = 100;

/** Searches messages, with one search per page: a new search cancels the previous one. */
export class MessageSearch {
  readonly #conversations: (signal: AbortSignal) => AsyncIterable<Conversation>;
  readonly #running = new WeakMap<Page, AbortController>();

  /** `conversations` returns the conversations to search, newest first. */
  constructor(conversations: (signal: AbortSignal) => AsyncIterable<Conversation>) {
    this.#conversations = conversations;
  }

  /**
   * Posts results to the page while it searches, and finally that it is done. An empty query only cancels the
   * previous search.
   */
  async run(query: string, page: Page): Promise<void> {
    this.#running.get(page)?.abort();
    const controller = new AbortController();
    this.#running.set(page, controller);
    const hits: SearchHit[] = [];
    let postedAt = performance.now();
    const { signal } = controller;
    for await (const hit of searchConversations(this.#conversations(signal), query, signal)) {
      hits.push(hit);
      if (performance.now() - postedAt < RESULTS_INTERVAL_MS) continue;
      page.postSearchResults(query, hits, false);
      postedAt = performance.now();
    }
    if (!controller.signal.aborted && query.trim() !== '') page.postSearchResults(query, hits, true);
  }
}
