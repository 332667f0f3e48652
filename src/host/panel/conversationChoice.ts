import type * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { canGetBot } from '../../chat/model/conversation';
import type { Bots } from '../service/bots';

/** Memento key of the conversation that this window's view showed last. */
const SHOWN_KEY = 'parley.shownConversation';
/** Memento key of the conversations that have a draft but no turns. */
const DRAFTED_KEY = 'parley.draftedConversations';

/** Chooses the conversation of a page that opens: the one from before, or an empty one. */
export class ConversationChoice {
  readonly #chat: Chat;
  readonly #bots: Bots;
  readonly #memory: vscode.Memento;
  readonly #getShown: () => ReadonlySet<string>;
  /** The conversations with a draft from before the restart, until they are reopened. */
  #drafted: readonly string[];
  /** Those that are being reopened. They may be found before their chips and queues are restored. */
  readonly #reopening = new Map<string, Promise<string>>();
  #reopeningRemembered: Promise<string> | undefined;

  /** `memory`: the workspace's memento. `getShown` returns the conversations of all pages, also of hidden ones. */
  constructor(
    services: { chat: Chat; bots: Bots; memory: vscode.Memento },
    getShown: () => ReadonlySet<string>,
  ) {
    this.#getShown = getShown;
    this.#chat = services.chat;
    this.#bots = services.bots;
    this.#memory = services.memory;
    this.#drafted = this.#memory.get<readonly string[]>(DRAFTED_KEY, []);
  }

  /** Remembers the conversation that the view shows. */
  remember(conversationId: string): void {
    void this.#memory.update(SHOWN_KEY, conversationId);
  }

  /** Remembers the conversations that have a draft but no turns on disk: no list shows them, and `getBlank` returns them. */
  rememberDrafted(): void {
    const ids = [...new Set([...this.#drafted, ...this.#chat.getDrafted().map(({ id }) => id)])];
    const isKnown = ids.join() === this.#memory.get<readonly string[]>(DRAFTED_KEY, []).join();
    if (!isKnown) void this.#memory.update(DRAFTED_KEY, ids);
  }

  /** Reopens the conversation that the view showed before a restart, and those that have a draft but no turns. */
  reopenRemembered(): Promise<string> {
    // The view and a command may both ask for it, and get the same new conversation.
    this.#reopeningRemembered ??= this.#reopenRemembered().finally(() => {
      this.#reopeningRemembered = undefined;
    });
    return this.#reopeningRemembered;
  }

  /**
   * Reopens a conversation that was shown before a restart, or its draft if it has no turns; without an ID,
   * returns an empty one.
   */
  async reopen(id: string | undefined): Promise<string> {
    if (id === undefined) return this.getBlank();
    // The view and a tab may both have shown it.
    const running = this.#reopening.get(id);
    if (running) return running;
    const reopening = this.#reopen(id).finally(() => this.#reopening.delete(id));
    this.#reopening.set(id, reopening);
    return reopening;
  }

  /** Returns an empty conversation: one with a draft that no page shows, or else a new one. */
  getBlank(bot = this.#bots.getDefault()): string {
    const shown = this.#getShown();
    const hidden = this.#chat
      .getDrafted()
      .find(
        (conversation) =>
          conversation.turns.length === 0 && !shown.has(conversation.id) && canGetBot(conversation, bot),
      );
    return (hidden ?? this.#chat.createConversation(bot)).id;
  }

  async #reopenRemembered(): Promise<string> {
    const shown = await this.#tryToReopen(this.#memory.get<string>(SHOWN_KEY));
    const unread: string[] = [];
    for (const id of this.#drafted) if (!(await this.#tryToReopen(id))) unread.push(id);
    this.#drafted = unread;
    return shown ?? this.getBlank();
  }

  /** Returns undefined for one that can't be read, which must not keep the others from being shown. */
  #tryToReopen(id: string | undefined): Promise<string | undefined> {
    return this.reopen(id).catch((error: unknown) => {
      this.#chat.reportError(error);
      return undefined;
    });
  }

  async #reopen(id: string): Promise<string> {
    if (await this.#chat.openConversation(id)) return id;
    // One that was deleted may come back, and one that can't be read isn't to be changed.
    if ((await this.#chat.getTakenIds()).has(id)) return this.getBlank();
    const draft = await this.#chat.composers.getDraft(id);
    this.#chat.createConversation(this.#bots.getDefault(), id, draft);
    await this.#chat.restoreComposer(id);
    return id;
  }
}
