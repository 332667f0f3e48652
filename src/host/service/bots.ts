import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { Service } from '../../chat/remote/service';
import type { Bot as ListedBot } from '../../client/models';
import { collectItems, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/view/viewModel';
import { getBaseUrl, getDefaultBotId } from '../base/settings';

const NAMES_KEY = 'parley.botNames';
const MAX_PAGES = 10;
/** Names are stored for all services. */
const MAX_NAMES = 5000;

/** The service's bots, with a cache of their names. */
export class Bots {
  readonly #memory: Memento;
  readonly #connect: () => Service;
  readonly #changes = new Emitter<void>();
  /** Fires when names were added or changed. */
  readonly onDidChange = this.#changes.on;
  /** The service that was last asked for names in this session. */
  #refreshed: Service | undefined;
  /** The latest list from a service in this session. */
  #lastListed: { readonly origin: string | undefined; readonly bots: readonly ListedBot[] } | undefined;
  /** IDs of the default bots for which names were requested. */
  readonly #askedFor = new Set<string>();

  constructor(memory: Memento, connect: () => Service) {
    this.#memory = memory;
    this.#connect = connect;
  }

  /** Returns the bot for new conversations, if one is set. */
  getDefault(): Bot | undefined {
    const id = getDefaultBotId();
    return id === undefined ? undefined : this.named(id);
  }

  /** Returns the bot with its last known name, or with its id as the name. */
  named(id: string): Bot {
    return { id, name: this.#getNames()[this.#getKey(id)] ?? id };
  }

  /** Returns the bot with its last known name, or unchanged if none is known. */
  withName(bot: Bot): Bot {
    const name = this.#getNames()[this.#getKey(bot.id)];
    return name === undefined || name === bot.name ? bot : { ...bot, name };
  }

  /**
   * Requests the names from the service, once per session, and again for a default bot without a known name.
   * Never throws ServiceError.
   */
  async refresh(): Promise<void> {
    try {
      const service = this.#connect();
      const bot = this.getDefault();
      const isUnnamed = bot !== undefined && bot.name === bot.id && !this.#askedFor.has(this.#getKey(bot.id));
      if (this.#refreshed === service && !isUnnamed) return;
      this.#refreshed = service;
      if (bot) this.#askedFor.add(this.#getKey(bot.id));
      await this.list();
    } catch (error) {
      // The request is in the log; the last known names stay.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** Requests `GET /bots`; resolves to undefined if the service doesn't support it. Throws ServiceError. */
  async list(): Promise<readonly ListedBot[] | undefined> {
    const { client, capabilities } = this.#connect();
    const bots = await capabilities.use('GET /bots', () =>
      collectItems(readPages((page) => client.listBots({ page }), { maxPages: MAX_PAGES })),
    );
    if (!bots) return undefined;
    this.#lastListed = { origin: getBaseUrl()?.origin, bots };
    await this.remember(bots);
    return bots;
  }

  /** Returns what the service listed last in this session. */
  getLastListed(): readonly ListedBot[] | undefined {
    return this.#lastListed?.origin === getBaseUrl()?.origin ? this.#lastListed?.bots : undefined;
  }

  async remember(bots: readonly Bot[]): Promise<void> {
    const before = this.#getNames();
    const named = bots
      .filter(({ name }) => name !== '')
      .slice(0, MAX_NAMES)
      .map(({ id, name }) => [this.#getKey(id), name] as const);
    if (named.every(([key, name]) => before[key] === name)) return;
    const newest = new Map(named);
    // The oldest go first: those that were listed just now are last.
    const others = Object.entries(before).filter(([key]) => !newest.has(key));
    await this.#memory.update(NAMES_KEY, Object.fromEntries([...others, ...newest].slice(-MAX_NAMES)));
    this.#changes.fire();
  }

  #getNames(): Record<string, string> {
    return this.#memory.get<Record<string, string>>(NAMES_KEY, {});
  }

  #getKey(id: string): string {
    return `${getBaseUrl()?.origin ?? ''} ${id}`;
  }
}
