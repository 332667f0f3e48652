import type * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import { type Conversation, findBaseUrl } from '../../chat/model/conversation';
import { parseBaseUrl } from '../../client/baseUrl';
import { escapeInvisible } from '../../shared/text/escapeInvisible';
import {
  getBaseUrl,
  getDefaultBotId,
  getDefaultBotIds,
  getServicesSetting,
  onDidChangeSettings,
  type ServiceSetting,
  setBaseUrl,
  setDefaultBotId,
  setServicesSetting,
} from '../base/settings';

/** Limit on services: each gets requests of its own when the panel opens. */
export const MAX_SERVICES = 20;
/** In UTF-16 code units. */
export const MAX_SERVICE_NAME = 100;

/** Key of the user's state: the names of bots, by origin and ID. */
export const BOT_NAMES_KEY = 'parley.botNames';
export type BotNames = Readonly<Record<string, string>>;

/** A service that is set up. */
export interface ConfiguredService {
  /** For display: the host unless the user has named it. */
  readonly name: string;
  /** Includes the version path, has no trailing slash. Identifies the service. */
  readonly baseUrl: string;
  /** The only origin that receives its API key. */
  readonly origin: string;
  /** Host name and port, for display. */
  readonly host: string;
  /** ID of the bot for new conversations. */
  readonly botId?: string;
}

/**
 * The services that are set up, in order: the one of `parley.baseUrl` first, then those of `parley.services`. Nothing else
 * decides which services there are.
 */
export class ServiceList implements vscode.Disposable {
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;
  readonly #listening: vscode.Disposable;
  readonly #memory: Pick<vscode.Memento, 'get'> | undefined;
  #all: readonly ConfiguredService[] | undefined;

  /** `memory`: has the names of bots. */
  constructor(memory?: Pick<vscode.Memento, 'get'>) {
    this.#memory = memory;
    this.#listening = onDidChangeSettings(() => this.refresh());
  }

  get all(): readonly ConfiguredService[] {
    this.#all ??= readServices(this.#memory?.get<BotNames>(BOT_NAMES_KEY));
    return this.#all;
  }

  /** Reads the settings and the names of bots again. */
  refresh(): void {
    const before = JSON.stringify(this.#all);
    this.#all = undefined;
    if (JSON.stringify(this.all) !== before) this.#changes.fire();
  }

  /** The service of new conversations, if one is set up. */
  get first(): ConfiguredService | undefined {
    return this.all[0];
  }

  /** Returns the service with a base URL; without one, the first. */
  find(baseUrl: string | undefined): ConfiguredService | undefined {
    return baseUrl === undefined ? this.first : this.all.find((service) => service.baseUrl === baseUrl);
  }

  /** Returns the service that a conversation belongs to; undefined if it was removed, or if none is set up. */
  serviceOf(
    conversation: Partial<Pick<Conversation, 'bot' | 'remote'>> | undefined,
  ): ConfiguredService | undefined {
    return this.find(findBaseUrl(conversation));
  }

  /**
   * Saves the services in the user's settings. The first one is also in `parley.baseUrl` and `parley.botId`. Rejects if the
   * settings can't be written.
   */
  async save(services: readonly Pick<ConfiguredService, 'name' | 'baseUrl' | 'botId'>[]): Promise<void> {
    const before = this.first;
    const [first] = services;
    const isPlain =
      services.length === 0 || (services.length === 1 && first?.name === getHost(first?.baseUrl));
    const { user, workspace } = getDefaultBotIds();
    // The first one's bot may be the workspace's.
    const ownBotId = workspace === undefined ? before?.botId : user?.trim();
    const entries = services.map(({ name, baseUrl, ...rest }) => {
      const botId = baseUrl === before?.baseUrl ? ownBotId : rest.botId;
      return { name, baseUrl, ...(botId && { botId }) };
    });
    // The list goes first: if VS Code ends in between, no service is lost.
    await setServicesSetting(isPlain ? undefined : entries);
    if (first?.baseUrl === before?.baseUrl) return;
    await setBaseUrl(first?.baseUrl);
    await setDefaultBotId(entries[0]?.botId);
  }

  /** Makes a service the first one. A new URL replaces the URL of the only service, unless that is in the list by name. */
  async setFirst(baseUrl: string): Promise<void> {
    const known = this.find(baseUrl);
    if (!known && getServicesSetting().length === 0) await setBaseUrl(baseUrl);
    else {
      const others = this.all.filter((service) => service !== known);
      await this.save([known ?? createService({ name: '', baseUrl }), ...others]);
    }
  }

  /** Saves the bot for new conversations of a service other than the first. */
  async setBotId(baseUrl: string, botId: string): Promise<void> {
    await this.save(
      this.all.map((service) => (service.baseUrl === baseUrl ? { ...service, botId } : service)),
    );
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }
}

/** Reads the services from the user's settings; leaves out what isn't valid. */
export function readServices(botNames: BotNames = {}): readonly ConfiguredService[] {
  const listed = new Map<string, ConfiguredService>();
  for (const setting of getServicesSetting()) {
    const parsed = parseBaseUrl(setting.baseUrl);
    if (parsed.ok && !listed.has(parsed.url))
      listed.set(parsed.url, createService({ ...setting, baseUrl: parsed.url }));
  }
  const base = getBaseUrl();
  // It may be in the list as well, which has its name.
  const first = base && (listed.get(base.url) ?? createService({ name: '', baseUrl: base.url }));
  if (first) listed.delete(first.baseUrl);
  const [service, ...others] = [...(first ? [first] : []), ...listed.values()];
  if (!service) return [];
  const { user, workspace } = getDefaultBotIds();
  // The workspace's may have been chosen when another service was the first.
  const isOfOther = isBotOfOther(workspace?.trim() ?? '', service, others, botNames);
  const botId = (isOfOther ? user?.trim() || undefined : getDefaultBotId()) ?? service.botId;
  return [{ ...service, ...(botId !== undefined && { botId }) }, ...others].slice(0, MAX_SERVICES);
}

/** Returns the name to show for a service; the host if it is empty. */
export function toServiceName(name: string, baseUrl: string): string {
  return escapeInvisible(name.replace(/\s+/g, ' ').trim()).slice(0, MAX_SERVICE_NAME) || getHost(baseUrl);
}

/** Returns whether one of the other services has listed a bot, and the service only other bots. */
function isBotOfOther(
  botId: string,
  service: ConfiguredService,
  others: readonly ConfiguredService[],
  botNames: BotNames,
): boolean {
  const hasListed = ({ origin }: ConfiguredService) => Object.hasOwn(botNames, `${origin} ${botId}`);
  const hasNames = Object.keys(botNames).some((key) => key.startsWith(`${service.origin} `));
  return hasNames && !hasListed(service) && others.some(hasListed);
}

function createService({ name, baseUrl, botId }: ServiceSetting): ConfiguredService {
  return {
    name: toServiceName(name, baseUrl),
    baseUrl,
    origin: new URL(baseUrl).origin,
    host: getHost(baseUrl),
    ...(botId !== undefined && { botId }),
  };
}

function getHost(baseUrl: string | undefined): string {
  return baseUrl === undefined ? '' : new URL(baseUrl).host;
}
