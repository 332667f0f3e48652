import * as vscode from 'vscode';
import { platform } from '#platform';
import { pickOne, showError, showInformation, showWarning } from '../base/dialogs';
import { getErrorMessage } from '../base/localizedText';
import { type AgentConfig, type Launch, listAgentConfigs } from './agentConfigs';
import type { AgentHost } from './agentHost';

const { t } = vscode.l10n;

const SCHEME = 'parley-agents';

/** Connects agents of other programs with Parley, by the file in which each has its MCP servers. */
export class AgentConnector implements vscode.Disposable {
  readonly #getHost: () => Promise<AgentHost | undefined>;
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor(getHost: () => Promise<AgentHost | undefined>) {
    this.#getHost = getHost;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.path),
    });
  }

  /** Lets the user pick an agent, shows what its configuration becomes, and writes or copies it. */
  async connect(): Promise<void> {
    const host = await this.#getHost();
    if (!host) {
      void showInformation(t('Agents can’t connect to VS Code in a browser. Open VS Code on your machine.'));
      return;
    }
    const configs = listAgentConfigs(host.access.isWindows, t('Other'));
    const items = configs.map((config) => ({
      label: config.name,
      description: config.file?.join('/') ?? t('Copy the configuration'),
      config,
    }));
    const picked = await pickOne(items, {
      title: t('Connect an Agent'),
      placeHolder: t('Select the agent that may ask your bots'),
    });
    if (!picked) return;
    const launch = await host.connectAgents();
    await this.#connectAgent(picked.config, launch);
    await this.#test(host, launch);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #connectAgent(config: AgentConfig, launch: Launch): Promise<void> {
    const alone = config.add('', launch) ?? '';
    const file = config.file && platform.home && vscode.Uri.joinPath(platform.home, ...config.file);
    const before = file && (await readText(file));
    const after = before === undefined ? undefined : config.add(before, launch);
    const copy = t('Copy');
    if (!file || after === undefined) {
      await this.#show(config, undefined, alone);
      const question = file
        ? t('Parley can’t change {0}. Copy the configuration and add it yourself.', file.fsPath)
        : t('Add this to the agent’s configuration.');
      if ((await showInformation(question, copy)) === copy) await vscode.env.clipboard.writeText(alone);
      return;
    }
    if (after === before) {
      void showInformation(t('{0} is already connected.', config.name));
      return;
    }
    await this.#show(config, file, after);
    const write = t('Change File');
    const choice = await showInformation(
      t('Change {0} as shown, so that {1} can ask your bots?', file.fsPath, config.name),
      write,
      copy,
    );
    if (choice === copy) await vscode.env.clipboard.writeText(alone);
    if (choice !== write) return;
    if ((await readText(file)) !== before) {
      void showWarning(t('{0} changed in the meantime, so it wasn’t changed. Try again.', file.fsPath));
      return;
    }
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(after));
  }

  /** Shows the file as it is beside what it becomes, or only a configuration. */
  async #show({ name, language }: AgentConfig, file: vscode.Uri | undefined, text: string): Promise<void> {
    const path = `/${name}.${language}`;
    this.#texts.set(path, text);
    this.#texts.set('/empty', '');
    // A new query, because VS Code keeps a document that was shown before.
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query: crypto.randomUUID() });
    if (!file) {
      await vscode.window.showTextDocument(uri);
      return;
    }
    const isThere = (await readText(file)) !== '';
    const before = isThere ? file : vscode.Uri.from({ scheme: SCHEME, path: '/empty' });
    await vscode.commands.executeCommand('vscode.diff', before, uri, t('{0}: Connect to Parley', name));
  }

  /** Starts the launcher as an agent does, and says whether this window answers. */
  async #test(host: AgentHost, launch: Launch): Promise<void> {
    try {
      const bots = await host.testLaunch(launch);
      void showInformation(
        bots === undefined
          ? t('Agents can reach Parley. The service didn’t list its bots: see the log.')
          : t('Agents can reach Parley. Available bots: {0}', bots.join(', ')),
      );
    } catch (error) {
      void showError(t('The MCP server can’t be started: {0}', getErrorMessage(error)));
    }
  }
}

/** Returns '' for a file that isn't there, and undefined for one that can't be read. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound' ? '' : undefined;
  }
}
