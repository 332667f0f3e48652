import { parseSearchWords } from '../../shared/text/searchText';
import type { Bot, ConversationSummary, Workspace } from '../../shared/view/viewModel';
import { Emitter } from '../base/emitter';
import type { ChatEvent } from '../model/chatEvent';
import { type ComposerState, isEmptyComposer } from '../model/composerState';
import {
  type About,
  type Conversation,
  deriveName,
  hasDerivedName,
  type RemotePlace,
} from '../model/conversation';
import type { QueuedMessage } from '../model/queuedMessage';
import type { DocumentTurn } from '../model/turn';
import type { ConversationStore } from '../store/store';
import { BotNames } from './botNames';
import { Catalog } from './catalog';
import { ComposerStore } from './composerStore';
import { ConversationWriter } from './conversationWriter';
import { DocumentStore } from './documentStore';
import { OpenConversations } from './openConversations';
import { QueueStore } from './queueStore';
import { StoreEventHandler } from './storeEventHandler';
import { type WritePermission, WritePermissions } from './writePermissions';

/** What the user did to a conversation in this window, as far as it is mirrored (docs/store.md: The mirror). */
export interface PersonalChange {
  readonly conversationId: string;
  readonly name?: string;
  readonly pinned?: boolean;
  readonly archived?: boolean;
  /** False if the deletion was undone, or failed. */
  readonly deleted?: boolean;
}

/**
 * Holds every conversation: in memory if it is open in this window, otherwise on disk, where other windows
 * write too. Every change to a conversation fires an event and is saved.
 */
export class Chat {
  readonly #store: ConversationStore;
  readonly #botNames = new BotNames();
  readonly #open: OpenConversations;
  readonly #catalog: Catalog;
  readonly #writePermissions: WritePermissions;
  readonly #storeEventHandler: StoreEventHandler;
  readonly #events = new Emitter<ChatEvent>();
  readonly onChatEvent = this.#events.on;
  readonly writer: ConversationWriter;
  readonly #personalChanges = new Emitter<PersonalChange>();
  readonly onPersonalChange = this.#personalChanges.on;
  #restoreLost: (id: string) => Promise<boolean> = async () => false;
  readonly composers: ComposerStore;
  readonly documents: DocumentStore;
  readonly queues: QueueStore;
  /** Reports a failure of background work that nothing awaits. */
  readonly reportError: (error: unknown) => void;
  /** Resolves once the list of conversations has been read. */
  readonly whenListed: Promise<void>;

  /** `getWorkspace` returns the workspace of this window, which new conversations belong to. */
  constructor(store: ConversationStore, getWorkspace: () => Workspace | undefined = () => undefined) {
    this.#store = store;
    this.reportError = store.reportError;
    const fireChatEvent = (event: ChatEvent) => this.#events.fire(event);
    this.#open = new OpenConversations(store, fireChatEvent);
    this.writer = new ConversationWriter(store, this.#open, getWorkspace);
    this.#catalog = new Catalog(store, this.#open, this.#botNames);
    this.whenListed = this.#catalog.whenLoaded;
    this.#writePermissions = new WritePermissions(store);
    const findOpen = (id: string) => this.#open.findConversation(id);
    this.composers = new ComposerStore(store, findOpen, fireChatEvent);
    this.documents = new DocumentStore(
      findOpen,
      (id, about) => this.writer.updateConversation(id, about),
      fireChatEvent,
    );
    this.queues = new QueueStore(store, findOpen, fireChatEvent);
    this.#storeEventHandler = new StoreEventHandler({
      open: this.#open,
      catalog: this.#catalog,
      queues: this.queues,
      writePermissions: this.#writePermissions,
      ownTurnIds: this.writer.ownTurnIds,
      reportWriter: (id) => store.reportWriter(id),
      removeRemains: async (id) => {
        await this.queues.whenSettled();
        await store.deletions.removeRemains(id);
      },
      fireChatEvent,
      reportError: store.reportError,
    });
    store.setOnTurnsSaved((id) => this.composers.forgetSent(id));
    store.setRecall((id) => this.writer.prepareRecall(id));
    store.onStoreEvent((event) => this.#storeEventHandler.handle(event));
  }

  /** Reads the list of conversations, once, or again if that failed. Throws file system errors. */
  load(): Promise<void> {
    return this.#catalog.load();
  }

  /**
   * Checks for changes by other windows that the file watcher missed, such as when the window regains focus, and reads what
   * couldn't be read before. Throws file system errors.
   */
  readListChanges(): Promise<void> {
    this.#open.readEarlierTurns();
    return this.#catalog.readListChanges();
  }

  /** Returns all conversations that have turns, newest first, as far as the list is loaded. */
  listConversations(): ConversationSummary[] {
    return this.#catalog.listConversations();
  }

  /** Returns a conversation's list entry, or undefined if it has no turns. */
  getSummary(id: string): ConversationSummary | undefined {
    return this.#catalog.getSummary(id);
  }

  /** Returns where a conversation is on a service, whether it is open or not. */
  getRemotePlace(id: string): RemotePlace | undefined {
    return this.#catalog.getRemotePlace(id);
  }

  /** Returns the IDs of the conversations that are also on the service, by their IDs there. */
  getIdsByRemoteId(baseUrl: string): Map<string, string> {
    return this.#catalog.getIdsByRemoteId(baseUrl);
  }

  /**
   * Reads all conversations with all their turns one by one, newest first; with a query, at least those that have a turn
   * with all its words.
   */
  async *scan(signal?: AbortSignal, query = ''): AsyncGenerator<Conversation> {
    const conversations = this.#store.scan(signal, parseSearchWords(query));
    for await (const conversation of conversations) yield this.#botNames.update(conversation);
  }

  /** Renames bots in all conversations. `rename` returns the same object for a bot that it doesn't know. */
  setBotNames(rename: (bot: Bot) => Bot): void {
    this.#botNames.set(rename);
    for (const { id } of this.#open.all) this.#updateBotName(id);
    for (const id of this.#catalog.findRenamed()) this.#events.fire({ type: 'changed', conversationId: id });
  }

  /** Returns a conversation that is open in this window. */
  findConversation(id: string): Conversation | undefined {
    return this.#open.findConversation(id);
  }

  /**
   * Opens a conversation with its last turns; an `earlierTurns` event adds the rest. Throws file system
   * errors.
   */
  async openConversation(id: string): Promise<Conversation | undefined> {
    const opened = await this.#openStored(id);
    return opened ?? ((await this.#restoreLost(id)) ? this.#openStored(id) : undefined);
  }

  /**
   * `restore` is called with the ID of a conversation that isn't stored. It restores what it knows of it, and resolves to
   * whether the conversation can be opened now.
   */
  setRestoreLost(restore: (id: string) => Promise<boolean>): void {
    this.#restoreLost = restore;
  }

  /** Opens a conversation with all its turns. Throws file system errors. */
  async openWhole(id: string): Promise<Conversation | undefined> {
    const conversation = await this.openConversation(id);
    if (conversation) await this.#open.whenWhole(conversation);
    return conversation;
  }

  /** Returns a conversation with all its turns, and leaves it closed if it was. Throws file system errors. */
  async readConversation(id: string): Promise<Conversation | undefined> {
    if (this.#open.has(id)) return this.openWhole(id);
    const conversation = await this.#store.readTranscript(id);
    return conversation && this.#botNames.update(conversation);
  }

  /** Creates an empty conversation; it is saved from its first turn on. */
  createConversation(bot: Bot | undefined, id: string = crypto.randomUUID(), draft = ''): Conversation {
    const conversation: Conversation = {
      id,
      name: '',
      ...(bot && this.#botNames.update({ bot })),
      turns: [],
      draft,
      unread: false,
      pinned: false,
      createdAt: Date.now(),
    };
    this.#open.addConversation(conversation);
    this.#events.fire({ type: 'created', conversationId: id });
    return conversation;
  }

  /** Restores the chips and the queue of a conversation that was just opened, or created with its old ID. */
  async restoreComposer(id: string): Promise<void> {
    await Promise.all([this.composers.restoreComposer(id), this.queues.restoreQueue(id)]);
    await this.returnQueuedEdit(id);
  }

  /**
   * Returns the text in the editor of a queued message to the draft if the message was sent without it, or was removed.
   * Called whenever that may have happened.
   */
  async returnQueuedEdit(id: string): Promise<void> {
    const { composing, turns = [], earlier } = this.findConversation(id) ?? {};
    const edit = composing?.queuedEdit;
    if (!edit || this.queues.mayHave(id, edit.messageId)) return;
    if (!turns.some((turn) => turn.id === edit.messageId)) {
      if (earlier) return;
      // A window that sent it may have removed it before this one read its turn.
      await this.readChanges(id).catch(this.reportError);
    }
    this.composers.returnQueuedEdit(id, edit);
  }

  /** Returns the IDs that a conversation which is added can't have. Throws file system errors. */
  async getUsedIds(): Promise<ReadonlySet<string>> {
    await this.load();
    const taken = await this.getTakenIds();
    return new Set([...taken, ...[...this.#open.all, ...this.listConversations()].map(({ id }) => id)]);
  }

  /** Adds a conversation of a service without its turns, which are read when it is opened. Throws AppendError. */
  async addFromService(id: string, createdAt: number, about: About): Promise<void> {
    await this.#store.add(id, createdAt, about);
  }

  /**
   * Stores what wasn't sent of a conversation that isn't open, where nothing is stored. Its queued messages are marked as being
   * sent: a window with another storage folder may have sent them. Throws file system errors.
   */
  async restoreUnsent(
    id: string,
    unsent: {
      readonly draft: string;
      readonly composing?: ComposerState;
      readonly queue: readonly QueuedMessage[];
    },
  ): Promise<void> {
    const { drafts, composers, queues } = this.#store;
    if (this.findConversation(id)) return;
    if (unsent.draft !== '' && (await drafts.get(id)) === '') drafts.set(id, unsent.draft);
    if (unsent.composing && isEmptyComposer(await composers.get(id))) composers.set(id, unsent.composing);
    await Promise.all([drafts.flush(), composers.flush()]);
    if (unsent.queue.length === 0) return;
    await queues.runExclusively(id, async () => {
      if ((await queues.read(id)).length > 0) return;
      await queues.write(
        id,
        unsent.queue.map((message) => ({ ...message, sending: true })),
      );
    });
  }

  /** Resolves once the draft and the chips of a conversation are stored. Throws file system errors. */
  async whenDraftSaved(id: string): Promise<void> {
    await Promise.all([this.#store.drafts.save(id), this.#store.composers.save(id)]);
  }

  /**
   * Returns the conversations that have a draft, chips or queued messages, and no turns, or turns that aren't on disk: after
   * a crash, no list would show them.
   */
  getDrafted(): Conversation[] {
    return this.#open.all.filter(({ id, turns, draft, composing, queue, unsaved }) =>
      turns.length > 0
        ? unsaved || this.composers.hasSent(id)
        : draft !== '' || composing?.context.length || queue,
    );
  }

  /**
   * Returns the IDs of the conversations that have a file that isn't empty, even one that can't be read, or whose deletion can
   * be undone or isn't complete. Throws file system errors.
   */
  getTakenIds(): Promise<ReadonlySet<string>> {
    return this.#store.getTakenIds();
  }

  /** Adds a conversation that was imported from a file, with all its turns. */
  importConversation(conversation: Conversation): void {
    const imported = { ...this.#botNames.update(conversation) };
    this.#open.addConversation(imported);
    this.writer.saveWhole(imported);
    this.#events.fire({ type: 'created', conversationId: conversation.id });
  }

  /**
   * Removes a conversation from all windows; `undelete` restores it until `purge`. Returns false if another deletion of it is
   * in progress, or it has no file. Throws file system errors, and changes nothing then.
   */
  async deleteConversation(id: string): Promise<boolean> {
    // Before the conversation is gone, so that it is known where it is on a service.
    this.notePersonalChange(id, { deleted: true });
    let isDeleted: boolean;
    try {
      isDeleted = await this.#store.deleteConversation(id);
    } catch (error) {
      this.notePersonalChange(id, { deleted: false });
      throw error;
    }
    this.#storeEventHandler.remove(id);
    // Another window may have undone its own deletion meanwhile.
    if (isDeleted) this.notePersonalChange(id, { deleted: true });
    return isDeleted;
  }

  /** Returns a deleted conversation until it is purged, or undefined if a newer version wrote it. Throws file system errors. */
  readDeleted(id: string): Promise<Conversation | undefined> {
    return this.#store.deletions.readDeleted(id);
  }

  /** Returns false if another window has completed the deletion. Throws file system errors. */
  undelete(id: string): Promise<boolean> {
    // If it can't be restored now, it is at a later start.
    this.notePersonalChange(id, { deleted: false });
    return this.#store.undelete(id);
  }

  async purge(id: string): Promise<void> {
    await this.#store.purge(id);
    this.#events.fire({ type: 'purged', conversationId: id });
  }

  /**
   * Completes deletions that a window left unfinished when it was killed. `deleteRemote` deletes a conversation on the
   * service; it may throw. Throws file system errors.
   */
  completeDeletions(deleteRemote: (conversation: Conversation) => Promise<void>): Promise<void> {
    return this.#store.deletions.completeAbandoned(deleteRemote);
  }

  /** Returns undefined if another window is writing the conversation. `force` takes its lease over. */
  acquirePermission(
    id: string,
    options: { readonly force?: boolean } = {},
  ): Promise<WritePermission | undefined> {
    return this.#writePermissions.acquirePermission(id, options);
  }

  /** Resolves once all changes to a conversation are on disk. Throws file system errors. */
  whenSaved(id: string): Promise<void> {
    return this.#store.flush(id);
  }

  /**
   * Runs `work` while no other window runs work on the conversation, after applying their changes. They see what it changed.
   * Rejects with the signal's reason if aborted while waiting for another window.
   */
  runExclusively<T>(
    id: string,
    work: (readChanges: () => Promise<void>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#store.runExclusively(id, work, signal);
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
    this.notePersonalChange(id, { pinned });
  }

  /** Archives a conversation or lists it again; it may be closed. Throws AppendError. */
  async setArchived(id: string, archived: boolean): Promise<void> {
    await this.updateAnywhere(id, { archived });
    this.notePersonalChange(id, { archived });
  }

  /** Updates the properties of a conversation that may be closed. Throws AppendError. */
  async updateAnywhere(id: string, about: Partial<About>): Promise<void> {
    if (this.#open.has(id)) this.update(id, about);
    else if (this.#catalog.getSummary(id)) await this.#store.updateClosed(id, about);
  }

  /** Reports what the user did, and not a record of another window or what the service says. */
  notePersonalChange(id: string, change: Omit<PersonalChange, 'conversationId'>): void {
    this.#personalChanges.fire({ conversationId: id, ...change });
  }

  /** Updates the properties of a conversation other than its turns. Needs no permission: each stands for itself. */
  update(id: string, about: Partial<About>): void {
    // The caller may have got the bot before its name was known.
    this.writer.updateConversation(id, about.bot ? this.#botNames.update(about) : about);
  }

  /** Names a conversation after its first message, unless the user has named it; returns whether it did. */
  nameAfter(id: string, text: string): boolean {
    const conversation = this.#open.findConversation(id);
    if (!conversation || (conversation.name !== '' && !hasDerivedName(conversation))) return false;
    this.update(id, { name: deriveName(text) });
    return true;
  }

  /** Adds a document, and names a conversation without a name after it. Needs no permission, as the writer's `putDocument`. */
  addDocument(id: string, turn: DocumentTurn): void {
    if (this.#open.findConversation(id)?.name === '') this.update(id, { name: deriveName(turn.name) });
    this.writer.putDocument(id, turn);
  }

  dispose(): void {
    this.#events.dispose();
    this.#personalChanges.dispose();
  }

  #openStored(id: string): Promise<Conversation | undefined> {
    return this.#open.openConversation(id, async () => {
      this.#updateBotName(id);
      await this.restoreComposer(id);
    });
  }

  #updateBotName(id: string): void {
    const conversation = this.#open.findConversation(id);
    const { bot } = (conversation && this.#botNames.update(conversation)) ?? {};
    if (bot && bot !== conversation?.bot) this.update(id, { bot });
  }
}
