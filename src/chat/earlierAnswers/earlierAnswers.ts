import type { Bot, ConversationSummary } from '../../shared/view/viewModel';
import { Emitter } from '../base/emitter';
import { TimeSlice } from '../base/timeSlice';
import type { Chat } from '../conversations/chat';
import { mayBeSameBot } from '../model/conversation';
import type { TranscriptRecord } from '../model/record';
import type { MessageTurn } from '../model/turn';
import type { ConversationStore } from '../store/store';
import { readTurnRecords } from '../store/transcript/turnRecords';
import { readQuestion } from './question';
import { QuestionIndex } from './questionIndex';

/** Questions that are kept in memory, the newest ones. */
const MAX_QUESTIONS = 20_000;
/** Bytes of transcripts that are read at first, the newest ones. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Fewer than Node.js's threads for files, so that reads that the user waits for aren't queued behind these. */
const MAX_CONCURRENT_READS = 3;
/** Questions of a conversation that wait for an answer. */
const MAX_UNANSWERED = 100;

/** A question that was answered. */
export interface EarlierAnswer {
  readonly conversationId: string;
  readonly messageId: string;
  readonly replyId: string;
  readonly question: string;
  /** The name of the bot that answered. */
  readonly bot: string;
  /** When it was asked. */
  readonly at: number;
  /** Whether an agent asked it, and the name that it chose. */
  readonly isOfAgent?: true;
  readonly agent?: string;
}

export interface EarlierSearch {
  /** Answers of this bot come first. */
  readonly bot?: Bot | undefined;
  /** The ID of the workspace whose answers come first. */
  readonly workspaceId?: string | undefined;
  readonly isAllowed?: (answer: EarlierAnswer, summary: ConversationSummary) => boolean;
  readonly signal: AbortSignal;
}

/** What is known of a conversation. */
interface Conversation {
  /** Byte offset up to which its file was read. */
  end: number;
  isDropped: boolean;
  readonly unanswered: Map<string, MessageTurn>;
  /** By the IDs of the messages. */
  readonly answered: Map<string, EarlierAnswer>;
}

interface Services {
  readonly chat: Chat;
  readonly store: ConversationStore;
}

/**
 * Finds the answer to a question that was asked before, in any conversation of this machine. What it knows is read when it is first
 * asked, in slices, and then follows the changes of all windows. It is only in memory, so that nothing deleted stays in a file.
 */
export class EarlierAnswers {
  readonly #services: Services;
  readonly #conversations = new Map<string, Conversation>();
  readonly #index = new QuestionIndex<EarlierAnswer>();
  /** Conversations that have changed since they were read. */
  readonly #changed = new Set<string>();
  /** Conversations that couldn't be read. */
  readonly #unreadable = new Set<string>();
  readonly #removals = new Emitter<EarlierAnswer>();
  readonly #listening: { dispose(): void };
  #work: Promise<void> | undefined;
  #isListed = false;
  #isDisposed = false;

  constructor(services: Services) {
    this.#services = services;
    this.#listening = services.chat.onChatEvent((event) => {
      const { type, conversationId } = event;
      if (type === 'deleted') this.#drop(conversationId);
      else if (['created', 'changed', 'turn', 'turnRemoved', 'ended'].includes(type))
        this.#changed.add(conversationId);
    });
  }

  /** How much work the last search was. */
  get lastWork() {
    return { ...this.#index.lastWork, questions: this.#index.size };
  }

  /**
   * Returns the answer to a question that means the same: of the same bot and workspace first, then the newest. Rejects with the signal's
   * reason if aborted. Throws file system errors.
   */
  async findAnswer(text: string, search: EarlierSearch): Promise<EarlierAnswer | undefined> {
    const { chat, store } = this.#services;
    const question = readQuestion(text);
    if (!question) return undefined;
    await this.#update();
    search.signal.throwIfAborted();
    const found = this.#index.findQuestions(question).flatMap(({ entry, share }) => {
      const summary = chat.getSummary(entry.conversationId);
      if (!summary || search.isAllowed?.(entry, summary) === false) return [];
      return { entry, share, rank: getRank(summary, search) };
    });
    found.sort((a, b) => b.rank - a.rank || b.share - a.share || b.entry.at - a.entry.at);
    for (const { entry } of found) {
      // Another window may have deleted it a moment ago.
      if ((await store.getSize(entry.conversationId)) > 0) return this.#index.has(entry) ? entry : undefined;
      this.#drop(entry.conversationId);
    }
    return undefined;
  }

  /** Resolves when an answer was deleted, or when the signal is aborted. */
  async whenGone(answer: EarlierAnswer, signal: AbortSignal): Promise<void> {
    if (!this.#index.has(answer) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const listening = this.#removals.on((removed) => {
        if (removed === answer) end();
      });
      const end = () => {
        listening.dispose();
        signal.removeEventListener('abort', end);
        resolve();
      };
      signal.addEventListener('abort', end);
    });
  }

  /** Reads the text of an answer; undefined if it was deleted. Throws file system errors. */
  async readAnswer({ conversationId, replyId }: EarlierAnswer): Promise<string | undefined> {
    const conversation = await this.#services.chat.readConversation(conversationId);
    const reply = conversation?.turns.find(({ id }) => id === replyId);
    return reply?.kind === 'reply' ? reply.text : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listening.dispose();
    for (const id of [...this.#conversations.keys()]) this.#drop(id);
    this.#removals.dispose();
  }

  /** Reads what isn’t known yet. Concurrent calls share the work. */
  #update(): Promise<void> {
    this.#work ??= this.#readChanged().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async #readChanged(): Promise<void> {
    const { chat } = this.#services;
    for (const id of this.#unreadable) this.#changed.add(id);
    if (!this.#isListed) {
      await chat.load();
      let bytes = 0;
      const newestFirst = chat.listConversations().values();
      const worker = async () => {
        for (const { id } of newestFirst) {
          if (bytes > MAX_BYTES || this.#index.size >= MAX_QUESTIONS || this.#isDisposed) return;
          this.#changed.delete(id);
          await this.#tryRead(id);
          bytes += this.#conversations.get(id)?.end ?? 0;
        }
      };
      await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, worker));
      this.#isListed = true;
    }
    while (this.#changed.size > 0 && !this.#isDisposed) {
      const [id = ''] = this.#changed;
      this.#changed.delete(id);
      await this.#tryRead(id);
    }
    await this.#forgetOldest();
  }

  /** Reads what was added to a conversation, or tries again with the next search. Reports its first failure. */
  async #tryRead(id: string): Promise<void> {
    const { chat, store } = this.#services;
    // What this window writes itself may not be in the file yet; a failure has been reported.
    if (chat.findConversation(id)) await store.flush(id).catch(() => undefined);
    try {
      await this.#read(id);
      this.#unreadable.delete(id);
    } catch (error) {
      if (!this.#unreadable.has(id)) chat.reportError(error);
      this.#unreadable.add(id);
    }
  }

  async #read(id: string): Promise<void> {
    const { store } = this.#services;
    let known = this.#conversations.get(id);
    const size = await store.getSize(id);
    // A file that has become shorter was written again.
    if (known && size < known.end) {
      this.#drop(id);
      known = undefined;
    }
    if (!known) {
      known = { end: 0, isDropped: false, unanswered: new Map(), answered: new Map() };
      this.#conversations.set(id, known);
    }
    if (size === known.end) return;
    const read = (from: number, to: number) => store.readTranscriptBytes(id, from, to);
    const slice = new TimeSlice();
    for await (const { records, end } of readTurnRecords(read, known.end, size)) {
      slice.restart();
      for (const record of records) {
        if (known.isDropped) return;
        this.#apply(id, known, record);
        if (slice.isOver) await slice.rest();
      }
      known.end = end;
    }
  }

  #apply(conversationId: string, known: Conversation, record: TranscriptRecord): void {
    if (record.type === 'turnRemoved') {
      this.#remove(known, record.turnId);
      for (const { messageId, replyId } of known.answered.values()) {
        if (replyId === record.turnId) this.#remove(known, messageId);
      }
    } else if (record.type === 'turn' || record.type === 'ended') {
      const { turn } = record;
      if (turn.kind === 'message') this.#addMessage(known, turn);
      else if (turn.kind === 'reply' && turn.ending === 'complete')
        this.#addReply(conversationId, known, turn);
    }
  }

  #addMessage(known: Conversation, message: MessageTurn): void {
    if (known.answered.get(message.id)?.question === message.text) return;
    this.#remove(known, message.id);
    known.unanswered.set(message.id, message);
    const [oldest] = known.unanswered.keys();
    if (known.unanswered.size > MAX_UNANSWERED && oldest !== undefined) known.unanswered.delete(oldest);
  }

  #addReply(
    conversationId: string,
    known: Conversation,
    {
      id: replyId,
      messageId,
      bot,
    }: { readonly id: string; readonly messageId: string; readonly bot: string },
  ): void {
    const message = known.unanswered.get(messageId);
    const before = known.answered.get(messageId);
    const text = message?.text ?? before?.question ?? '';
    const question = before?.replyId === replyId ? undefined : readQuestion(text);
    known.unanswered.delete(messageId);
    if (!question) return;
    this.#remove(known, messageId);
    const answer: EarlierAnswer = message
      ? {
          ...{ conversationId, messageId, replyId, question: text, bot, at: message.at },
          ...(message.via === 'tool' && { isOfAgent: true }),
          ...(message.agent !== undefined && { agent: message.agent }),
        }
      : { ...(before as EarlierAnswer), replyId, bot };
    known.answered.set(messageId, answer);
    this.#index.addQuestion(answer, text, question);
  }

  #remove(known: Conversation, messageId: string): void {
    known.unanswered.delete(messageId);
    const answer = known.answered.get(messageId);
    if (!answer) return;
    known.answered.delete(messageId);
    this.#index.removeQuestion(answer);
    this.#removals.fire(answer);
  }

  #drop(id: string): void {
    this.#changed.delete(id);
    this.#unreadable.delete(id);
    const known = this.#conversations.get(id);
    if (!known) return;
    known.isDropped = true;
    this.#conversations.delete(id);
    for (const messageId of [...known.answered.keys()]) this.#remove(known, messageId);
  }

  /** Forgets the oldest questions that are too many. Their conversations are read on from where they end. */
  async #forgetOldest(): Promise<void> {
    const excess = this.#index.size - MAX_QUESTIONS;
    if (excess <= 0) return;
    const all = [...this.#conversations.values()].flatMap((known) =>
      [...known.answered.values()].map((answer) => ({ known, answer })),
    );
    all.sort((a, b) => a.answer.at - b.answer.at);
    const slice = new TimeSlice();
    for (const { known, answer } of all.slice(0, excess)) {
      this.#remove(known, answer.messageId);
      if (slice.isOver) await slice.rest();
    }
  }
}

/** The same bot counts more than the same workspace. */
function getRank(summary: ConversationSummary, { bot, workspaceId }: EarlierSearch): number {
  const isSameWorkspace = summary.workspace?.id === workspaceId;
  return (bot && mayBeSameBot(summary.bot, bot) ? 2 : 0) + (isSameWorkspace ? 1 : 0);
}
