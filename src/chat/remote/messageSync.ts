import type { Message } from '../../client/models';
import { collectItems, MAX_ITEMS } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import { sleep } from '../../client/sleep';
import type { Chat } from '../conversations/chat';
import type { WritePermission } from '../conversations/writePermissions';
import type { ChatEvent } from '../model/chatEvent';
import { type Conversation, findReply, isStreaming } from '../model/conversation';
import type { ReplyTurn, TextTurn, Turn } from '../model/turn';
import { isFiltered, readMessagePages } from './conversationLists';
import { createFilledNormalizer, createNormalizer } from './matchMessages';
import { mergeMessages, type TurnChange } from './mergeMessages';
import type { RemoteConversations } from './remoteConversations';
import { isOldestFirst } from './replySources';
import type { Connect, Service } from './service';

/** Minimum interval between two requests for a conversation's messages. */
const REFRESH_INTERVAL_MS = 30_000;
/** With the smallest pages that a service is known to have, 2,000 messages. */
const MAX_PAGES = 200;
/** From the start of a reply, in ms: as long as a request for one may take, and ten minutes. */
export const MAX_LATE_MS = 15 * 60_000;
/** A reply that is found is looked for again, because the service may still be writing it. */
const LOOK_AGAIN_MS = 1000;
const MAX_LOOKS = 3;
/** Thousands of turns at once would hold up the extension host for more than a second. */
const CHANGES_PER_TASK = 250;
/** In UTF-16 code units. Messages are in memory while they are read, normalized and matched with the turns. */
const MAX_TOTAL_LENGTH = 64 * 1024 * 1024;

/** A look at a conversation's messages that is under way. */
interface Refresh {
  readonly controller: AbortController;
  done: Promise<boolean>;
}

/** Progress of reading and adding a conversation's messages. */
interface ReadPosition {
  /** The conversation's ID on the service, which changes if it is created again. */
  readonly remoteId: string;
  /** All messages on earlier pages were added. */
  readonly page: number;
  /** The ID of the oldest message whose reply may still come, between older and newer messages. */
  readonly unansweredId: string | undefined;
}

interface ReadMessages {
  readonly messages: readonly Message[];
  readonly position?: ReadPosition;
}

/**
 * Adds messages that were sent from elsewhere (docs/service.md: GET /messages) without notifications, because
 * the user didn't ask for them. A service without this operation is asked only once.
 */
export class MessageSync {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: Connect;
  readonly #now: () => number;
  readonly #refreshes = new Map<string, Refresh>();
  /** Start time of each conversation's last refresh, unless messages are still to be added. */
  readonly #refreshedAt = new Map<string, number>();
  readonly #positions = new Map<string, ReadPosition>();
  readonly #subscription: { dispose(): void };
  readonly #closing = new AbortController();
  #visible: ReadonlySet<string> = new Set();

  /** `now` returns ms since the epoch. */
  constructor(chat: Chat, remote: RemoteConversations, connect: Connect, now = Date.now) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
    this.#now = now;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /**
   * Adds new messages from the service, unless it was asked within the last 30 s. Resolves when they are
   * added; never throws.
   */
  async fetchMessages(id: string): Promise<void> {
    if (this.#now() - (this.#refreshedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= REFRESH_INTERVAL_MS)
      await this.#refresh(id);
  }

  /** Refreshes the conversations that have just come on screen. */
  setVisible(shown: ReadonlySet<string>): void {
    for (const id of shown) if (!this.#visible.has(id)) void this.fetchMessages(id);
    this.#visible = shown;
  }

  /**
   * Looks for the complete text of a reply that broke off, and shows it; returns false if there is none yet. A text that
   * still changes from one look to the next isn't complete. Throws file system errors.
   */
  async findCompleteReply(id: string, turnId: string): Promise<boolean> {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const before = findReply(this.#chat.findConversation(id), turnId)?.whole;
      await this.#refreshes.get(id)?.done;
      const wasSeen = await this.#refresh(id);
      const reply = findReply(this.#chat.findConversation(id), turnId);
      if (reply?.ending === 'complete') return true;
      if (!wasSeen || reply?.whole === undefined) return false;
      if (reply.whole === before) return this.showCompleteReply(id, turnId);
      await sleep(LOOK_AGAIN_MS, this.#closing.signal).catch(() => undefined);
    }
    return false;
  }

  /** Replaces an interrupted reply's text with the complete one; returns false if there is none. */
  async showCompleteReply(id: string, turnId: string): Promise<boolean> {
    const count = await this.#writeChanges(id, () => {
      const {
        whole,
        failure: _,
        skipped: __,
        ...turn
      } = findReply(this.#chat.findConversation(id), turnId) ?? {};
      if (whole === undefined || !('id' in turn)) return [];
      return [{ turn: { ...turn, text: whole, ending: 'complete' } }];
    });
    return count !== undefined && count > 0;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#closing.abort();
    for (const { controller } of this.#refreshes.values()) controller.abort();
  }

  #handleEvent(event: ChatEvent): void {
    const { conversationId: id } = event;
    if (event.type === 'deleted') {
      this.#refreshes.get(id)?.controller.abort();
      this.#refreshedAt.delete(id);
      this.#positions.delete(id);
    } else if (event.type === 'ended' && mayBeCompleteOnService(event.turn)) void this.#refresh(id);
  }

  /** Adds new messages; joins a look that is under way. Returns whether the service's list was read and its messages were added. */
  #refresh(id: string): Promise<boolean> {
    const running = this.#refreshes.get(id);
    if (running) return running.done;
    if (this.#closing.signal.aborted) return Promise.resolve(false);
    const controller = new AbortController();
    const refresh: Refresh = { controller, done: Promise.resolve(false) };
    this.#refreshes.set(id, refresh);
    refresh.done = this.#addMessages(id, controller.signal).finally(() => this.#refreshes.delete(id));
    return refresh.done;
  }

  async #addMessages(id: string, signal: AbortSignal): Promise<boolean> {
    if (!this.#chat.findConversation(id)?.remote) return false;
    const startedAt = this.#now();
    this.#refreshedAt.set(id, startedAt);
    try {
      await this.#remote.checkGone(id, signal);
      const { remote } = this.#chat.findConversation(id) ?? {};
      if (!remote || remote.gone) return false;
      const service = this.#connect(remote.baseUrl);
      const read = await service.capabilities.use(
        'GET /messages',
        () => this.#readMessages(service, id, remote.id, signal),
        { id: remote.id, check: (error) => this.#remote.checkConversation(id, service, error, signal) },
      );
      if (!read) return false;
      // Until all are added, the next refresh reads the same pages, and needn't wait.
      this.#refreshedAt.delete(id);
      const isComplete = await this.#mergeMessages(id, read.messages, signal);
      if (!isComplete || signal.aborted) return false;
      this.#refreshedAt.set(id, startedAt);
      if (!read.position) return false;
      this.#positions.set(id, read.position);
      return true;
    } catch (error) {
      // The request is in the log; if the service can't be reached, opening the conversation again retries.
      if (!signal.aborted && !(error instanceof ServiceError)) this.#chat.reportError(error);
      return false;
    }
  }

  /** Reads all messages if there are few, otherwise those since the last refresh. */
  async #readMessages(
    service: Service,
    id: string,
    remoteId: string,
    signal: AbortSignal,
  ): Promise<ReadMessages> {
    const turns = this.#chat.findConversation(id)?.turns ?? [];
    const knownIds = new Set(turns.map((turn) => 'remoteId' in turn && turn.remoteId));
    const messages = new Map<string, Message>();
    let totalLength = 0;
    const pages = new Map<string, number>();
    const position = this.#positions.get(id);
    const { page: firstPage, unansweredId } =
      position?.remoteId === remoteId ? position : { page: 1, unansweredId: undefined };
    const readList = () => readMessagePages(service, { remoteId, firstPage, maxPages: MAX_PAGES }, signal);
    for await (const page of readList()) {
      // A message without an ID can't be distinguished from existing ones.
      const items = page.items.filter((item) => item.id !== '');
      for (const item of items) {
        messages.set(item.id, item);
        pages.set(item.id, page.number);
        totalLength += getLength(item);
      }
      if (messages.size >= MAX_ITEMS || totalLength >= MAX_TOTAL_LENGTH) break;
      const hasAnswers = unansweredId === undefined || messages.has(unansweredId);
      if (isOldestFirst(items) === false && hasAnswers && items.every((item) => knownIds.has(item.id))) break;
    }
    const read = [...messages.values()];
    const oldestFirst = isOldestFirst(read);
    const since = service.client.clock.toServiceTime(this.#now() - MAX_LATE_MS) / 1000;
    const unanswered = findUnanswered(oldestFirst === false ? read.toReversed() : read, since);
    const resumed = oldestFirst ? (unanswered ?? read.at(-1)) : undefined;
    // Without times it isn't known on which page the newest ones are.
    const page = pages.get(resumed?.id ?? '') ?? firstPage;
    const readAll = () =>
      service.client.listMessages({ page: firstPage === 1 ? undefined : firstPage }, signal);
    // If it isn't known whose messages they are, one of them must be ours.
    const isTrusted =
      read.every((message) => knownIds.has(message.id)) ||
      (await isFiltered(service, 'messages', read, { readAll, readAgain: () => collectItems(readList()) })) ||
      read.some((message) => knownIds.has(message.id)) ||
      haveCommonText(turns, read);
    return isTrusted
      ? { messages: read, position: { remoteId, page, unansweredId: unanswered?.id } }
      : { messages: [] };
  }

  /** Adds what is missing; returns whether nothing is missing any more. */
  async #mergeMessages(id: string, messages: readonly Message[], signal: AbortSignal): Promise<boolean> {
    await this.#chat.openWhole(id);
    const turnsBefore = this.#chat.findConversation(id)?.turns.filter(isUnmatched) ?? [];
    const normalize = await createFilledNormalizer([...turnsBefore, ...messages]);
    let last: { readonly turns: readonly Turn[]; readonly changes: readonly TurnChange[] } | undefined;
    const findMissing = (): readonly TurnChange[] => {
      const conversation = this.#chat.findConversation(id);
      if (!conversation || signal.aborted) return [];
      const { turns, bot } = conversation;
      // Thousands of messages take a while.
      if (last?.turns !== turns)
        last = {
          turns,
          changes: mergeMessages(turns, messages, { bot: bot?.name ?? '', now: this.#now(), normalize }),
        };
      return last.changes;
    };
    // A reply that started in the meantime is newer than the answer.
    if (this.#isStreaming(id)) return false;
    return findMissing().length === 0 || (await this.#writeChanges(id, findMissing)) !== undefined;
  }

  /** Writes changes and returns how many; undefined if another window is writing or a reply streams before the end. */
  async #writeChanges(id: string, findChanges: () => readonly TurnChange[]): Promise<number | undefined> {
    const permission = await this.#chat.acquirePermission(id);
    if (!permission) return;
    try {
      // Another window may just have added the same turns.
      await this.#chat.readChanges(id);
      if (this.#isStreaming(id)) return;
      const count = await this.#putTurns(permission, findChanges);
      // A disk error is shown by the conversation itself.
      await this.#chat.whenSaved(id).catch(() => undefined);
      return count;
    } finally {
      await permission.release();
    }
  }

  /** Puts turns until there are no more and returns how many; undefined if someone else writes the conversation. */
  async #putTurns(
    permission: WritePermission,
    findChanges: () => readonly TurnChange[],
  ): Promise<number | undefined> {
    const { conversationId: id } = permission;
    let count = 0;
    let pending = findChanges();
    while (pending.length > 0) {
      for (const { turn, before } of pending.slice(0, CHANGES_PER_TASK)) {
        if (turn.kind === 'message') this.#chat.nameAfter(id, turn.text);
        this.#chat.writer.putTurn(permission, turn, before);
        count++;
      }
      pending = pending.slice(CHANGES_PER_TASK);
      if (pending.length === 0) break;
      const turns = this.#chat.findConversation(id)?.turns;
      await sleep(0);
      if (this.#isStreaming(id) || permission.lost.aborted) return;
      if (this.#chat.findConversation(id)?.turns !== turns) pending = findChanges();
    }
    return count;
  }

  #isStreaming(id: string): boolean {
    const conversation: Conversation | undefined = this.#chat.findConversation(id);
    return conversation !== undefined && isStreaming(conversation);
  }
}

/** Returns whether the service may have the complete reply, or may have received the message. */
export function mayBeCompleteOnService({ ending, failure }: ReplyTurn): boolean {
  if (failure?.maySend) return false;
  return ending === 'interrupted' || (ending === 'failed' && failure !== undefined);
}

function isUnmatched(turn: Turn): turn is TextTurn {
  return turn.kind !== 'document' && turn.remoteId === undefined;
}

/** Returns whether one of the messages has the text of one of the turns. */
function haveCommonText(turns: readonly Turn[], messages: readonly Message[]): boolean {
  const normalize = createNormalizer();
  const texts = new Set(turns.filter((turn) => turn.kind !== 'document').map(normalize));
  return messages.some((message) => normalize(message) !== '' && texts.has(normalize(message)));
}

/** Finds the oldest message since a time in Unix seconds that no reply follows. */
function findUnanswered(oldestFirst: readonly Message[], since: number): Message | undefined {
  return oldestFirst.find(
    ({ machine, createdAt = since }, index) =>
      createdAt >= since && machine !== true && oldestFirst[index + 1]?.machine !== true,
  );
}

/** Returns about how much memory a message takes, in UTF-16 code units. */
function getLength({ content, sources }: Message): number {
  return content.length + sources.reduce((length, source) => length + JSON.stringify(source).length, 0);
}
