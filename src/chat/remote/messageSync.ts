import type { Message } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import type { Chat } from '../conversations/chat';
import { type Conversation, isStreaming, type ReplyTurn } from '../model/conversation';
import type { ChatEvent } from '../model/events';
import { mergeMessages, type TurnChange } from './mergeMessages';
import { listMessages } from './messageList';
import type { RemoteConversations } from './remoteConversations';
import type { Service } from './service';
import { isOldestFirst } from './sources';
import { waitForRateLimit } from './waitForRateLimit';

/** Minimum interval between two requests for a conversation's messages. */
const INTERVAL = 30_000;
const MAX_PAGES = 40;
/** No service has smaller pages: a shorter array contains all messages. */
const SMALLEST_PAGE = 10;

/**
 * Adds messages that were sent from elsewhere (docs/service.md: GET /messages) without notifications, because
 * the user didn't ask for them. A service without this operation is asked only once.
 */
export class MessageSync {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: () => Service;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  readonly #looks = new Map<string, AbortController>();
  /** When each conversation was last refreshed. */
  readonly #lookedAt = new Map<string, number>();
  /** The page where each conversation's newest messages were last found. */
  readonly #pages = new Map<string, number>();
  readonly #listening: { dispose(): void };
  #shown: ReadonlySet<string> = new Set();

  /** `onError` receives errors that are not the service's; `now` returns ms since the epoch. */
  constructor(
    chat: Chat,
    remote: RemoteConversations,
    connect: () => Service,
    onError: (error: unknown) => void,
    now = Date.now,
  ) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
    this.#onError = onError;
    this.#now = now;
    this.#listening = chat.onEvent((event) => this.#follow(event));
  }

  /**
   * Adds new messages from the service, unless it was asked within the last 30 s. Resolves when they are
   * added; never throws.
   */
  async refresh(id: string): Promise<void> {
    if (this.#now() - (this.#lookedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= INTERVAL)
      await this.#refresh(id);
  }

  /** Refreshes the conversations that have just come on screen. */
  show(shown: ReadonlySet<string>): void {
    for (const id of shown) if (!this.#shown.has(id)) void this.refresh(id);
    this.#shown = shown;
  }

  /** Replaces an interrupted reply's text with the complete one; returns false if there is none. */
  async showWhole(id: string, turnId: string): Promise<boolean> {
    const reply = (): ReplyTurn | undefined => {
      const turn = this.#chat.find(id)?.turns.find((each) => each.id === turnId);
      return turn?.kind === 'reply' ? turn : undefined;
    };
    return this.#write(id, () => {
      const { whole, failure: _, skipped: __, ...turn } = reply() ?? {};
      if (whole === undefined || !('id' in turn)) return [];
      return [{ turn: { ...turn, text: whole, ending: 'complete' } }];
    });
  }

  dispose(): void {
    this.#listening.dispose();
    for (const look of this.#looks.values()) look.abort();
  }

  #follow(event: ChatEvent): void {
    const { conversationId: id } = event;
    if (event.type === 'deleted') {
      this.#looks.get(id)?.abort();
      this.#lookedAt.delete(id);
      this.#pages.delete(id);
    } else if (event.type === 'ended' && mayBeWholeThere(event.turn)) void this.#refresh(id);
  }

  async #refresh(id: string): Promise<void> {
    const remote = this.#chat.find(id)?.remote;
    if (!remote || remote.gone || this.#looks.has(id)) return;
    const look = new AbortController();
    this.#looks.set(id, look);
    this.#lookedAt.set(id, this.#now());
    try {
      const service = this.#connect();
      if (service.baseUrl !== remote.baseUrl) return;
      await waitForRateLimit(service, look.signal);
      const messages = await service.capabilities.use(
        'GET /messages',
        () => this.#read(service, id, remote.id, look.signal),
        (error) => this.#remote.checkConversation(id, service, error),
      );
      if (messages) await this.#merge(id, messages, look.signal);
    } catch (error) {
      // The request is in the log; if the service can't be reached, opening the conversation again retries.
      if (!look.signal.aborted && !(error instanceof ServiceError)) this.#onError(error);
    } finally {
      this.#looks.delete(id);
    }
  }

  /** Reads all messages if there are few, otherwise those since the last refresh. */
  async #read(service: Service, id: string, remoteId: string, signal: AbortSignal): Promise<Message[]> {
    const known = new Set(this.#chat.find(id)?.turns.map((turn) => 'remoteId' in turn && turn.remoteId));
    const messages = new Map<string, Message>();
    let page = this.#pages.get(id) ?? 1;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const answer = await listMessages(service, { conversationId: remoteId, page }, signal);
      const before = messages.size;
      for (const item of answer.items) {
        // A message without an id can't be distinguished from existing ones.
        if (item.id !== '' && (item.conversationId === undefined || item.conversationId === remoteId))
          messages.set(item.id, item);
      }
      const oldestFirst = isOldestFirst(answer.items);
      if (oldestFirst && messages.size > before) this.#pages.set(id, page);
      // A bare array doesn't say whether there is more. If the service doesn't page, the next page repeats
      // this one.
      const more =
        answer.nextPage !== undefined || (answer.total === undefined && answer.items.length >= SMALLEST_PAGE);
      if (!more || messages.size === before) break;
      if (!oldestFirst && answer.items.every((item) => known.has(item.id))) break;
      page = answer.nextPage ?? page + 1;
    }
    return [...messages.values()];
  }

  async #merge(id: string, messages: readonly Message[], signal: AbortSignal): Promise<void> {
    await this.#chat.whole(id);
    const missing = (): TurnChange[] => {
      const conversation = this.#chat.find(id);
      if (!conversation || signal.aborted) return [];
      return mergeMessages(conversation.turns, messages, {
        bot: conversation.bot?.name ?? '',
        now: this.#now(),
      });
    };
    // A reply that started in the meantime is newer than the answer: refresh again at the next opening.
    if (this.#streams(id)) this.#lookedAt.delete(id);
    else if (missing().length > 0) await this.#write(id, missing);
  }

  /** Adds turns unless another window is writing or a reply is streaming; returns whether there were any. */
  async #write(id: string, changes: () => readonly TurnChange[]): Promise<boolean> {
    const lease = await this.#chat.acquire(id);
    if (!lease) return false;
    try {
      if (this.#streams(id)) return false;
      const all = changes();
      for (const { turn, before } of all) {
        if (turn.kind === 'message') this.#chat.nameAfter(id, turn.text);
        this.#chat.putTurn(id, turn, before);
      }
      // A disk error is shown by the conversation itself.
      await this.#chat.saved(id).catch(() => undefined);
      return all.length > 0;
    } finally {
      await lease.release();
    }
  }

  #streams(id: string): boolean {
    const conversation: Conversation | undefined = this.#chat.find(id);
    return conversation !== undefined && isStreaming(conversation);
  }
}

/** Returns whether the service may have the complete reply, or may have received the message. */
function mayBeWholeThere({ ending, failure }: ReplyTurn): boolean {
  return ending === 'interrupted' || (ending === 'failed' && failure?.maySend === false);
}
