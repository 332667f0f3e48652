import type { Bot, ConversationSummary } from '../../shared/viewModel';
import { Emitter } from '../base/emitter';
import {
  type Conversation,
  type DocumentFocus,
  deriveName,
  isNamedAfterDocument,
  type ListedDocuments,
  summarize,
} from '../model/conversation';
import type { ChatEvent } from '../model/events';
import { type TranscriptRecord, toRecord } from '../model/record';
import { applyChange, type ConversationChange, type MutableConversation, toChange } from '../model/reduce';
import { type DocumentTurn, interruptTurn, type ReplyTurn, type Turn } from '../model/turn';
import type { ConversationStore } from '../store/store';
import type { StoreEvent } from '../store/storeEvents';
import { Catalog } from './catalog';
import { ComposerStore } from './composerStore';
import { QueueStore } from './queueStore';
import { type WritePermission, WritePermissions } from './writePermissions';

/**
 * Holds every conversation: in memory if it is open in this window, otherwise on disk, where other windows
 * write too. Every change to a conversation fires an event and is saved.
 */
export class Chat {
  readonly #store: ConversationStore;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<string, MutableConversation>();
  readonly #opening = new Map<string, Promise<Conversation | undefined>>();
  /** For conversations opened with only their last turns: resolves when the earlier turns are loaded. */
  readonly #earlier = new WeakMap<Conversation, Promise<void>>();
  /** Summaries of the conversations on disk. */
  readonly #catalog = new Catalog();
  /** Ids of the turns that this window wrote and will end itself. */
  readonly #ownTurnIds = new Set<string>();
  readonly #writePermissions: WritePermissions;
  readonly #events = new Emitter<ChatEvent>();
  readonly onEvent = this.#events.on;
  readonly composers: ComposerStore;
  readonly queues: QueueStore;
  #listLoaded: Promise<void> | undefined;
  #nameBot: (bot: Bot) => Bot = (bot) => bot;

  /** `onError` receives failures of background reads. */
  constructor(store: ConversationStore, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
    this.#writePermissions = new WritePermissions(store, onError);
    const findOpen = (id: string) => this.#open.get(id);
    const fireEvent = (event: ChatEvent) => this.#events.fire(event);
    this.composers = new ComposerStore(store, findOpen, fireEvent, onError);
    this.queues = new QueueStore(store.queues, findOpen, fireEvent, (id) => store.flush(id), onError);
    store.onEvent((event) => this.#handleStoreEvent(event));
  }

  /** Reads the list of conversations, once. Throws file system errors. */
  load(): Promise<void> {
    this.#listLoaded ??= this.#loadList();
    return this.#listLoaded;
  }

  /**
   * Checks for changes by other windows that the file watcher missed, such as when the window regains focus.
   */
  async refresh(): Promise<void> {
    if (this.#listLoaded) await this.#store.refresh();
  }

  /** Returns all conversations that have turns, newest first, as far as the list is loaded. */
  list(): ConversationSummary[] {
    const open = [...this.#open.values()].filter(({ turns }) => turns.length > 0).map(summarize);
    const closed = this.#catalog
      .getSummaries()
      .filter(({ id }) => !this.#open.has(id))
      .map((each) => this.#withBotName(each));
    return [...open, ...closed].sort((a, b) => b.at - a.at);
  }

  /** Returns a conversation's list entry, or undefined if it has no turns. */
  getSummary(id: string): ConversationSummary | undefined {
    const open = this.#open.get(id);
    if (!open) {
      const summary = this.#catalog.getSummary(id);
      return summary && this.#withBotName(summary);
    }
    return open.turns.length > 0 ? summarize(open) : undefined;
  }

  /** Returns the ids of the conversations that are also on the service, by their ids there. */
  getIdsByRemoteId(baseUrl: string): Map<string, string> {
    const places = this.#catalog.getRemotes();
    for (const { id, remote } of this.#open.values()) places.set(id, remote);
    const bound = new Map<string, string>();
    for (const [id, place] of places) if (place?.baseUrl === baseUrl) bound.set(place.id, id);
    return bound;
  }

  /** Reads all conversations with all their turns one by one, newest first. */
  async *scan(signal?: AbortSignal): AsyncGenerator<Conversation> {
    for await (const conversation of this.#store.scan(signal)) yield this.#withBotName(conversation);
  }

  /** Renames bots in all conversations. `name` returns the same object for a bot that it doesn't know. */
  setBotNames(name: (bot: Bot) => Bot): void {
    this.#nameBot = name;
    for (const id of this.#open.keys()) this.#refreshBotName(id);
    for (const summary of this.#catalog.getSummaries()) {
      const isStale = !this.#open.has(summary.id) && this.#withBotName(summary) !== summary;
      if (isStale) this.#events.fire({ type: 'changed', conversationId: summary.id });
    }
  }

  /** Returns a conversation that is open in this window. */
  find(id: string): Conversation | undefined {
    return this.#open.get(id);
  }

  /**
   * Opens a conversation with its last turns; an `earlierTurns` event adds the rest. Throws file system
   * errors.
   */
  open(id: string): Promise<Conversation | undefined> {
    const found = this.#open.get(id);
    if (found) return Promise.resolve(found);
    let opening = this.#opening.get(id);
    if (!opening) {
      opening = this.#readConversation(id).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
    }
    return opening;
  }

  /** Opens a conversation with all its turns. Throws file system errors. */
  async openWhole(id: string): Promise<Conversation | undefined> {
    const conversation = await this.open(id);
    if (conversation) await this.#earlier.get(conversation);
    return conversation;
  }

  /** Creates an empty conversation; it is saved from its first turn on. */
  create(bot: Bot | undefined, id: string = createId(), draft = ''): Conversation {
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

  /** Restores the chips and the queue of a conversation that was just opened, or created with its old id. */
  async restore(id: string): Promise<void> {
    await Promise.all([this.composers.restore(id), this.queues.restore(id)]);
  }

  /** Returns the conversations without turns that have a draft, chips or queued messages. */
  getDrafted(): Conversation[] {
    return [...this.#open.values()].filter(
      ({ turns, draft, composing, queue }) =>
        turns.length === 0 && (draft !== '' || composing?.context.length || queue),
    );
  }

  /** Adds a conversation that was imported from a file, with all its turns. */
  importConversation(conversation: Conversation): void {
    this.#open.set(conversation.id, { ...this.#withBotName(conversation) });
    this.#createFile(conversation);
    for (const turn of conversation.turns) this.#store.append(conversation.id, { type: 'turn', turn });
    this.#events.fire({ type: 'created', conversationId: conversation.id });
  }

  /** Removes a conversation from all windows; `undelete` restores it until `purge`. */
  async delete(id: string): Promise<void> {
    await this.#store.delete(id);
    this.#remove(id);
  }

  async undelete(id: string): Promise<void> {
    await this.#store.undelete(id);
  }

  async purge(id: string): Promise<void> {
    await this.#store.purge(id);
  }

  /** Returns undefined if another window is writing the conversation. `force` takes its lease over. */
  acquire(id: string, options: { readonly force?: boolean } = {}): Promise<WritePermission | undefined> {
    return this.#writePermissions.acquire(id, options);
  }

  /** Resolves once all changes to a conversation are on disk. Throws file system errors. */
  whenSaved(id: string): Promise<void> {
    return this.#store.flush(id);
  }

  /** Reads what other windows have written to a conversation, without waiting for the file watcher. */
  readChanges(id: string): Promise<void> {
    return this.#store.readChanges(id);
  }

  markRead(id: string): void {
    this.update(id, { unread: false });
  }

  setPinned(id: string, pinned: boolean): void {
    this.update(id, { pinned });
  }

  /** Updates the properties of a conversation other than its turns. */
  update(
    id: string,
    about: Partial<Pick<Conversation, 'name' | 'bot' | 'remote' | 'unread' | 'pinned'>>,
  ): void {
    const conversation = this.#open.get(id);
    const keys = Object.keys(about) as (keyof typeof about)[];
    if (!conversation || keys.every((key) => conversation[key] === about[key])) return;
    Object.assign(conversation, about);
    this.#commit(conversation, { type: 'changed' });
  }

  /** Names a conversation after its first message, unless the user has named it; returns whether it did. */
  nameAfter(id: string, text: string): boolean {
    const conversation = this.#open.get(id);
    if (!conversation || (conversation.name !== '' && !isNamedAfterDocument(conversation))) return false;
    this.update(id, { name: deriveName(text) });
    return true;
  }

  /** Appends a turn, inserts it before another one, or replaces the turn with the same id. */
  putTurn(id: string, turn: Turn, before?: string): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    if (conversation.turns.length === 0) this.#createFile(conversation);
    this.#commit(conversation, { type: 'turn', turn, ...(before !== undefined && { before }) });
  }

  /** Stores which documents the service lists for a conversation. */
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
    if (this.#open.get(id)?.name === '') this.update(id, { name: deriveName(turn.name) });
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

  /** Ends a reply; each reply ends exactly once. */
  endReply(id: string, turn: ReplyTurn): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    // Mark as unread first: a page that shows the ending clears the mark again.
    conversation.unread = true;
    this.#commit(conversation, { type: 'ended', turn });
    if (conversation.unread) this.#commit(conversation, { type: 'changed' });
  }

  dispose(): void {
    this.#events.dispose();
  }

  /** Applies a change made in this window, fires its event and saves it. */
  #commit(conversation: MutableConversation, change: ConversationChange): void {
    applyChange(conversation, change);
    if (change.type === 'turn') this.#ownTurnIds.add(change.turn.id);
    const event = { ...change, conversationId: conversation.id };
    this.#events.fire(event);
    const record = conversation.turns.length > 0 ? toRecord(event, conversation) : undefined;
    if (record) this.#store.append(conversation.id, record);
  }

  /** Creates the conversation's file, before its first turn. */
  #createFile(conversation: Conversation): void {
    this.#store.create(conversation.id, conversation.createdAt);
    const about = toRecord({ type: 'changed', conversationId: conversation.id }, conversation);
    if (about) this.#store.append(conversation.id, about);
  }

  async #loadList(): Promise<void> {
    const { conversations } = await this.#store.list();
    for (const each of conversations) this.#catalog.upsert(each, each.streaming);
  }

  async #readConversation(id: string): Promise<Conversation | undefined> {
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

  /** Handles changes by other windows and problems with the disk. */
  #handleStoreEvent(event: StoreEvent): void {
    switch (event.type) {
      case 'records':
        for (const record of event.records) this.#applyRecord(event.id, record);
        break;
      case 'created':
      case 'changed': {
        const { summary } = event;
        this.#catalog.upsert(summary, summary.openReply !== undefined);
        // An open conversation fires its own events.
        if (!this.#open.has(summary.id)) {
          this.#events.fire({ type: 'changed', conversationId: summary.id });
        }
        break;
      }
      case 'deleted':
        this.#remove(event.id);
        break;
      case 'queue':
        this.queues.reload(event.id).catch(this.#onError);
        break;
      case 'writer':
        this.#setNotice(event.id, { heldElsewhere: event.heldBy !== undefined });
        if (!event.heldBy) this.#interruptOpenTurns(event.id);
        break;
      case 'writeFailed':
      case 'writeRecovered':
        this.#setNotice(event.id, { unsaved: event.type === 'writeFailed' });
        break;
    }
  }

  #applyRecord(id: string, record: TranscriptRecord): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    // While this window may write its own turns, no other window does: it is reading back what it wrote.
    const turnId = getTurnId(record);
    if (turnId !== undefined && this.#ownTurnIds.has(turnId) && this.#writePermissions.has(id)) return;
    const change = toChange(conversation, record);
    applyChange(conversation, change);
    this.#events.fire({ ...change, conversationId: id });
  }

  /** Marks turns as interrupted that the previous writer left unfinished. */
  #interruptOpenTurns(id: string): void {
    const conversation = this.#open.get(id);
    for (const turn of conversation?.turns ?? []) {
      const interrupted = interruptTurn(turn);
      if (!conversation || interrupted === turn || this.#ownTurnIds.has(turn.id)) continue;
      const change: ConversationChange =
        interrupted.kind === 'reply'
          ? { type: 'ended', turn: interrupted }
          : { type: 'turn', turn: interrupted };
      applyChange(conversation, change);
      this.#events.fire({ ...change, conversationId: id });
    }
  }

  #setNotice(id: string, notice: Pick<Conversation, 'heldElsewhere' | 'unsaved'>): void {
    const conversation = this.#open.get(id);
    if (!conversation) return;
    Object.assign(conversation, notice);
    this.#events.fire({ type: 'noticed', conversationId: id });
  }

  /** Returns the same object if the bot's name is up to date. */
  #withBotName<T extends { readonly bot?: Bot }>(named: T): T {
    const bot = named.bot && this.#nameBot(named.bot);
    return bot && bot.name !== named.bot?.name ? { ...named, bot } : named;
  }

  #refreshBotName(id: string): void {
    const conversation = this.#open.get(id);
    const { bot } = (conversation && this.#withBotName(conversation)) ?? {};
    if (bot && bot !== conversation?.bot) this.update(id, { bot });
  }

  #remove(id: string): void {
    const known = this.#open.delete(id);
    if (this.#catalog.remove(id) || known) this.#events.fire({ type: 'deleted', conversationId: id });
  }
}

/** Returns the id of the turn that a record is about. */
function getTurnId(record: TranscriptRecord): string | undefined {
  if (record.type === 'about') return undefined;
  return 'turn' in record ? record.turn.id : record.turnId;
}

function createId(): string {
  return crypto.randomUUID();
}
