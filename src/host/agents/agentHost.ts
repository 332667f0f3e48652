import * as vscode from 'vscode';
import { WINDOWS_FOLDER } from '../../shared/agents/windowFile';
import type { LocalAccess, PrivateFolder } from '../platform/localAccess';
import { AgentAnswers, type AnswerServices } from './agentAnswers';
import { AgentBudget } from './agentBudget';
import { AgentConsent } from './agentConsent';
import { AgentWindow } from './agentWindow';

type HostServices = Omit<AnswerServices, 'budget' | 'consent'>;

/** What connects this window with agents on the same machine. Exists in the Node.js host only. */
export class AgentHost {
  readonly access: LocalAccess;
  readonly #storage: vscode.Uri;
  readonly #services: HostServices;
  readonly #onError: (error: unknown) => void;
  #window: Promise<AgentWindow> | undefined;
  #isClosed = false;

  /** `globalStorage`: the extension's, which all windows share. */
  constructor(
    access: LocalAccess,
    globalStorage: vscode.Uri,
    services: HostServices,
    onError: (error: unknown) => void,
  ) {
    this.access = access;
    this.#storage = vscode.Uri.joinPath(globalStorage, 'agents');
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

  /** Lets MCP servers connect to this window, from the first call on; resolves to its id. Throws file system errors. */
  async listen(): Promise<string> {
    if (this.#isClosed) throw new Error('The window is closing');
    this.#window ??= this.#openWindow().catch((error: unknown) => {
      this.#window = undefined;
      throw error;
    });
    return (await this.#window).id;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#window?.catch(() => undefined))?.close();
  }

  async #openWindow(): Promise<AgentWindow> {
    const budget = new AgentBudget(await this.openFolder());
    await budget.removeOld();
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
