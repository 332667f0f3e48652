import * as v from 'valibot';
import * as vscode from 'vscode';
import {
  getWindowFileName,
  parseWindowFileName,
  type WindowFile,
  windowFileSchema,
} from '../../shared/agents/windowFile';
import type { LocalAccess, LocalSocket, PrivateFolder } from '../platform/localAccess';
import { AgentConnection, type AnswerAgent } from './agentConnection';

/** This window's socket for MCP servers, and the file that tells them of it. */
export class AgentWindow {
  /** Names this window to a server that VS Code itself starts. */
  readonly id = crypto.randomUUID();
  readonly #folder: PrivateFolder;
  readonly #socket: LocalSocket;
  readonly #token: string;
  readonly #onError: (error: unknown) => void;
  readonly #subscriptions: vscode.Disposable;
  #focusedAt: number | undefined;
  /** The last write of the file: one after the other. */
  #written: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(
    folder: PrivateFolder,
    socket: LocalSocket,
    token: string,
    onError: (error: unknown) => void,
  ) {
    this.#folder = folder;
    this.#socket = socket;
    this.#token = token;
    this.#onError = onError;
    this.#focusedAt = vscode.window.state.focused ? Date.now() : undefined;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) return;
        this.#focusedAt = Date.now();
        void this.#write();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#write()),
    );
  }

  /** Starts to listen. Removes what windows left that crashed. Throws file system errors. */
  static async open(
    access: LocalAccess,
    folder: PrivateFolder,
    answer: AnswerAgent,
    onError: (error: unknown) => void,
  ): Promise<AgentWindow> {
    await removeAbandoned(access, folder);
    const token = createToken();
    const socket = await access.listen(
      (connection) => new AgentConnection(connection, token, answer, onError),
    );
    const window = new AgentWindow(folder, socket, token, onError);
    await window.#write();
    return window;
  }

  /** Ends all connections and removes the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#subscriptions.dispose();
    await this.#written;
    await this.#folder.removeFile(getWindowFileName(this.id));
    await this.#socket.close();
  }

  #write(): Promise<void> {
    this.#written = this.#written.then(async () => {
      if (this.#isClosed) return;
      const file: WindowFile = {
        address: this.#socket.address,
        token: this.#token,
        name: vscode.workspace.name ?? vscode.env.appName,
        folders: (vscode.workspace.workspaceFolders ?? [])
          .filter(({ uri }) => uri.scheme === 'file')
          .map(({ uri }) => uri.fsPath),
        ...(this.#focusedAt !== undefined && { focusedAt: this.#focusedAt }),
      };
      await this.#folder.writeFile(getWindowFileName(this.id), JSON.stringify(file)).catch(this.#onError);
    });
    return this.#written;
  }
}

/** Removes the files of windows that no longer listen, and their sockets. */
async function removeAbandoned(access: LocalAccess, folder: PrivateFolder): Promise<void> {
  await folder.removePartialFiles();
  for (const name of await folder.listFiles()) {
    if (parseWindowFileName(name) === undefined) continue;
    const file = parseFile(await folder.readFile(name));
    if (!file || (await access.removeIfAbandoned(file.address))) await folder.removeFile(name);
  }
}

function parseFile(text: string | undefined): WindowFile | undefined {
  try {
    return v.parse(windowFileSchema, JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
