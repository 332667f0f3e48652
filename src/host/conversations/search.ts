import { searchConversations } from '../../chat/conversations/search';
import type { Conversation } from '../../chat/model/conversation';
import type { SearchHit } from '../../shared/viewModel';
import type { Page } from '../panel/page';

/** ms between what a page hears of a search that goes on. */
const INTERVAL = 100;

/** Searches what was said, one search a page: the next one ends the one before. */
export class MessageSearch {
  readonly #conversations: (signal: AbortSignal) => AsyncIterable<Conversation>;
  readonly #running = new WeakMap<Page, AbortController>();

  /** `conversations` gives those to search, newest first. */
  constructor(conversations: (signal: AbortSignal) => AsyncIterable<Conversation>) {
    this.#conversations = conversations;
  }

  /** Tells the page what it finds while it finds it, at last that it is done; an empty query only ends the search before. */
  async run(query: string, page: Page): Promise<void> {
    this.#running.get(page)?.abort();
    const controller = new AbortController();
    this.#running.set(page, controller);
    const hits: SearchHit[] = [];
    let told = performance.now();
    const { signal } = controller;
    for await (const hit of searchConversations(this.#conversations(signal), query, signal)) {
      hits.push(hit);
      if (performance.now() - told < INTERVAL) continue;
      page.searchResults(query, hits, false);
      told = performance.now();
    }
    if (!controller.signal.aborted && query.trim() !== '') page.searchResults(query, hits, true);
  }
}
