import type { Memento } from 'vscode';
import type { Service } from '../chat/service';
import { collect, readPages } from '../client/pages';
import type { Bot } from '../shared/conversation';
import { baseUrl, defaultBotId } from './settings';

const NAMES = 'parley.botNames';
const MAX_PAGES = 10;

/** The bots of the service, and the names that were learnt of them. */
export class Bots {
  readonly #memory: Memento;
  readonly #connect: () => Service;

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
    const learnt = Object.fromEntries(bots.map(({ id, name }) => [this.#key(id), name]));
    await this.#memory.update(NAMES, { ...this.#names(), ...learnt });
  }

  #names(): Record<string, string> {
    return this.#memory.get<Record<string, string>>(NAMES, {});
  }

  #key(id: string): string {
    return `${baseUrl()?.origin ?? ''} ${id}`;
  }
}
