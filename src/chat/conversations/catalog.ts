import type { ConversationSummary } from '../../shared/view/viewModel';
import { createLazily } from '../base/lazy';
import { type Conversation, type RemotePlace, summarize, toSummary } from '../model/conversation';
import type { Summary } from '../store/conversationIndex';
import type { ConversationStore } from '../store/store';
import type { BotNames } from './botNames';
import type { OpenConversations } from './openConversations';

/** The list of conversations: those open in this window, and summaries of the others on disk. */
export class Catalog {
  readonly #store: ConversationStore;
  readonly #open: OpenConversations;
  readonly #botNames: BotNames;
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #places = new Map<string, RemotePlace>();
  /** IDs of those with a reply that hasn't ended. */
  readonly #unended = new Set<string>();
  readonly #readSummaries = createLazily(() => this.#load());
  #isRequested = false;
  #resolveFirstLoad: () => void = () => undefined;
  /** Resolves once the summaries have been read. */
  readonly whenLoaded = new Promise<void>((resolve) => {
    this.#resolveFirstLoad = resolve;
  });

  constructor(store: ConversationStore, open: OpenConversations, botNames: BotNames) {
    this.#store = store;
    this.#open = open;
    this.#botNames = botNames;
  }

  /** Reads the summaries, once, or again if that failed. Throws file system errors. */
  load(): Promise<void> {
    this.#isRequested = true;
    return this.#readSummaries();
  }

  /** Checks for changes by other windows that the file watcher missed. Throws file system errors. */
  async readListChanges(): Promise<void> {
    if (!this.#isRequested) return;
    await this.load();
    await this.#store.readFolderChanges();
    for (const id of this.#unended) this.#watchWriter(id);
  }

  /** Returns all conversations that have turns or a file, newest first, as far as they are loaded. */
  listConversations(): ConversationSummary[] {
    const open = this.#open.all.filter((each) => this.#isListed(each)).map(summarize);
    const closed = [...this.#summaries.values()]
      .filter(({ id }) => !this.#open.has(id))
      .map((summary) => this.#botNames.update(summary));
    return [...open, ...closed].sort((a, b) => b.at - a.at);
  }

  /** Returns a conversation's list entry, or undefined if it has neither turns nor a file. */
  getSummary(id: string): ConversationSummary | undefined {
    const open = this.#open.findConversation(id);
    if (open) return this.#isListed(open) ? summarize(open) : undefined;
    const summary = this.#summaries.get(id);
    return summary && this.#botNames.update(summary);
  }

  /** Returns the IDs of conversations that aren't open and show another name than the bot's current one. */
  findRenamed(): string[] {
    return [...this.#summaries.values()].flatMap((summary) =>
      !this.#open.has(summary.id) && this.#botNames.update(summary) !== summary ? [summary.id] : [],
    );
  }

  /** Returns the IDs of the conversations that are also on the service, by their IDs there. */
  getIdsByRemoteId(baseUrl: string): Map<string, string> {
    const places = new Map<string, RemotePlace | undefined>(this.#places);
    for (const { id, remote } of this.#open.all) places.set(id, remote);
    const bound = new Map<string, string>();
    for (const [id, place] of places) if (place?.baseUrl === baseUrl) bound.set(place.id, id);
    return bound;
  }

  /** Returns where a conversation is on a service. */
  getRemotePlace(id: string): RemotePlace | undefined {
    const open = this.#open.findConversation(id);
    return open ? open.remote : this.#places.get(id);
  }

  /** Adds or replaces a summary. `streaming` is shown until the conversation's lease has been read. */
  upsert(summary: Summary, streaming: boolean): void {
    const { id, remote, openReply } = summary;
    this.#summaries.set(id, toSummary(summary, streaming));
    if (remote) this.#places.set(id, remote);
    this.#unended.delete(id);
    if (openReply === undefined) return;
    this.#unended.add(id);
    this.#watchWriter(id);
  }

  /** Shows that a reply streams, or that no window writes it any more. Returns whether that is a change. */
  setStreaming(id: string, streaming: boolean): boolean {
    const summary = this.#summaries.get(id);
    if (!summary || summary.streaming === streaming || !this.#unended.has(id)) return false;
    this.#summaries.set(id, { ...summary, streaming });
    return !this.#open.has(id);
  }

  /** Removes a summary; returns false if there was none. */
  removeSummary(id: string): boolean {
    this.#places.delete(id);
    this.#unended.delete(id);
    return this.#summaries.delete(id);
  }

  #isListed({ id, turns }: Conversation): boolean {
    return turns.length > 0 || this.#open.isStored(id);
  }

  /** Those that are open are watched already. */
  #watchWriter(id: string): void {
    if (!this.#open.has(id)) this.#store.watchWriter(id).catch(this.#store.reportError);
  }

  async #load(): Promise<void> {
    const { conversations } = await this.#store.listConversations();
    for (const each of conversations) this.upsert(each, each.streaming);
    this.#resolveFirstLoad();
  }
}
