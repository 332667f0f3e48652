import {
  AgentError,
  type AgentRequest,
  type RequestInput,
  type RequestOutput,
} from '../../shared/agents/agentRequests';
import type { Backend, BackendCall } from '../backend';
import { WindowConnection } from './windowConnection';
import { type OpenWindow, readWindows, sortWindows } from './windowList';

export interface AttachedOptions {
  /** The folder with the windows' files. */
  readonly windows: string;
  /** The ID of the window that started this server. */
  readonly window?: string;
  /** Answers if no window is open. */
  readonly alone?: Backend;
}

/** Asks a window of VS Code, which has the key, the conversations and the user. */
export class AttachedBackend implements Backend {
  readonly #options: AttachedOptions;
  /** By the ID of the window. */
  readonly #connections = new Map<string, Promise<WindowConnection>>();

  constructor(options: AttachedOptions) {
    this.#options = options;
  }

  async request<R extends AgentRequest>(
    name: R,
    input: RequestInput<R>,
    call: BackendCall,
  ): Promise<RequestOutput<R>> {
    const connection = await this.#connect(call);
    if (connection) return connection.request(name, input, call);
    const { alone } = this.#options;
    if (alone) return alone.request(name, input, call);
    const message =
      'No window of VS Code with Parley is open. Ask the user to open VS Code, or to choose “Parley: Connect an Agent…” there. Nothing was sent.';
    throw new AgentError({ code: 'refused', message });
  }

  async close(): Promise<void> {
    const connections = await Promise.allSettled(this.#connections.values());
    for (const each of connections) if (each.status === 'fulfilled') each.value.close();
    await this.#options.alone?.close();
  }

  /** Connects to the window that answers, or the next one if that doesn't. Nothing is sent yet, so another can be tried. */
  async #connect({ folders }: BackendCall): Promise<WindowConnection | undefined> {
    const windows = await readWindows(this.#options.windows);
    for (const window of await sortWindows(windows, folders, this.#options.window)) {
      try {
        return await this.#getConnection(window);
      } catch (error) {
        if (error instanceof AgentError) throw error;
      }
    }
    return undefined;
  }

  async #getConnection(window: OpenWindow): Promise<WindowConnection> {
    const known = this.#connections.get(window.id);
    if (known) {
      const connection = await known.catch(() => undefined);
      if (connection?.isOpen) return connection;
      // Another request has begun to connect again.
      if (this.#connections.get(window.id) !== known) return this.#getConnection(window);
    }
    const opening = WindowConnection.open(window);
    this.#connections.set(window.id, opening);
    return opening;
  }
}
