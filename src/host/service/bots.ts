import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import { Mutex } from '../../chat/base/mutex';
import type { Connect, Service } from '../../chat/remote/service';
import type { Bot as ListedBot } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/view/viewModel';
import { BOT_NAMES_KEY, type BotNames, type ServiceList } from './serviceList';

const MAX_PAGES = 10;
/** Names are stored for all services. */
const MAX_NAMES = 5000;

/** The services' bots, with a cache of their names. Without a base URL, a bot is one of the first service. */
export class Bots {
  readonly #memory: Memento;
  readonly #connect: Connect;
  readonly serviceList: ServiceList;
  readonly #changes = new Emitter<void>();
  /** Fires when names were added or changed. */
  readonly onDidChange = this.#changes.on;
  /** The services that were asked for names in this session. */
  readonly #refreshed = new WeakSet<Service>();
  /** The latest list of each service in this session, by base URL. */
  readonly #lastListed = new Map<string, readonly ListedBot[]>();
  /** By base URL. */
  readonly #mutexes = new Map<string, Mutex>();
  /** The default bots for which names were requested. */
  readonly #askedFor = new Set<string>();

  constructor(memory: Memento, connect: Connect, serviceList: ServiceList) {
    this.#memory = memory;
    this.#connect = connect;
    this.serviceList = serviceList;
  }

  /** Returns the bot for new conversations of a service, if one is set. */
  getDefault(baseUrl?: string): Bot | undefined {
    const service = this.serviceList.find(baseUrl);
    return service?.botId === undefined ? undefined : this.named(service.botId, service.baseUrl);
  }

  /** Returns the bot with its last known name, or with its ID as the name. */
  named(id: string, baseUrl = this.serviceList.first?.baseUrl): Bot {
    const service = baseUrl === undefined ? {} : { baseUrl };
    return { id, name: this.#getNames()[this.#getKey(id, baseUrl)] ?? id, ...service };
  }

  /** Returns the bot with its last known name, or unchanged if none is known. */
  withName(bot: Bot): Bot {
    const name = this.#getNames()[this.#getKey(bot.id, bot.baseUrl)];
    return name === undefined || name === bot.name ? bot : { ...bot, name };
  }

  /**
   * Requests the names from the services, once per session, and again for a default bot without a known name.
   * Never throws ServiceError.
   */
  async fetchBots(): Promise<void> {
    await Promise.all(
      this.serviceList.all.map(({ baseUrl }) => {
        // One after the other: one that found no key must not keep another from asking with it.
        const mutex = this.#mutexes.get(baseUrl) ?? new Mutex();
        this.#mutexes.set(baseUrl, mutex);
        return mutex.run(() => this.#refreshService(baseUrl));
      }),
    );
  }

  async #refreshService(baseUrl: string): Promise<void> {
    const service = this.#connect(baseUrl);
    const bot = this.getDefault(baseUrl);
    const key = bot && this.#getKey(bot.id, baseUrl);
    try {
      const isUnnamed = key !== undefined && bot?.name === bot?.id && !this.#askedFor.has(key);
      if (this.#refreshed.has(service) && !isUnnamed) return;
      this.#refreshed.add(service);
      if (key !== undefined) this.#askedFor.add(key);
      await this.listBots(baseUrl);
    } catch (error) {
      // The request is in the log; the last known names stay.
      if (!(error instanceof ServiceError)) throw error;
      if (error.code !== 'keyMissing') return;
      // Nothing was sent: the next refresh may have a key.
      this.#refreshed.delete(service);
      if (key !== undefined) this.#askedFor.delete(key);
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** Requests `GET /bots`; resolves to undefined if the service doesn't support it. Throws ServiceError. */
  async listBots(baseUrl?: string): Promise<readonly ListedBot[] | undefined> {
    const service = this.#connect(baseUrl);
    const { client, capabilities } = service;
    const bots = await capabilities.use('GET /bots', () =>
      collectItems(readPages((page) => client.listBots({ page }), { maxPages: MAX_PAGES })),
    );
    if (!bots) return undefined;
    this.#lastListed.set(service.baseUrl, bots);
    await this.remember(bots, service.baseUrl);
    return bots;
  }

  /** Returns what a service listed last in this session. */
  getLastListed(baseUrl: string): readonly ListedBot[] | undefined {
    return this.#lastListed.get(baseUrl);
  }

  async remember(bots: readonly ListedBot[], baseUrl = this.serviceList.first?.baseUrl): Promise<void> {
    const before = this.#getNames();
    const named = bots
      .filter(({ name }) => name !== '')
      .slice(0, MAX_NAMES)
      .map(({ id, name }) => [this.#getKey(id, baseUrl), name] as const);
    if (named.every(([key, name]) => before[key] === name)) return;
    const newest = new Map(named);
    // The oldest go first: those that were listed just now are last.
    const others = Object.entries(before).filter(([key]) => !newest.has(key));
    await this.#memory.update(BOT_NAMES_KEY, Object.fromEntries([...others, ...newest].slice(-MAX_NAMES)));
    this.serviceList.refresh();
    this.#changes.fire();
  }

  #getNames(): BotNames {
    return this.#memory.get<BotNames>(BOT_NAMES_KEY, {});
  }

  #getKey(id: string, baseUrl: string | undefined): string {
    return `${this.serviceList.find(baseUrl)?.origin ?? ''} ${id}`;
  }
}

/** Returns whether two bots are the same one of the same service. */
export function isSameBot(a: Bot, b: Bot): boolean {
  return a.id === b.id && a.baseUrl === b.baseUrl;
}
