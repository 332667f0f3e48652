import type { ConversationSummary } from '../../shared/viewModel';
import type { RemotePlace } from '../model/conversation';
import type { Summary } from '../store/conversationIndex';

/** Summaries of conversations that have not been opened. */
export class Catalog {
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #places = new Map<string, RemotePlace>();

  getSummary(id: string): ConversationSummary | undefined {
    return this.#summaries.get(id);
  }

  getSummaries(): ConversationSummary[] {
    return [...this.#summaries.values()];
  }

  /** Returns a copy of the place of each conversation that is on a service. */
  getRemotes(): Map<string, RemotePlace | undefined> {
    return new Map(this.#places);
  }

  upsert(
    { id, name, bot = { id: '', name: '' }, at, unread, pinned, remote }: Summary,
    streaming: boolean,
  ): void {
    this.#summaries.set(id, { id, name, bot, at, unread, pinned, streaming });
    if (remote) this.#places.set(id, remote);
  }

  /** Removes an entry; returns false if there was none. */
  remove(id: string): boolean {
    this.#places.delete(id);
    return this.#summaries.delete(id);
  }
}
