import * as v from 'valibot';
import * as vscode from 'vscode';
import { agentTools } from '../../shared/agents/agentTools';
import { WINDOWS_FOLDER } from '../../shared/agents/windowFile';
import { AGENTS_CONNECTED } from '../base/names';
import type { LocalAccess, PrivateFolder } from '../platform/localAccess';
import { AgentAnswers, type AnswerServices } from './agentAnswers';
import { openAgentBudget } from './agentBudget';
import type { Launch } from './agentConfigs';
import { AgentConsent } from './agentConsent';
import { getServerUri, writeLauncher } from './agentLauncher';
import { AgentWindow } from './agentWindow';

type HostContext = Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState' | 'globalStorageUri'>;
type HostServices = Omit<AnswerServices, 'budget' | 'consent'>;

const listAnswerSchema = v.object({
  id: v.literal(2),
  result: v.object({ structuredContent: agentTools.list_bots.output }),
});

/** What connects this window with agents on the same machine. Exists in the Node.js host only. */
export class AgentHost {
  readonly access: LocalAccess;
  readonly #context: HostContext;
  readonly #storage: vscode.Uri;
  readonly #services: HostServices;
  readonly #onError: (error: unknown) => void;
  #window: Promise<AgentWindow> | undefined;
  #isClosed = false;

  constructor(
    access: LocalAccess,
    context: HostContext,
    services: HostServices,
    onError: (error: unknown) => void,
  ) {
    this.access = access;
    this.#context = context;
    this.#storage = vscode.Uri.joinPath(context.globalStorageUri, 'agents');
    this.#services = services;
    this.#onError = onError;
  }

  /** Opens the folder of all that agents need. Throws file system errors. */
  openFolder(): Promise<PrivateFolder> {
    return this.access.openFolder(this.#storage);
  }

  /** Opens the folder with the windows' files. Throws file system errors. */
  openWindowsFolder(): Promise<PrivateFolder> {
    return this.access.openFolder(vscode.Uri.joinPath(this.#storage, WINDOWS_FOLDER));
  }

  /** Lets MCP servers connect to this window, from the first call on; resolves to its ID. Throws file system errors. */
  async listen(): Promise<string> {
    if (this.#isClosed) throw new Error('The window is closing');
    this.#window ??= this.#openWindow().catch((error: unknown) => {
      this.#window = undefined;
      throw error;
    });
    return (await this.#window).id;
  }

  /** Lets agents of other programs connect, in this window and in those that are opened from now on. */
  async connectAgents(): Promise<Launch> {
    const launch = await writeLauncher(this.access, await this.openFolder(), this.#context.extensionUri);
    await this.#context.globalState.update(AGENTS_CONNECTED, true);
    await this.listen();
    return launch;
  }

  /** Returns what VS Code itself starts: the server of this version, which asks this window. */
  async getOwnServer(): Promise<Launch & { readonly env: Readonly<Record<string, string>> }> {
    const { path } = await this.openWindowsFolder();
    const server = getServerUri(this.#context.extensionUri).fsPath;
    const { node } = this.access;
    const args = [server, '--windows', path, '--window', await this.listen()];
    return { command: node.path, args, env: node.env };
  }

  /**
   * Starts the server as an agent does and lists the bots; resolves to their names, or to undefined if the window answered
   * without them. Throws an Error if the server can't be started.
   */
  async testLaunch({ command, args }: Launch): Promise<readonly string[] | undefined> {
    const message = (id: number | undefined, method: string, params: object = {}) =>
      `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params })}\n`;
    const clientInfo = { name: 'Parley', version: '1' };
    const input = [
      message(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
      message(undefined, 'notifications/initialized'),
      message(2, 'tools/call', { name: 'list_bots', arguments: {} }),
    ].join('');
    const output = await this.access.run(command, args, input, (text) => /"id":2[,}].*\n/.test(text));
    for (const line of output.split('\n').filter((each) => each !== '')) {
      const answer = v.safeParse(listAnswerSchema, JSON.parse(line));
      if (answer.success) return answer.output.result.structuredContent.bots.map(({ name }) => name);
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#window?.catch(() => undefined))?.close();
  }

  async #openWindow(): Promise<AgentWindow> {
    const folder = await this.openFolder();
    await folder.removePartialFiles();
    // A new version of the extension or of VS Code writes what it needs.
    if (this.#context.globalState.get(AGENTS_CONNECTED) === true)
      await writeLauncher(this.access, folder, this.#context.extensionUri);
    const budget = await openAgentBudget(this, this.#context.globalState);
    const answers = new AgentAnswers({ ...this.#services, budget, consent: new AgentConsent() });
    return AgentWindow.open(
      this.access,
      await this.openWindowsFolder(),
      // The connection has checked the input by the schema of this request.
      (name, input, call) => answers.answer(name, input as never, call),
      this.#onError,
    );
  }
}
