import type { Conversation } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { Bot, ServiceConversation } from '../../shared/view/viewModel';
import type { Chat } from '../conversations/chat';
import type { RemotePlace } from '../model/conversation';
import type { MessageSync } from './messageSync';
import { createRestoredId } from './restoredId';
import type { Connect, Service } from './service';

/** Lifetime of a cached answer. */
const CACHE_MS = 60_000;
/** Each keyword has an answer of its own. */
const MAX_ANSWERS = 10;
/** Pages of the newest conversations, and of those that match a keyword. */
const MAX_PAGES = 2;
/** A service that doesn't page lists all at once; the page draws all of them. */
const MAX_LISTED = 500;

interface Answer {
  readonly at: number;
  readonly conversations: Promise<readonly Conversation[]>;
}

/** Names of bots of the service with a base URL, as far as known; unknown bots are named by their ID. */
export interface BotNames {
  named(id: string, baseUrl: string): Bot;
  /** Loads the names if the service has a list. Throws ServiceError. */
  listBots(baseUrl: string): Promise<readonly Bot[] | undefined>;
}

/** What is known of conversations that aren't here (docs/store.md: The mirror). */
export interface MirroredConversations {
  /** Resolves once those that are known well enough are listed again. */
  readonly whenRestored: Promise<void>;
  /** Returns whether the user deleted a conversation, on any machine. */
  isDeleted(place: { readonly baseUrl: string; readonly id: string }): boolean;
  /** Adds a conversation with what is known of it, and returns its ID; undefined if nothing is. */
  restoreFound(
    place: { readonly baseUrl: string; readonly id: string },
    found: { readonly name: string; readonly bot?: Bot },
  ): Promise<string | undefined>;
}

/** The conversations that only the services have (docs/service.md: GET /conversations). */
export class ServiceConversations {
  readonly #chat: Chat;
  readonly #messageSync: MessageSync;
  readonly #connect: Connect;
  readonly #bots: BotNames;
  readonly #mirrored: MirroredConversations | undefined;
  readonly #now: () => number;
  readonly #answers = new Map<string, Answer>();
  /** Conversations being opened, so that two requests open one conversation. */
  readonly #openings = new Map<string, Promise<string>>();
  readonly #botsLoadedFrom = new Set<string>();

  /** `now` returns ms since the epoch. */
  constructor(
    chat: Chat,
    messageSync: MessageSync,
    connect: Connect,
    bots: BotNames,
    now = Date.now,
    mirrored?: MirroredConversations,
  ) {
    this.#chat = chat;
    this.#messageSync = messageSync;
    this.#connect = connect;
    this.#bots = bots;
    this.#now = now;
    this.#mirrored = mirrored;
  }

  /**
   * Returns conversations of the services that aren't here, newest first: of each the newest hundred or so, and with a
   * keyword also those whose names match. Leaves out a service that has no list or can't be reached, because the user
   * didn't ask for more.
   */
  async list(
    keyword = '',
    baseUrls: readonly (string | undefined)[] = [undefined],
  ): Promise<ServiceConversation[]> {
    const lists = await Promise.all(baseUrls.map((baseUrl) => this.#listOf(baseUrl, keyword)));
    return lists
      .flat()
      .sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
      .slice(0, MAX_LISTED);
  }

  async #listOf(baseUrl: string | undefined, keyword: string): Promise<ServiceConversation[]> {
    try {
      const service = this.#connect(baseUrl);
      const named = keyword.trim() === '' ? [] : [this.#listCached(service, keyword.trim())];
      const answers = await Promise.all([this.#listCached(service, ''), ...named]);
      const [, here] = await Promise.all([
        this.#loadBotNames(service, answers.flat()),
        this.#getLocalIds(service),
      ]);
      const others = new Map(answers.flat().map((conversation) => [conversation.id, conversation]));
      return [...others.values()]
        .filter(({ id }) => !here.has(id) && !this.#mirrored?.isDeleted({ baseUrl: service.baseUrl, id }))
        .sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
        .slice(0, MAX_LISTED)
        .map(({ id, name, botId, createdAt }) => ({
          id,
          name,
          bot: this.#bots.named(botId, service.baseUrl),
          ...(createdAt !== undefined && { at: createdAt * 1000 }),
        }));
    } catch (error) {
      // The request is in the log.
      if (error instanceof ServiceError) return [];
      throw error;
    }
  }

  /**
   * Opens a conversation by its ID on a service (by default the first one) with its messages, and returns its ID here.
   * Throws ServiceError.
   */
  async openFromService(remoteId: string, baseUrl?: string): Promise<string> {
    const service = this.#connect(baseUrl);
    const key = JSON.stringify([service.baseUrl, remoteId]);
    const opening =
      this.#openings.get(key) ??
      this.#openNow(service, remoteId).finally(() => {
        this.#openings.delete(key);
      });
    this.#openings.set(key, opening);
    return opening;
  }

  async #openNow(service: Service, remoteId: string): Promise<string> {
    const here = (await this.#getLocalIds(service)).get(remoteId);
    if (here !== undefined) return here;
    const found = await service.client.getConversation(remoteId);
    await this.#loadBotNames(service, [found]);
    const bot = found.botId === '' ? undefined : this.#bots.named(found.botId, service.baseUrl);
    const remote = { baseUrl: service.baseUrl, id: found.id };
    const restored = await this.#mirrored?.restoreFound(remote, { name: found.name, ...(bot && { bot }) });
    const conversation = restored === undefined ? undefined : await this.#chat.openConversation(restored);
    const id = conversation?.id ?? (await this.#add(remote, found, bot));
    await this.#messageSync.fetchMessages(id);
    return id;
  }

  /** Adds a conversation, or opens it if another window just added it, and returns its ID. */
  async #add(remote: RemotePlace, found: Conversation, bot: Bot | undefined): Promise<string> {
    const { name, createdAt } = found;
    const restoredId = createRestoredId(remote);
    const isFree = !(await this.#chat.getUsedIds()).has(restoredId);
    const there = (await this.#chat.openConversation(restoredId))?.remote;
    if (there?.id === remote.id && there.baseUrl === remote.baseUrl) return restoredId;
    const id = isFree ? restoredId : crypto.randomUUID();
    // It is stored at once: the next window must find it.
    this.#chat.importConversation({
      ...{ id, name, ...(bot && { bot }), remote, turns: [], draft: '', unread: false, pinned: false },
      createdAt: createdAt === undefined ? this.#now() : createdAt * 1000,
    });
    await this.#chat.restoreComposer(id);
    return id;
  }

  async #getLocalIds({ baseUrl }: Service): Promise<Map<string, string>> {
    await this.#chat.load();
    await this.#mirrored?.whenRestored;
    return this.#chat.getIdsByRemoteId(baseUrl);
  }

  #listCached(service: Service, keyword: string): Promise<readonly Conversation[]> {
    const key = JSON.stringify([service.baseUrl, keyword]);
    const cached = this.#answers.get(key);
    this.#answers.delete(key);
    if (cached && this.#now() - cached.at < CACHE_MS) {
      // Moved to the end: the answers that were used longest ago go first.
      this.#answers.set(key, cached);
      return cached.conversations;
    }
    const conversations = this.#listFromService(service, keyword).catch((error: unknown) => {
      if (this.#answers.get(key)?.conversations === conversations) this.#answers.delete(key);
      throw error;
    });
    this.#answers.set(key, { at: this.#now(), conversations });
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > MAX_ANSWERS) this.#answers.delete(oldest);
    return conversations;
  }

  async #listFromService(
    { client, capabilities }: Service,
    keyword: string,
  ): Promise<readonly Conversation[]> {
    const named = keyword === '' ? {} : { keyword };
    const found = await capabilities.use('GET /conversations', () =>
      collectItems(
        readPages((page) => client.listConversations({ page, ...named }), { maxPages: MAX_PAGES }),
      ),
    );
    return found ?? [];
  }

  /** Asks for the names of bots once; an ID will do if that fails. */
  async #loadBotNames({ baseUrl }: Service, conversations: readonly Conversation[]): Promise<void> {
    if (this.#botsLoadedFrom.has(baseUrl)) return;
    const isNamed = ({ botId }: Conversation) =>
      botId === '' || this.#bots.named(botId, baseUrl).name !== botId;
    if (conversations.every(isNamed)) return;
    this.#botsLoadedFrom.add(baseUrl);
    await this.#bots.listBots(baseUrl).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  }
}
