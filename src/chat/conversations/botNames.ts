import type { Bot } from '../../shared/view/viewModel';
import { findBaseUrl, type RemotePlace } from '../model/conversation';

/** The current names of bots; what was stored may be an old name, or an ID from before the name was known. */
export class BotNames {
  #rename: (bot: Bot) => Bot = (bot) => bot;

  /** `rename` returns the same object for a bot that it doesn't know. */
  set(rename: (bot: Bot) => Bot): void {
    this.#rename = rename;
  }

  /** Returns the same object if its bot's name is up to date. */
  update<T extends { readonly bot?: Bot; readonly remote?: RemotePlace }>(named: T): T {
    const baseUrl = findBaseUrl(named);
    const bot = named.bot && this.#rename(baseUrl === undefined ? named.bot : { ...named.bot, baseUrl });
    return bot && bot.name !== named.bot?.name ? { ...named, bot } : named;
  }
}
