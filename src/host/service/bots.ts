import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { Service } from '../../chat/remote/service';
import { collect, readPages } from '../../client/pages';
import { ServiceError } from '../../client/serviceError';
import type { Bot } from '../../shared/viewModel';
import { baseUrl, defaultBotId } from '../base/settings';

const NAMES = 'parley.botNames';
const MAX_PAGES = 10;

/** The service's bots, with a cache of their names. */
export class Bots {
  readonly #memory: Memento;
  readonly #connect: () => Service;
  readonly #changes = new Emitter<void>();
  /** Fires when names were added or changed. */
  readonly onDidChange = this.#changes.on;
  /** The service that was last asked for names in this session. */
  #refreshed: Service | undefined;
  /** Ids of the default bots for which names were requested. */
  readonly #askedFor = new Set<string>();

  constructor(memory: Memento, connect: () => Service) {
    this.#memory = memory;
    this.#connect = connect;
  }

  /** Returns the bot for new conversations, if one is set. */
  default(): Bot | undefined {
    const id = defaultBotId();
    return id === undefined ? undefined : this.named(id);
  }

  /** Returns the bot with its last known name, or with its id as the name. */
  named(id: string): Bot {
    return { id, name: this.#names()[this.#key(id)] ?? id };
  }

  /** Returns the bot with its last known name, or unchanged if none is known. */
  rename(bot: Bot): Bot {
    const name = this.#names()[this.#key(bot.id)];
    return name === undefined || name === bot.name ? bot : { ...bot, name };
  }

  /**
   * Requests the names from the service, once per session, and again for a default bot without a known name.
   * Never throws ServiceError.
   */
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
      // The request is in the log; the last known names stay.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** Requests `GET /bots`; resolves to undefined if the service doesn't support it. Throws ServiceError. */
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
