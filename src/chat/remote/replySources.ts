import { MAX_SOURCES, type Message, type Source, truncateName, type Usage } from '../../client/models';
import { countItems } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import { Emitter } from '../base/emitter';
import type { Chat } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import { type Conversation, findReply } from '../model/conversation';
import type { Failure } from '../model/failure';
import { memoizeByList } from '../model/memoizeByList';
import type { DocumentTurn, ReplySource, ReplyTurn, SourceFile, Turn } from '../model/turn';
import { readMessagePages } from './conversationLists';
import type { RemoteConversations } from './remoteConversations';
import { type Connect, type Service, waitForRateLimit } from './service';

/** Limit on replies whose sources are fetched when a conversation is opened from the service: the newest ones. */
const MAX_WAITING = 20;
/** A list that begins with the oldest messages is read to its end once. */
const MAX_PAGES = 200;

/**
 * Adds to an ended reply what its stream doesn't carry but the conversation's messages may
 * (docs/service.md: GET /messages): its sources, its usage, and whether the service considers it an answer.
 */
export class Sources {
  readonly #chat: Chat;
  readonly #remote: RemoteConversations;
  readonly #connect: Connect;
  readonly #searches = new Map<string, Map<AbortController, Promise<void>>>();
  /** The page where each conversation's newest messages were last found, by the conversations' IDs on the service. */
  readonly #pages = new Map<string, number>();
  /** Replies of which only one source is known, newest last. */
  readonly #waiting: { readonly conversationId: string; readonly turnId: string }[] = [];
  /** IDs of the turns whose single message was read. */
  readonly #completed = new Set<string>();
  #isCompleting = false;
  readonly #usage = new Emitter<{ readonly baseUrl: string; readonly usage: Usage }>();
  /** Fires with the usage of each reply to a message from this window, if the service reports it. */
  readonly onUsage = this.#usage.on;
  readonly #subscription: { dispose(): void };

  constructor(chat: Chat, remote: RemoteConversations, connect: Connect) {
    this.#chat = chat;
    this.#remote = remote;
    this.#connect = connect;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  /** Resolves when a conversation's ended replies have been looked up. */
  async whenSettled(conversationId: string): Promise<void> {
    await Promise.all(this.#searches.get(conversationId)?.values() ?? []);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#usage.dispose();
    this.#waiting.length = 0;
    for (const id of this.#searches.keys()) this.#abortSearches(id);
  }

  /** Reads all sources of a reply if only one is known (docs/service.md: GET /messages/{id}); at most once. */
  complete(conversationId: string, turnId: string): void {
    if (
      !findReply(this.#chat.findConversation(conversationId), turnId)?.moreSources ||
      this.#completed.has(turnId)
    )
      return;
    this.#completed.add(turnId);
    this.#waiting.push({ conversationId, turnId });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    if (!this.#isCompleting) void this.#completeWaiting();
  }

  #handleEvent(event: ChatEvent): void {
    const { conversationId } = event;
    if (event.type === 'deleted') {
      this.#abortSearches(conversationId);
    } else if (event.type === 'ended' && event.turn.ending === 'complete') {
      const reply = event.turn;
      void this.#runSearch(conversationId, (signal) => this.#searchReply(conversationId, reply, signal));
    } else if (event.type === 'turn' && event.turn.kind === 'reply' && event.turn.moreSources)
      this.complete(conversationId, event.turn.id);
  }

  #abortSearches(conversationId: string): void {
    for (const search of this.#searches.get(conversationId)?.keys() ?? []) search.abort();
  }

  async #completeWaiting(): Promise<void> {
    this.#isCompleting = true;
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const { conversationId, turnId } = next;
      await this.#runSearch(conversationId, (signal) => this.#readAllSources(conversationId, turnId, signal));
    }
    this.#isCompleting = false;
  }

  /** Runs a search until it ends or its conversation is deleted. Failures are only logged: the user didn't ask for it. */
  #runSearch(conversationId: string, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const search = new AbortController();
    const searches = this.#searches.get(conversationId) ?? new Map<AbortController, Promise<void>>();
    const done = run(search.signal)
      .catch((error: unknown) => {
        if (!search.signal.aborted && !(error instanceof ServiceError)) this.#chat.reportError(error);
      })
      .finally(() => {
        searches.delete(search);
        if (searches.size === 0) this.#searches.delete(conversationId);
      });
    this.#searches.set(conversationId, searches.set(search, done));
    return done;
  }

  async #readAllSources(conversationId: string, turnId: string, signal: AbortSignal): Promise<void> {
    const { remoteId } = findReply(this.#chat.findConversation(conversationId), turnId) ?? {};
    const { remote } = this.#chat.findConversation(conversationId) ?? {};
    if (!remoteId || !remote) return;
    const service = this.#connect(remote.baseUrl);
    await waitForRateLimit(service, signal);
    const message = await service.capabilities.use(
      'GET /messages/{id}',
      () => service.client.getMessage(remoteId, signal),
      // The list had it.
      { id: remoteId, check: async () => 'there' },
    );
    const { moreSources: _, ...reply } = findReply(this.#chat.findConversation(conversationId), turnId) ?? {};
    if (!message || signal.aborted || !('id' in reply)) return;
    const { sources } = readReply(message);
    this.#chat.writer.putReplyDetails(conversationId, { ...reply, ...(sources && { sources }) });
  }

  async #searchReply(conversationId: string, reply: ReplyTurn, signal: AbortSignal): Promise<void> {
    const remote = this.#chat.findConversation(conversationId)?.remote;
    if (!remote) return;
    const service = this.#connect(remote.baseUrl);
    const message = await service.capabilities.use(
      'GET /messages',
      () => this.#findMessage(service, conversationId, remote.id, reply, signal),
      {
        id: remote.id,
        check: (error) => this.#remote.checkConversation(conversationId, service, error, signal),
      },
    );
    if (!message || signal.aborted) return;
    this.#updateReply(conversationId, reply.id, readReply(message));
    if (message.usage) this.#usage.fire({ baseUrl: service.baseUrl, usage: message.usage });
  }

  /**
   * Finds the message on the pages with the newest ones: the first ones, or the last one of a list that begins with the
   * oldest, where it was last time or where the first answer points.
   */
  async #findMessage(
    service: Service,
    conversationId: string,
    remoteId: string,
    reply: ReplyTurn,
    signal: AbortSignal,
    firstPage = this.#pages.get(remoteId) ?? 1,
  ): Promise<Message | undefined> {
    const otherIds = this.#getOtherIds(conversationId, reply.id);
    let found: Message | undefined;
    let count = 0;
    let newestFirst: boolean | undefined;
    for await (const page of readMessagePages(
      service,
      { remoteId, firstPage, maxPages: MAX_PAGES },
      signal,
    )) {
      const message = findNewestReply(page.items, reply.text, otherIds);
      const oldestFirst = isOldestFirst(page.items);
      const [first, last] = [page.items[0], page.items.at(-1)];
      newestFirst ??=
        oldestFirst === undefined
          ? // A conversation begins with the user's message.
            page.number === 1 && first?.machine === true && first === message
          : !oldestFirst;
      if (!newestFirst) {
        const lastPage = page.lastPage ?? Math.ceil((page.total ?? 0) / countItems(page));
        if (oldestFirst && lastPage > page.number + 1)
          return this.#findMessage(service, conversationId, remoteId, reply, signal, lastPage);
        count += page.items.length;
        if (!message) continue;
        found = message;
        this.#pages.set(remoteId, page.number);
        // A bare array doesn't say whether there is more; an earlier reply from elsewhere may have the same text.
        if (firstPage === 1 && message === last && count === this.#countTexts(conversationId)) break;
      } else if (message || page.number > 1) return message;
    }
    return found;
  }

  #countTexts(conversationId: string): number {
    const turns = this.#chat.findConversation(conversationId)?.turns ?? [];
    return turns.filter(({ kind }) => kind !== 'document').length;
  }

  /** Returns the service's IDs of the other turns: another reply may have the same text. */
  #getOtherIds(conversationId: string, turnId: string): ReadonlySet<string> {
    const turns = this.#chat.findConversation(conversationId)?.turns ?? [];
    return new Set(
      turns.flatMap((turn) =>
        'remoteId' in turn && turn.remoteId && turn.id !== turnId ? turn.remoteId : [],
      ),
    );
  }

  #updateReply(conversationId: string, turnId: string, details: Partial<ReplyTurn>): void {
    const reply = findReply(this.#chat.findConversation(conversationId), turnId);
    if (reply && Object.keys(details).length > 0)
      this.#chat.writer.putReplyDetails(conversationId, { ...reply, ...details });
  }
}

/** Returns what a service's message says about a reply besides its text. */
export function readReply(
  message: Message,
): Pick<ReplyTurn, 'sources' | 'moreSources' | 'remoteId' | 'usage'> & FailedEnding {
  const sources = toReplySources(message.sources);
  const failure = findFailure(message);
  const details = {
    ...(sources.length > 0 && { sources }),
    ...(message.mayHaveMoreSources && { moreSources: true as const }),
    ...(message.usage && { usage: message.usage }),
    ...(failure && ({ ending: 'failed', failure } as const)),
  };
  return {
    ...details,
    ...(message.id !== '' && Object.keys(details).length > 0 && { remoteId: message.id }),
  };
}

type FailedEnding = Pick<ReplyTurn, 'failure'> & { readonly ending?: 'failed' };

/** Returns why a reply is not an answer, if the service says so. */
export function findFailure({ failedResponding, flagged }: Message): Failure | undefined {
  if (flagged) return { code: 'flagged', maySend: false };
  return failedResponding ? { code: 'unanswered', maySend: false } : undefined;
}

/**
 * Returns what opens a source: the file uploaded in this conversation, otherwise an `https:` address,
 * otherwise undefined.
 */
export function getSourceTarget(
  { turns }: Conversation,
  source: ReplySource,
  files: readonly SourceFile[] = [],
):
  | { readonly kind: 'file'; readonly uri: string }
  | { readonly kind: 'link'; readonly href: string }
  | undefined {
  const upload = source.id === undefined ? undefined : findUploads(turns).get(source.id);
  if (upload?.uri !== undefined) return { kind: 'file', uri: upload.uri };
  const file = files.find(({ id }) => id === source.id);
  if (file) return { kind: 'file', uri: file.uri };
  return source.url?.startsWith('https://') ? { kind: 'link', href: source.url } : undefined;
}

/** Finds the last upload of each document, by the service's IDs. */
const findUploads = memoizeByList(
  (turns: readonly Turn[]): ReadonlyMap<string, DocumentTurn> =>
    new Map(
      turns.flatMap((turn) =>
        turn.kind === 'document' && turn.documentId !== undefined ? [[turn.documentId, turn]] : [],
      ),
    ),
);

/** Returns each document (or web page, or other source) once, with the best available name; not too many. */
function toReplySources(sources: readonly Source[]): ReplySource[] {
  const documents = new Map<string, ReplySource>();
  for (const { type, documentId: id, documentName, documentUrl: url } of sources) {
    const name = documentName?.trim() || url || id || type?.trim();
    if (!name) continue;
    const key = id || url || name;
    if (documents.has(key)) continue;
    documents.set(key, {
      name: truncateName(name),
      ...(id !== undefined && { id }),
      ...(url !== undefined && { url }),
    });
  }
  return [...documents.values()].slice(0, MAX_SOURCES);
}

function findNewestReply(
  messages: readonly Message[],
  text: string,
  otherIds: ReadonlySet<string>,
): Message | undefined {
  const newestFirst = isOldestFirst(messages) === false ? messages : messages.toReversed();
  const trimmed = text.trim();
  return newestFirst.find(
    ({ id, machine, content }) => machine !== false && !otherIds.has(id) && content.trim() === trimmed,
  );
}

/**
 * Detects the order of messages, which isn't guaranteed (docs/service.md: GET /messages). Returns undefined if their
 * times don't tell.
 */
export function isOldestFirst(messages: readonly Message[]): boolean | undefined {
  const times = messages.flatMap(({ createdAt }) => createdAt ?? []);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return first === last ? undefined : first < last;
}
