import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import { toFailure } from '../../chat/model/failure';
import { isUnsupported } from '../../chat/remote/capabilities';
import { type BaseUrlProblem, parseBaseUrl } from '../../client/baseUrl';
import { ServiceError } from '../../client/serviceError';
import type { Bot, Setup } from '../../shared/viewModel';
import {
  pickOne,
  showError,
  showInformation,
  showInputBox,
  showWarning,
  withProgress,
} from '../base/dialogs';
import { DisposableStore } from '../base/disposables';
import { logRequest } from '../base/log';
import { Context } from '../base/names';
import * as settings from '../base/settings';
import type { ApiKeys } from './apiKeys';
import type { Bots } from './bots';
import { createClient } from './connection';
import { formatFailure } from './failureText';

const { t } = vscode.l10n;

/**
 * Tracks which setup step is missing before the first message, and asks for the URL, the API key and the bot.
 */
export class SetupGuide implements vscode.Disposable {
  readonly #keys: ApiKeys;
  readonly #bots: Bots;
  readonly #log: vscode.LogOutputChannel;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<Setup>());
  readonly onDidChange = this.#changes.on;
  /**
   * Assumes a key until the secrets are read: otherwise a page that loads first would ask for an existing
   * key.
   */
  #current: Setup;
  #askingForKey: Promise<boolean> | undefined;
  #askingForUrl: Promise<boolean> | undefined;

  constructor(keys: ApiKeys, bots: Bots, log: vscode.LogOutputChannel) {
    this.#keys = keys;
    this.#bots = bots;
    this.#log = log;
    this.#current = this.#createSetup(true);
    this.#store.add(settings.onDidChangeSettings(() => void this.refresh()));
    this.#store.add(keys.onDidChange(() => void this.refresh()));
  }

  get current(): Setup {
    return this.#current;
  }

  /** Reads the settings and the key again. */
  async refresh(): Promise<Setup> {
    const base = settings.getBaseUrl();
    const hasKey = base !== undefined && (await this.#keys.get(base.origin)) !== undefined;
    this.#current = this.#createSetup(hasKey);
    this.#changes.fire(this.#current);
    void vscode.commands.executeCommand('setContext', Context.hasApiKey, hasKey);
    return this.#current;
  }

  /** Asks for the base URL; resolves to true if one was set. Concurrent calls share one input box. */
  askBaseUrl(): Promise<boolean> {
    this.#askingForUrl ??= this.#askBaseUrl().finally(() => {
      this.#askingForUrl = undefined;
    });
    return this.#askingForUrl;
  }

  async #askBaseUrl(): Promise<boolean> {
    const options = {
      title: t('Set Service URL'),
      prompt: t('The base URL of your service, including the version path'),
      placeHolder: 'https://bots.example.com/api/v1',
      value: settings.getBaseUrl()?.url ?? '',
      ignoreFocusOut: true,
    };
    const input = await showInputBox(options, (text) => {
      const parsed = parseBaseUrl(text.trim());
      return text.trim() === '' || parsed.ok ? undefined : formatUrlProblem(parsed.problem);
    });
    const parsed = parseBaseUrl(input?.trim() ?? '');
    if (!parsed.ok) return false;
    const url = parsed.hasVersionPath
      ? parsed.url
      : await askVersionPath([parsed.withVersionPath, parsed.url]);
    if (url === undefined) return false;
    await settings.setBaseUrl(url);
    await this.refresh();
    return true;
  }

  /**
   * Asks for the API key and checks it if the service supports that; resolves to true if one was stored.
   * Concurrent calls, from another page or after another rejection, share one input box.
   */
  askApiKey(): Promise<boolean> {
    this.#askingForKey ??= this.#askApiKey().finally(() => {
      this.#askingForKey = undefined;
    });
    return this.#askingForKey;
  }

  async #askApiKey(): Promise<boolean> {
    // A URL that was just entered may not be saved yet.
    await this.#askingForUrl;
    if (!settings.getBaseUrl() && !(await this.askBaseUrl())) return false;
    const base = settings.getBaseUrl();
    if (!base) return false;
    const options = {
      title: t('Set API Key'),
      prompt: t('The API key for {0}. It is kept in VS Code’s secret storage.', base.host),
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
    const rejection = await this.#checkApiKey(base.url, key);
    if (rejection !== undefined) {
      const again = t('Try Again');
      const choice = await showError(rejection, again);
      return choice === again ? this.#askApiKey() : false;
    }
    await this.#keys.set(base.origin, key);
    await this.refresh();
    return true;
  }

  async clearApiKey(): Promise<void> {
    const base = settings.getBaseUrl();
    if (!base) return;
    await this.#keys.clear(base.origin);
    await this.refresh();
    void showInformation(t('Cleared the API key for {0}.', base.host));
  }

  /** Asks for the bot for new conversations; resolves to undefined if none was chosen. */
  async askDefaultBot(): Promise<Bot | undefined> {
    const bot = await this.askBot(t('Choose Bot'));
    if (!bot) return undefined;
    await settings.setDefaultBotId(bot.id);
    await this.refresh();
    return bot;
  }

  /** Asks for a bot: from the service's list if it has one, or else by id. */
  async askBot(title: string): Promise<Bot | undefined> {
    const listed = await this.#listBots();
    if (!listed || listed.length === 0) return this.#askBotId(title);
    const byId = { label: t('Enter a Bot ID…'), alwaysShow: true, bot: undefined };
    const picked = await pickOne<vscode.QuickPickItem & { readonly bot: Bot | undefined }>(
      [...listed.map((bot) => ({ label: bot.name, description: bot.id, bot })), byId],
      { title, placeHolder: t('Select a bot'), matchOnDescription: true, ignoreFocusOut: true },
    );
    return picked === byId ? this.#askBotId(title) : picked?.bot;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #createSetup(hasKey: boolean): Setup {
    const base = settings.getBaseUrl();
    const step = !base ? 'baseUrl' : !hasKey ? 'apiKey' : !this.#bots.getDefault() ? 'bot' : 'done';
    return { step, ...(base && { serviceHost: base.host }) };
  }

  async #listBots(): Promise<Bot[] | undefined> {
    try {
      return await withProgress({ location: vscode.ProgressLocation.Window, title: t('Loading bots') }, () =>
        this.#bots.list(),
      );
    } catch (error) {
      // The id can still be entered; the first message shows whether it is valid.
      void showWarning(formatFailure(toFailure(error, Date.now())));
      return undefined;
    }
  }

  async #askBotId(title: string): Promise<Bot | undefined> {
    const id = await showInputBox({ title, prompt: t('The bot’s ID'), ignoreFocusOut: true });
    return id?.trim() ? this.#bots.named(id.trim()) : undefined;
  }

  /**
   * Returns an error message if the service rejects the key. It lists the bots, which has no side effects.
   */
  async #checkApiKey(url: string, key: string): Promise<string | undefined> {
    const client = createClient(
      url,
      async () => key,
      (entry) => logRequest(this.#log, entry),
    );
    try {
      await withProgress({ location: vscode.ProgressLocation.Window, title: t('Checking the API key') }, () =>
        client.listBots({}),
      );
    } catch (error) {
      if (error instanceof ServiceError && isUnsupported(error)) return undefined;
      const failure = toFailure(error, Date.now());
      if (failure.code === 'unauthorized' || failure.code === 'forbidden') return formatFailure(failure);
      void showWarning(t('The API key was saved, but couldn’t be checked. {0}', formatFailure(failure)));
    }
    return undefined;
  }
}

/** Asks which of the URLs to use. */
async function askVersionPath(urls: readonly string[]): Promise<string | undefined> {
  const title = t('The URL has no version path. Which URL do you want to use?');
  const items = urls.map((label) => ({ label }));
  return (await pickOne(items, { title, ignoreFocusOut: true }))?.label;
}

function formatUrlProblem(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'notHttps':
      return t('Use https: so that the API key can’t be intercepted; http: is for this machine only.');
    case 'hasCredentials':
      return t('Remove the user name and password. The API key is set separately.');
    case 'hasQuery':
    case 'hasFragment':
      return t('Remove “?” or “#” and everything after it.');
    default:
      return t('Enter a full URL, such as https://bots.example.com/api/v1');
  }
}
