import * as vscode from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import { toFailure } from '../../chat/model/failure';
import { isUnsupported } from '../../chat/remote/capabilities';
import { type BaseUrlProblem, parseBaseUrl } from '../../client/baseUrl';
import { ServiceError } from '../../client/serviceError';
import type { Bot, ServiceProposal, Setup } from '../../shared/view/viewModel';
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
import { pickBot } from './botPicker';
import type { Bots } from './bots';
import { createClient } from './connection';
import { formatFailure } from './failureText';
import type { ServiceFetch } from './serviceFetch';

const { t } = vscode.l10n;

/** Services with the interface of docs/service.md that anyone can use. */
const KNOWN_SERVICES = [{ name: 'Cody AI', url: 'https://getcody.ai/api/v1' }];

/**
 * Tracks which setup step is missing before the first message, and asks for the URL, the API key and the bot.
 */
export class SetupGuide implements vscode.Disposable {
  readonly #keys: ApiKeys;
  readonly #bots: Bots;
  readonly #log: vscode.LogOutputChannel;
  readonly #fetch: ServiceFetch;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<Setup>());
  readonly onDidChange = this.#changes.on;
  /**
   * Assumes a key until the secrets are read: otherwise a page that loads first would ask for an existing
   * key.
   */
  #current: Setup;
  #proposal: ServiceProposal | undefined;
  #askingForKey: Promise<boolean> | undefined;
  #askingForUrl: Promise<boolean> | undefined;

  constructor(keys: ApiKeys, bots: Bots, log: vscode.LogOutputChannel, serviceFetch: ServiceFetch) {
    this.#keys = keys;
    this.#bots = bots;
    this.#log = log;
    this.#fetch = serviceFetch;
    this.#current = this.#createSetup(true);
    this.#store.add(settings.onDidChangeSettings(() => this.refreshInBackground()));
    this.#store.add(keys.onDidChange(() => this.refreshInBackground()));
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

  /** Shows in the panel which service the workspace proposes. */
  setProposal(proposal: ServiceProposal | undefined): void {
    if (proposal?.host === this.#proposal?.host) return;
    this.#proposal = proposal;
    const { proposal: _, ...current } = this.#current;
    this.#current = { ...current, ...(proposal && { proposal }) };
    this.#changes.fire(this.#current);
  }

  /** Logs a secret storage that can't be read, which the next request reports. */
  refreshInBackground(): void {
    this.refresh().catch((error: unknown) => logError(this.#log, error));
  }

  /** Asks for the base URL; resolves to true if one was set. Concurrent calls share one dialog. */
  askBaseUrl(): Promise<boolean> {
    this.#askingForUrl ??= this.#askBaseUrl().finally(() => {
      this.#askingForUrl = undefined;
    });
    return this.#askingForUrl;
  }

  async #askBaseUrl(): Promise<boolean> {
    const url = await this.#pickBaseUrl();
    if (url === undefined) return false;
    await settings.setBaseUrl(url);
    await this.refresh();
    return true;
  }

  async #pickBaseUrl(): Promise<string | undefined> {
    const other = { label: t('Other…'), description: t('Enter the URL of your service') };
    const known = KNOWN_SERVICES.map(({ name, url }) => ({ label: name, description: url, url }));
    const choice = await pickOne<vscode.QuickPickItem & { url?: string }>([...known, other], {
      title: t('Set Service URL'),
      placeHolder: t('Select a service'),
      ignoreFocusOut: true,
    });
    return choice === other ? enterBaseUrl() : choice?.url;
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

  /**
   * Asks for the bot for new conversations, and where to save it if there is a choice; resolves to undefined if
   * it was canceled. `recent`: the bots used before, most recent first.
   */
  async askDefaultBot(recent: readonly Bot[]): Promise<Bot | undefined> {
    const current = this.#bots.getDefault();
    const { user, workspace } = settings.getDefaultBotIds();
    const choice = await pickBot(this.#bots, {
      title: t('Choose Default Bot'),
      ...(current && { current, placeholder: formatSource(current.name, workspace !== undefined) }),
      recent,
    });
    if (!choice) return undefined;
    // The very first choice is for all workspaces, without another question.
    const isFirst = !user?.trim() && workspace === undefined;
    const scope = isFirst || !hasWorkspaceSettings() ? 'user' : await this.#askScope(workspace);
    if (!scope) return undefined;
    await settings.setDefaultBotId(choice.bot.id, scope);
    await this.refresh();
    return choice.bot;
  }

  /** Asks where to save the default bot. `workspace`: the id in the workspace's settings. */
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
    this.#store.dispose();
  }

  #createSetup(hasKey: boolean): Setup {
    const base = settings.getBaseUrl();
    const step = !base ? 'baseUrl' : !hasKey ? 'apiKey' : !this.#bots.getDefault() ? 'bot' : 'done';
    const proposal = this.#proposal;
    return { step, ...(base && { serviceHost: base.host }), ...(proposal && { proposal }) };
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
      if (failure.code === 'unauthorized' || failure.code === 'forbidden') return formatFailure(failure);
      void showWarning(t('The API key was saved, but couldn’t be checked. {0}', formatFailure(failure)));
    }
    return undefined;
  }
}

/** Asks for the base URL of a service; offers to add a missing version path. */
async function enterBaseUrl(): Promise<string | undefined> {
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
  if (!parsed.ok) return undefined;
  return parsed.hasVersionPath ? parsed.url : askVersionPath([parsed.withVersionPath, parsed.url]);
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

/** Asks which of the URLs to use. */
async function askVersionPath(urls: readonly string[]): Promise<string | undefined> {
  const title = t('The URL has no version path. Which URL do you want to use?');
  const items = urls.map((label) => ({ label }));
  return (await pickOne(items, { title, ignoreFocusOut: true }))?.label;
}

function formatUrlProblem(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'notHttps':
      return t(
        'Use https: so that the API key can’t be intercepted; http: is only allowed for this machine.',
      );
    case 'hasCredentials':
      return t('Remove the user name and password. The API key is set separately.');
    case 'hasQuery':
    case 'hasFragment':
      return t('Remove “?” or “#” and everything after it.');
    default:
      return t('Enter a full URL, such as https://bots.example.com/api/v1');
  }
}
