import type { Bot, ConversationSummary } from '../../shared/viewModel';
import { Emitter } from '../base/emitter';
import {
  type Conversation,
  type DocumentFocus,
  type DocumentTurn,
  isNamedAfterDocument,
  type ListedDocuments,
  nameFrom,
  type ReplyTurn,
  summarize,
  type Turn,
} from '../model/conversation';
import type { ChatEvent } from '../model/events';
import { type TranscriptRecord, toRecord } from '../model/record';
import { apply, type ConversationChange, type MutableConversation, toChange } from '../model/reduce';
import type { Lease } from '../store/lease';
import { settle } from '../store/replay';
import type { ConversationStore } from '../store/store';
import type { StoreEvent } from '../store/storeEvents';
import { Catalog } from './catalog';
import { Composers } from './composerStore';
import { QueueStore } from './queueStore';

/**
 * Every conversation: in memory where it is open in this window, else on the disk, where other windows write too. What
 * happens to one is told at once, and kept.
 */
export class Chat {
  readonly #store: ConversationStore;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<string, MutableConversation>();
  readonly #opening = new Map<string, Promise<Conversation | undefined>>();
  /** Of conversations that were opened with their last turns: settles when those before are there. */
  readonly #earlier = new WeakMap<Conversation, Promise<void>>();
  /** What the list says of those that were on the disk when it was read. */
  readonly #catalog = new Catalog();
  /** Ids of the turns that this window wrote: it ends them itself. */
  readonly #own = new Set<string>();
  /** The leases that this window holds, by conversation. */
  readonly #leases = new Map<string, Set<Lease>>();
  readonly #events = new Emitter<ChatEvent>();
  readonly onEvent = this.#events.on;
  readonly composers: Composers;
  readonly queues: QueueStore;
  #listed: Promise<void> | undefined;
  #nameBot: (bot: Bot) => Bot = (bot) => bot;

  /** `onError` hears of what could not be read in the background. */
  constructor(store: ConversationStore, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
    const find = (id: string) => this.#open.get(id);
    const tell = (event: ChatEvent) => this.#events.fire(event);
    this.composers = new Composers(store.drafts, find, tell, onError);
    this.queues = new QueueStore(store.queues, find, tell, (id) => store.flush(id), onError);
    store.onEvent((event) => this.#follow(event));
  }

  /** Reads the list of conversations, once; throws what the file system says. */
  load(): Promise<void> {
    this.#listed ??= this.#load();
    return this.#listed;
  }

  /** Looks for what other windows did and nobody told: when the window gets the focus again. */
  async refresh(): Promise<void> {
    if (this.#listed) await this.#store.refresh();
  }

  /** Conversations in which something was said, newest first, as far as the list was read. */
  list(): ConversationSummary[] {
    const open = [...this.#open.values()].filter(({ turns }) => turns.length > 0).map(summarize);
    const closed = this.#catalog
      .summaries()
      .filter(({ id }) => !this.#open.has(id))
      .map((each) => this.#withBotName(each));
    return [...open, ...closed].sort((a, b) => b.at - a.at);
  }

  /** What the list shows of a conversation; undefined where nothing was said in it. */
  summary(id: string): ConversationSummary | undefined {
    const open = this.#open.get(id);
    if (!open) {
      const summary = this.#catalog.summary(id);
      return summary && this.#withBotName(summary);
    }
    return open.turns.length > 0 ? summarize(open) : undefined;
  }

  /** The conversations that are on a service as well, by their ids there. */
  boundTo(baseUrl: string): Map<string, string> {
    const places = this.#catalog.remotes();
    for (const { id, remote } of this.#open.values()) places.set(id, remote);
    const bound = new Map<string, string>();
    for (const [id, place] of places) if (place?.baseUrl === baseUrl) bound.set(place.id, id);
    return bound;
  }

  /** All conversations with all their turns, newest first, read one after the other. */
  async *scan(signal?: AbortSignal): AsyncGenerator<Conversation> {
    for await (const conversation of this.#store.scan(signal)) yield this.#withBotName(conversation);
  }

  /** Calls bots in all conversations what `name` calls them: for one whose name isn't known it gives back the same. */
  setBotNames(name: (bot: Bot) => Bot): void {
    this.#nameBot = name;
    for (const id of this.#open.keys()) this.#refreshBotName(id);
    for (const summary of this.#catalog.summaries()) {
      const isStale = !this.#open.has(summary.id) && this.#withBotName(summary) !== summary;
      if (isStale) this.#events.fire({ type: 'changed', conversationId: summary.id });
    }
  }

  /** A conversation that is open in this window. */
  find(id: string): Conversation | undefined {
    return this.#open.get(id);
  }

  /** Opens a conversation with its last turns; those before follow as `earlierTurns`. Throws what the file system says. */
  open(id: string): Promise<Conversation | undefined> {
    const found = this.#open.get(id);
    if (found) return Promise.resolve(found);
    let opening = this.#opening.get(id);
    if (!opening) {
      opening = this.#read(id).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
    }
    return opening;
  }

  /** Opens a conversation with all its turns. Throws what the file system says. */
  async whole(id: string): Promise<Conversation | undefined> {
    const conversation = await this.open(id);
    if (conversation) await this.#earlier.get(conversation);
    return conversation;
  }

  /** An empty conversation; it is kept from its first turn on. */
  create(bot: Bot | undefined, id: string = newId(), draft = ''): Conversation {
    const conversation: Conversation = {
      id,
      name: '',
      ...(bot && { bot }),
      turns: [],
      draft,
      unread: false,
      pinned: false,
      createdAt: Date.now(),
    };
    this.#open.set(id, conversation);
    this.#events.fire({ type: 'created', conversationId: id });
    return conversation;
  }

  /** Reads what waits to be said, besides the draft, in a conversation that was opened, or created under its id. */
  async restore(id: string): Promise<void> {
    await Promise.all([this.composers.restore(id), this.queues.restore(id)]);
  }

  /** Conversations in which nothing was said yet, but something is written. */
  drafted(): Conversation[] {
    return [...this.#open.values()].filter(
      ({ turns, draft, composing, queue }) =>
        turns.length === 0 && (draft !== '' || composing?.context.length || queue),
    );
  }

  /** Takes in a conversation that was read from a file, with all its turns. */
  adopt(conversation: Conversation): void {
    this.#open.set(conversation.id, { ...this.#withBotName(conversation) });
    this.#begin(conversation);
    for (const turn of conversation.turns) this.#store.append(conversation.id, { type: 'turn', turn });
    this.#events.fire({ type: 'created', conversationId: conversation.id });
  }

  /** Takes a conversation away from all windows; `undelete` brings it back until `purge`. */
  async delete(id: string): Promise<void> {
    await this.#store.delete(id);
    this.#forget(id);
  }

  async undelete(id: string): Promise<void> {
    await this.#store.undelete(id);
  }

  async purge(id: string): Promise<void> {
    this.composers.forget(id);
    await this.#store.purge(id);
  }

  /** Takes the right to write a conversation for a while; undefined where another window has it. `force` takes it from there. */
  async acquire(id: string, { force = false } = {}): Promise<Lease | undefined> {
    try {
      const lease = await (force ? this.#store.takeOver(id) : this.#store.acquire(id));
      return 'heldBy' in lease ? undefined : this.#hold(id, lease);
    } catch (error) {
      // A disk that takes nothing must not keep a person from chatting.
      this.#onError(error);
      return this.#hold(id, { lost: new AbortController().signal, release: async () => undefined });
    }
  }

  /** Keeps in mind that this window writes a conversation until the lease is released or lost. */
  #hold(id: string, lease: Lease): Lease {
    const leases = this.#leases.get(id) ?? new Set();
    this.#leases.set(id, leases.add(lease));
    const drop = () => {
      leases.delete(lease);
      if (leases.size === 0 && this.#leases.get(id) === leases) this.#leases.delete(id);
    };
    lease.lost.addEventListener('abort', drop, { once: true });
    const release = () => {
      // From here on another window may write.
      drop();
      return lease.release();
    };
    return { lost: lease.lost, release };
  }

  /** Resolves once all that happened to a conversation is on the disk; throws what the file system says. */
  saved(id: string): Promise<void> {
    return this.#store.flush(id);
  }

  /** Takes in what other windows have said in a conversation, at once. Throws what the file system says. */
  follow(id: string): Promise<void> {
    return this.#store.follow(id);
  }

  markRead(id: string): void {
    this.change(id, { unread: false });
  }

  setPinned(id: string, pinned: boolean): void {
    this.change(id, { pinned });
  }

  /** Changes what a conversation is besides its turns. */
  change(
    id: string,
    about: Partial<Pick<Conversation, 'name' | 'bot' | 'remote' | 'unread' | 'pinned'>>,
  ): void {
    const conversation = this.#open.get(id);
    const keys = Object.keys(about) as (keyof typeof about)[];
    if (!conversation || keys.every((key) => conversation[key] === about[key])) return;
    Object.assign(conversation, about);
    this.#commit(conversation, { type: 'changed' });
  }

  /** Names a conversation after its first message, unless it has a name that a person gave; whether it did. */
  nameAfter(id: string, text: string): boolean {
    const conversation = this.#open.get(id);
    if (!conversation || (conversation.name !== '' && !isNamedAfterDocument(conversation))) return false;
    this.change(id, { name: nameFrom(text) });
    return true;
  }

  /** Adds a turn, the last or the one before another, or replaces the one with its id. */
  putTurn(id: string, turn: Turn, before?: string): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    if (conversation.turns.length === 0) this.#begin(conversation);
    this.#commit(conversation, { type: 'turn', turn, ...(before !== undefined && { before }) });
  }

  /** Remembers which documents the service has of a conversation. */
  setListedDocuments(id: string, listed: ListedDocuments): void {
    const conversation = this.#open.get(id);
    if (!conversation || JSON.stringify(conversation.listed) === JSON.stringify(listed)) return;
    conversation.listed = listed;
    this.#events.fire({ type: 'documents', conversationId: id });
  }

  /** Stores which documents the bot may answer from. */
  setFocus(id: string, focus: DocumentFocus): void {
    const conversation = this.#open.get(id);
    if (!conversation || JSON.stringify(conversation.focus) === JSON.stringify(focus)) return;
    conversation.focus = focus;
    this.#events.fire({ type: 'focus', conversationId: id });
  }

  putDocument(id: string, turn: DocumentTurn): void {
    if (this.#open.get(id)?.name === '') this.change(id, { name: nameFrom(turn.name) });
    this.putTurn(id, turn);
  }

  removeTurn(id: string, turnId: string): void {
    const conversation = this.#open.get(id);
    if (conversation) this.#commit(conversation, { type: 'turnRemoved', turnId });
  }

  appendText(id: string, turnId: string, text: string): void {
    const conversation = this.#open.get(id);
    if (conversation) this.#commit(conversation, { type: 'chunk', turnId, text });
  }

  /** Gives a reply its one ending. */
  endReply(id: string, turn: ReplyTurn): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    // Unread first: a page that shows the ending takes the mark off again.
    conversation.unread = true;
    this.#commit(conversation, { type: 'ended', turn });
    if (conversation.unread) this.#commit(conversation, { type: 'changed' });
  }

  dispose(): void {
    this.#events.dispose();
  }

  /** Applies what happened in this window, tells it, and keeps it. */
  #commit(conversation: MutableConversation, change: ConversationChange): void {
    apply(conversation, change);
    if (change.type === 'turn') this.#own.add(change.turn.id);
    const event = { ...change, conversationId: conversation.id };
    this.#events.fire(event);
    const record = conversation.turns.length > 0 ? toRecord(event, conversation) : undefined;
    if (record) this.#store.append(conversation.id, record);
  }

  /** From its first turn on a conversation has a file. */
  #begin(conversation: Conversation): void {
    this.#store.create(conversation.id, conversation.createdAt);
    const about = toRecord({ type: 'changed', conversationId: conversation.id }, conversation);
    if (about) this.#store.append(conversation.id, about);
  }

  async #load(): Promise<void> {
    const { conversations } = await this.#store.list();
    for (const each of conversations) this.#catalog.upsert(each, each.streaming);
  }

  async #read(id: string): Promise<Conversation | undefined> {
    const opened = await this.#store.open(id);
    if (opened?.kind !== 'conversation') return;
    const conversation: MutableConversation = {
      ...opened.conversation,
      ...(!opened.whole && { earlier: true }),
      ...(opened.heldBy && { heldElsewhere: true }),
    };
    this.#open.set(id, conversation);
    this.#refreshBotName(id);
    await this.restore(id);
    if (!opened.whole) {
      const reading = this.#readEarlier(conversation, opened.earlier);
      this.#earlier.set(conversation, reading);
      reading.catch(this.#onError);
    }
    return conversation;
  }

  async #readEarlier(
    conversation: MutableConversation,
    read: () => Promise<{ readonly turns: readonly Turn[] }>,
  ): Promise<void> {
    const { turns } = await read();
    conversation.turns = [...turns, ...conversation.turns];
    conversation.earlier = false;
    this.#events.fire({ type: 'earlierTurns', conversationId: conversation.id, turns });
  }

  /** What other windows did, and what the disk says. */
  #follow(event: StoreEvent): void {
    switch (event.type) {
      case 'records':
        for (const record of event.records) this.#followRecord(event.id, record);
        break;
      case 'created':
      case 'changed': {
        const { summary } = event;
        this.#catalog.upsert(summary, summary.openReply !== undefined);
        // One that is open has told what happened to it itself.
        if (!this.#open.has(summary.id)) {
          this.#events.fire({ type: 'changed', conversationId: summary.id });
        }
        break;
      }
      case 'deleted':
        this.#forget(event.id);
        break;
      case 'queue':
        this.queues.reload(event.id).catch(this.#onError);
        break;
      case 'writer':
        this.#notice(event.id, { heldElsewhere: event.heldBy !== undefined });
        if (!event.heldBy) this.#settle(event.id);
        break;
      case 'writeFailed':
      case 'writeRecovered':
        this.#notice(event.id, { unsaved: event.type === 'writeFailed' });
        break;
    }
  }

  #followRecord(id: string, record: TranscriptRecord): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    // Nobody else writes those while this window may: they are its own, read back.
    const turnId = getTurnId(record);
    if (turnId !== undefined && this.#own.has(turnId) && this.#leases.has(id)) return;
    const change = toChange(conversation, record);
    apply(conversation, change);
    this.#events.fire({ ...change, conversationId: id });
  }

  /** The window that wrote it is gone or done: what it left open was interrupted. */
  #settle(id: string): void {
    const conversation = this.#open.get(id);
    for (const turn of conversation?.turns ?? []) {
      const settled = settle(turn);
      if (!conversation || settled === turn || this.#own.has(turn.id)) continue;
      const change: ConversationChange =
        settled.kind === 'reply' ? { type: 'ended', turn: settled } : { type: 'turn', turn: settled };
      apply(conversation, change);
      this.#events.fire({ ...change, conversationId: id });
    }
  }

  #notice(id: string, notice: Pick<Conversation, 'heldElsewhere' | 'unsaved'>): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    Object.assign(conversation, notice);
    this.#events.fire({ type: 'noticed', conversationId: id });
  }

  /** The same object where the bot is called that already. */
  #withBotName<T extends { readonly bot?: Bot }>(named: T): T {
    const bot = named.bot && this.#nameBot(named.bot);
    return bot && bot.name !== named.bot?.name ? { ...named, bot } : named;
  }

  #refreshBotName(id: string): void {
    const conversation = this.#open.get(id);
    const { bot } = (conversation && this.#withBotName(conversation)) ?? {};
    if (bot && bot !== conversation?.bot) this.change(id, { bot });
  }

  #forget(id: string): void {
    const known = this.#open.delete(id);
    if (this.#catalog.forget(id) || known) this.#events.fire({ type: 'deleted', conversationId: id });
  }
}

/** The turn that a record is about. */
function getTurnId(record: TranscriptRecord): string | undefined {
  if (record.type === 'about') return undefined;
  return 'turn' in record ? record.turn.id : record.turnId;
}

function newId(): string {
  return crypto.randomUUID();
}
