import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { Service } from '../../chat/remote/service';
import { collect, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/viewModel';
import { baseUrl, defaultBotId } from '../base/settings';

const NAMES = 'parley.botNames';
const MAX_PAGES = 10;

/** The bots of the service, and the names that were learnt of them. */
export class Bots {
  readonly #memory: Memento;
  readonly #connect: () => Service;
  readonly #changes = new Emitter<void>();
  /** Names became known, or others. */
  readonly onDidChange = this.#changes.on;
  /** Where the names were asked for last, by this session. */
  #refreshed: Service | undefined;
  /** Ids of default bots whose names were asked for. */
  readonly #askedFor = new Set<string>();

  constructor(memory: Memento, connect: () => Service) {
    this.#memory = memory;
    this.#connect = connect;
  }

  /** The bot that a new conversation gets, where one is chosen. */
  default(): Bot | undefined {
    const id = defaultBotId();
    return id === undefined ? undefined : this.named(id);
  }

  /** The bot with the name last seen; its id stands in for a name that nobody told. */
  named(id: string): Bot {
    return { id, name: this.#names()[this.#key(id)] ?? id };
  }

  /** The same bot with the name last seen, or the one that it has where nobody told another. */
  rename(bot: Bot): Bot {
    const name = this.#names()[this.#key(bot.id)];
    return name === undefined || name === bot.name ? bot : { ...bot, name };
  }

  /** Asks the service for names, once in a session, and again for a default bot whose name isn't known. Never throws ServiceError. */
  async refresh(): Promise<void> {
    try {
      const service = this.#connect();
      const bot = this.default();
      const isUnnamed = bot !== undefined && bot.name === bot.id && !this.#askedFor.has(this.#key(bot.id));
      if (this.#refreshed === service && !isUnnamed) return;
      this.#refreshed = service;
      if (bot) this.#askedFor.add(this.#key(bot.id));
      await this.list();
    } catch (error) {
      // The log has the request; the names last seen will do.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** `GET /bots`, or undefined where the service does not list its bots; throws ServiceError. */
  async list(): Promise<Bot[] | undefined> {
    const { client, capabilities } = this.#connect();
    const bots = await capabilities.use('GET /bots', () =>
      collect(readPages((page) => client.listBots({ page }), MAX_PAGES)),
    );
    if (!bots) return undefined;
    await this.remember(bots);
    return bots;
  }

  async remember(bots: readonly Bot[]): Promise<void> {
    const before = this.#names();
    const named = bots
      .filter(({ name }) => name !== '')
      .map(({ id, name }) => [this.#key(id), name] as const);
    if (named.every(([key, name]) => before[key] === name)) return;
    await this.#memory.update(NAMES, { ...before, ...Object.fromEntries(named) });
    this.#changes.fire();
  }

  #names(): Record<string, string> {
    return this.#memory.get<Record<string, string>>(NAMES, {});
  }

  #key(id: string): string {
    return `${baseUrl()?.origin ?? ''} ${id}`;
  }
}
