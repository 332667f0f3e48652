import type { ConversationSummary } from '../../shared/viewModel';
import type { RemotePlace } from '../model/conversation';
import type { Summary } from '../store/conversationIndex';

/** What is known of conversations without opening them. */
export class Catalog {
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #places = new Map<string, RemotePlace>();

  summary(id: string): ConversationSummary | undefined {
    return this.#summaries.get(id);
  }

  summaries(): ConversationSummary[] {
    return [...this.#summaries.values()];
  }

  /** Where each is on a service, if it is; a copy. */
  remotes(): Map<string, RemotePlace | undefined> {
    return new Map(this.#places);
  }

  upsert(
    { id, name, bot = { id: '', name: '' }, at, unread, pinned, remote }: Summary,
    streaming: boolean,
  ): void {
    this.#summaries.set(id, { id, name, bot, at, unread, pinned, streaming });
    if (remote) this.#places.set(id, remote);
  }

  /** False where it wasn't known. */
  forget(id: string): boolean {
    this.#places.delete(id);
    return this.#summaries.delete(id);
  }
}
