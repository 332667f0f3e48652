import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { Conversation } from '../../chat/model/conversation';
import { toFailure } from '../../chat/model/failure';
import { isUnsupported } from '../../chat/remote/capabilities';
import { ServiceError } from '../../client/serviceError';
import type { Bot, Setup } from '../../shared/view/viewModel';
import {
  pickOne,
  showError,
  showInformation,
  showInputBox,
  showWarning,
  withProgress,
} from '../base/dialogs';
import { DisposableStore } from '../base/disposables';
import { logError, logRequest } from '../base/log';
import { Context } from '../base/names';
import * as settings from '../base/settings';
import type { ApiKeys } from './apiKeys';
import type { Bots } from './bots';
import { createClient } from './connection';
import { formatFailure } from './failureText';
import type { ServiceFetch } from './serviceFetch';
import type { ConfiguredService, ServiceList } from './serviceList';

const { t } = vscode.l10n;

/**
 * Tracks which setup step is missing before the first message, and asks for the URL, the API key and the bot.
 */
export class SetupGuide implements vscode.Disposable {
  readonly #keys: ApiKeys;
  readonly #bots: Bots;
  readonly #log: vscode.LogOutputChannel;
  readonly #fetch: ServiceFetch;
  readonly #disposables = new DisposableStore();
  readonly #changes = this.#disposables.add(new Emitter<Setup>());
  readonly onDidChange = this.#changes.on;
  /**
   * The origins that have a key. Undefined until the secrets are read, when each is assumed to have one: otherwise a page
   * that loads first would ask for an existing key.
   */
  #keyedOrigins: ReadonlySet<string> | undefined;
  readonly #serviceList: ServiceList;
  readonly #askingForKey = new Map<string, Promise<boolean>>();
  #askingForUrl: Promise<boolean> | undefined;

  constructor(keys: ApiKeys, bots: Bots, log: vscode.LogOutputChannel, serviceFetch: ServiceFetch) {
    this.#keys = keys;
    this.#bots = bots;
    this.#serviceList = bots.serviceList;
    this.#log = log;
    this.#fetch = serviceFetch;
    this.#disposables.add(settings.onDidChangeSettings(() => this.refreshInBackground()));
    this.#disposables.add(keys.onDidChange(() => this.refreshInBackground()));
  }

  /** The setup for new conversations. */
  get current(): Setup {
    return this.getFor(undefined);
  }

  /** Returns the setup for the service that a conversation belongs to; a removed one is said in a notice instead. */
  getFor(conversation: Pick<Conversation, 'bot' | 'remote'> | undefined): Setup {
    const { first } = this.#serviceList;
    if (!first) return { step: 'baseUrl' };
    const service = this.#serviceList.serviceOf(conversation);
    if (!service) return { step: 'done', serviceHost: first.host };
    const serviceHost = service.host;
    if (this.#keyedOrigins && !this.#keyedOrigins.has(service.origin)) return { step: 'apiKey', serviceHost };
    const hasBot = conversation?.bot !== undefined || service.botId !== undefined;
    return { step: hasBot ? 'done' : 'bot', serviceHost };
  }

  /** Reads the settings and the keys again; returns the setup for a conversation, or without one for a new one. */
  async checkSetup(conversation?: Pick<Conversation, 'bot' | 'remote'>): Promise<Setup> {
    const origins = new Set(this.#serviceList.all.map(({ origin }) => origin));
    const keys = await Promise.all(
      [...origins].map(async (origin) => ((await this.#keys.get(origin)) === undefined ? [] : [origin])),
    );
    this.#keyedOrigins = new Set(keys.flat());
    const { first } = this.#serviceList;
    this.#changes.fire(this.current);
    const hasKey = first !== undefined && this.#keyedOrigins.has(first.origin);
    void vscode.commands.executeCommand('setContext', Context.hasApiKey, hasKey);
    return this.getFor(conversation);
  }

  /** Returns whether any service has a key and a default bot, as of the last refresh. */
  get hasReadyService(): boolean {
    return this.#serviceList.all.some((service) => service.botId !== undefined && this.hasKey(service));
  }

  /** Returns whether an origin has a key, as of the last refresh. */
  hasKey({ origin }: Pick<ConfiguredService, 'origin'>): boolean {
    return this.#keyedOrigins?.has(origin) ?? false;
  }

  /** Logs a secret storage that can't be read, which the next request reports. */
  refreshInBackground(): void {
    this.checkSetup().catch((error: unknown) => logError(this.#log, error));
  }

  /** Asks for the first service's base URL; resolves to true if one was set. Concurrent calls share one dialog. */
  askBaseUrl(): Promise<boolean> {
    this.#askingForUrl ??= this.#askBaseUrl().finally(() => {
      this.#askingForUrl = undefined;
    });
    return this.#askingForUrl;
  }

  async #askBaseUrl(): Promise<boolean> {
    const { pickBaseUrl } = await import('./baseUrlPicker');
    const url = await pickBaseUrl(t('Set Service URL'), settings.getBaseUrl()?.url ?? '');
    if (url === undefined) return false;
    await this.#serviceList.setFirst(url);
    await this.checkSetup();
    return true;
  }

  /**
   * Asks for the API key of a service, by default the first, and checks it if the service supports that; resolves to true
   * if one was stored. Concurrent calls, from another page or after another rejection, share one input box.
   */
  async askApiKey(baseUrl?: string): Promise<boolean> {
    // A URL that was just entered may not be saved yet.
    await this.#askingForUrl;
    if (!this.#serviceList.first && !(await this.askBaseUrl())) return false;
    const service = this.#serviceList.find(baseUrl);
    if (!service) return false;
    const asking =
      this.#askingForKey.get(service.origin) ??
      this.#askApiKey(service).finally(() => this.#askingForKey.delete(service.origin));
    this.#askingForKey.set(service.origin, asking);
    return asking;
  }

  async #askApiKey(service: ConfiguredService): Promise<boolean> {
    const options = {
      title: t('Set API Key'),
      prompt: t('The API key for {0}. It is kept in VS Code’s secret storage.', service.host),
      password: true,
      ignoreFocusOut: true,
    };
    const input = await showInputBox(options, (text) =>
      /^[\x21-\x7e]*$/.test(text.trim())
        ? undefined
        : t('An API key can’t contain spaces or special characters.'),
    );
    const key = input?.trim();
    if (!key) return false;
    const rejection = await this.#checkApiKey(service.baseUrl, key);
    if (rejection !== undefined) {
      const again = t('Try Again');
      const choice = await showError(rejection, again);
      return choice === again ? this.#askApiKey(service) : false;
    }
    await this.#keys.set(service.origin, key);
    await this.checkSetup();
    return true;
  }

  /** Clears the API key of a service, by default the first. */
  async clearApiKey(baseUrl?: string): Promise<void> {
    const service = this.#serviceList.find(baseUrl);
    if (!service) return;
    await this.#keys.clear(service.origin);
    await this.checkSetup();
    void showInformation(t('Cleared the API key for {0}.', service.host));
  }

  /**
   * Asks for the bot for new conversations, and where to save it if there is a choice; resolves to undefined if
   * it was canceled. `recent`: the bots used before, most recent first.
   */
  async askDefaultBot(recent: readonly Bot[]): Promise<Bot | undefined> {
    const current = this.#bots.getDefault();
    const { user, workspace } = settings.getDefaultBotIds();
    const { pickBot } = await import('./botPicker');
    const choice = await pickBot(this.#bots, {
      title: t('Choose Default Bot'),
      ...(current && { current, placeholder: formatSource(current.name, current.id === workspace?.trim()) }),
      recent,
    });
    if (!choice) return undefined;
    const { bot } = choice;
    const { first } = this.#serviceList;
    if (bot.baseUrl !== undefined && bot.baseUrl !== first?.baseUrl) {
      // The first service is the one of new conversations.
      const others = this.#serviceList.all.filter(({ baseUrl }) => baseUrl !== bot.baseUrl);
      const chosen = this.#serviceList.find(bot.baseUrl);
      if (chosen) await this.#serviceList.save([{ ...chosen, botId: bot.id }, ...others]);
      await this.checkSetup();
      return bot;
    }
    // The very first choice is for all workspaces, without another question.
    const isFirst = !user?.trim() && workspace === undefined;
    const scope = isFirst || !hasWorkspaceSettings() ? 'user' : await this.#askScope(workspace);
    if (!scope) return undefined;
    await settings.setDefaultBotId(choice.bot.id, scope);
    await this.checkSetup();
    return choice.bot;
  }

  /** Asks where to save the default bot. `workspace`: the ID in the workspace's settings. */
  async #askScope(workspace: string | undefined): Promise<settings.SettingScope | undefined> {
    const all = {
      label: t('All Workspaces'),
      description: t('User settings'),
      ...(workspace !== undefined && {
        detail: t(
          'Removes {0} from this workspace’s settings, which override yours',
          this.#bots.named(workspace).name,
        ),
      }),
      scope: 'user' as const,
    };
    const here = {
      label: t('This Workspace'),
      description: t('Workspace settings, which override yours'),
      scope: 'workspace' as const,
    };
    const items = workspace === undefined ? [all, here] : [here, all];
    const title = t('Choose Default Bot');
    const placeHolder = t('Select where to use it');
    return (
      await pickOne<vscode.QuickPickItem & { scope: settings.SettingScope }>(items, { title, placeHolder })
    )?.scope;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Returns an error message if the service rejects the key. It lists the bots, which has no side effects.
   */
  async #checkApiKey(url: string, key: string): Promise<string | undefined> {
    const client = createClient(
      url,
      async () => key,
      (entry) => logRequest(this.#log, entry),
      this.#fetch,
    );
    try {
      await withProgress({ location: vscode.ProgressLocation.Window, title: t('Checking the API key') }, () =>
        client.listBots({}),
      );
    } catch (error) {
      if (error instanceof ServiceError && isUnsupported(error)) return undefined;
      const failure = toFailure(error, Date.now());
      if (failure.code === 'unauthorized' || failure.code === 'forbidden') return formatFailure(failure, url);
      void showWarning(t('The API key was saved, but couldn’t be checked. {0}', formatFailure(failure, url)));
    }
    return undefined;
  }
}

/** Says which bot is the default, and where it is set. */
function formatSource(name: string, inWorkspace: boolean): string {
  return inWorkspace
    ? t('The default is {0}, from this workspace’s settings', name)
    : t('The default is {0}, from your user settings', name);
}

/** Returns whether the window has settings of a workspace that count. */
function hasWorkspaceSettings(): boolean {
  const { workspaceFolders, workspaceFile, isTrusted } = vscode.workspace;
  return isTrusted && (workspaceFile !== undefined || (workspaceFolders?.length ?? 0) > 0);
}
