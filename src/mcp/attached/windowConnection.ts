import { connect, type Socket } from 'node:net';
import * as v from 'valibot';
import {
  AgentError,
  type AgentRequest,
  agentRequests,
  type RequestInput,
  type RequestOutput,
  SOCKET_VERSION,
  type ToServer,
  type ToWindow,
  toServerSchema,
} from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';
import { MAX_RESULT_LENGTH, MessageLines, toMessageLine } from '../../shared/agents/messageLines';
import type { BackendCall } from '../backend';
import type { OpenWindow } from './windowList';

/** In ms: a window that is blocked may take seconds. */
const WELCOME_TIMEOUT_MS = 10_000;

/** What an agent is told of a request that a closed window may have carried out; others can be tried again. */
const CLOSED_TEXTS: { readonly [R in AgentRequest]?: string } = {
  ask_bot:
    'The question may have been sent and counted: look for its answer with search_conversations before you ask again.',
  upload_document: agentTexts.mayBeUploaded,
};

interface Running {
  readonly name: AgentRequest;
  readonly call: BackendCall;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: AgentError) => void;
}

/** A connection to one window of VS Code, which answers every request once, also if it closes. */
export class WindowConnection {
  readonly #socket: Socket;
  readonly #lines = new MessageLines(MAX_RESULT_LENGTH);
  readonly #running = new Map<number, Running>();
  readonly #whenWelcome: Promise<void>;
  #resolveWelcome: () => void = () => undefined;
  #rejectWelcome: (error: Error) => void = () => undefined;
  #nextId = 0;
  #isOpen = true;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#whenWelcome = new Promise((resolve, reject) => {
      this.#resolveWelcome = resolve;
      this.#rejectWelcome = reject;
    });
    socket.setEncoding('utf8');
    socket.on('data', (text) => this.#receive(String(text)));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#handleClose());
  }

  /** Throws an Error if the window doesn't answer, and AgentError if it is of another version. */
  static async open({ address, token }: OpenWindow): Promise<WindowConnection> {
    const connection = new WindowConnection(connect(address));
    connection.#send({ type: 'hello', version: SOCKET_VERSION, token });
    const timer = setTimeout(() => connection.#socket.destroy(), WELCOME_TIMEOUT_MS);
    try {
      await connection.#whenWelcome;
      return connection;
    } finally {
      clearTimeout(timer);
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws AgentError. */
  async request<R extends AgentRequest>(
    name: R,
    input: RequestInput<R>,
    call: BackendCall,
  ): Promise<RequestOutput<R>> {
    const { signal, agent, agentCanAsk, confirmed } = call;
    if (signal.aborted) throw createStopped();
    const id = this.#nextId++;
    const cancel = () => this.#send({ type: 'cancel', id });
    signal.addEventListener('abort', cancel);
    try {
      const output = await new Promise<unknown>((resolve, reject) => {
        this.#running.set(id, { name, call, resolve, reject });
        if (!this.#isOpen) return this.#handleClose();
        const sent = { agent, agentCanAsk, ...(confirmed !== undefined && { confirmed }) };
        this.#send({ type: 'request', id, name, input, call: sent });
      });
      return v.parse(agentRequests[name].output as v.GenericSchema<unknown, RequestOutput<R>>, output);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#running.delete(id);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    try {
      for (const value of this.#lines.feed(text)) this.#handle(v.parse(toServerSchema, value));
    } catch {
      this.#socket.destroy();
    }
  }

  #handle(message: ToServer): void {
    if (message.type === 'welcome') this.#handleWelcome(message.version);
    else {
      const running = this.#running.get(message.id);
      // It was canceled, or has its one answer.
      if (!running) return;
      if (message.type === 'progress') running.call.onProgress(message.characters);
      else {
        this.#running.delete(message.id);
        if (message.type === 'result') running.resolve(message.output);
        else running.reject(new AgentError(message.problem));
      }
    }
  }

  #handleWelcome(version: number): void {
    const text = 'Parley was updated. Ask the user to restart this agent’s MCP server. Nothing was sent.';
    if (version === SOCKET_VERSION) this.#resolveWelcome();
    else this.#rejectWelcome(new AgentError({ code: 'refused', message: text }));
  }

  #handleClose(): void {
    this.#isOpen = false;
    this.#rejectWelcome(new Error('The window doesn’t answer'));
    for (const { name, reject } of this.#running.values()) {
      const rest = CLOSED_TEXTS[name] ?? 'Try again.';
      reject(new AgentError({ code: 'windowClosed', message: `The window of VS Code was closed. ${rest}` }));
    }
    this.#running.clear();
  }

  #send(message: ToWindow): void {
    if (!this.#socket.destroyed) this.#socket.write(toMessageLine(message));
  }
}

export function createStopped(): AgentError {
  return new AgentError({ code: 'refused', message: 'Stopped.' });
}
