import * as v from 'valibot';
import {
  type AgentCall,
  AgentError,
  type AgentProblem,
  type AgentRequest,
  agentRequests,
  SOCKET_VERSION,
  type ToServer,
  type ToWindow,
  toWindowSchema,
} from '../../shared/agents/agentRequests';
import { agentTexts } from '../../shared/agents/agentTexts';
import {
  MAX_REQUEST_LENGTH,
  MAX_RESULT_LENGTH,
  MessageLines,
  toMessageLine,
} from '../../shared/agents/messageLines';
import type { LocalConnection } from '../platform/localAccess';

/** One call of an agent, while it runs. */
export interface RunningCall extends AgentCall {
  /** Aborted when the agent cancels the call, or its server ends. */
  readonly signal: AbortSignal;
  onProgress(characters: number): void;
}

/** Answers a request, whose input its schema has checked. Throws AgentError. */
export type AnswerAgent = (name: AgentRequest, input: unknown, call: RunningCall) => Promise<unknown>;

/** Ms until the first message, with the token, has to arrive. */
const HELLO_TIMEOUT_MS = 5_000;
/** A token and little else. In UTF-16 code units. */
const MAX_HELLO_LENGTH = 1_000;
/** Requests of one server that run at the same time. */
const MAX_RUNNING = 50;
/** Messages that a server can send within a second: more than an agent could that asks one after the other. */
const MAX_PER_SECOND = 1000;
const INTERNAL: AgentProblem = { code: 'refused', message: agentTexts.fault };

/**
 * Talks to one MCP server: lets it in by the token, checks each message by its schema, and closes the connection at the
 * first that isn't valid, or when there are too many.
 */
export class AgentConnection {
  readonly #connection: LocalConnection;
  readonly #token: string;
  readonly #answer: AnswerAgent;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<number, AbortController>();
  readonly #helloTimer: ReturnType<typeof setTimeout>;
  readonly #lines = new MessageLines(MAX_HELLO_LENGTH);
  #isWelcome = false;
  #second = { startedAt: 0, messages: 0 };

  constructor(
    connection: LocalConnection,
    token: string,
    answer: AnswerAgent,
    onError: (error: unknown) => void,
  ) {
    this.#connection = connection;
    this.#token = token;
    this.#answer = answer;
    this.#onError = onError;
    this.#helloTimer = setTimeout(() => connection.close(), HELLO_TIMEOUT_MS);
    connection.onText((text) => this.#receive(text));
    connection.onClose(() => {
      clearTimeout(this.#helloTimer);
      for (const controller of this.#running.values()) controller.abort();
    });
  }

  #receive(text: string): void {
    try {
      for (const value of this.#lines.feed(text)) this.#handle(v.parse(toWindowSchema, value));
    } catch {
      // Nothing that a server of ours sends: says nothing, and nothing of it is logged.
      this.#connection.close();
    }
  }

  #handle(message: ToWindow): void {
    if (this.#isWelcome) this.#countMessage();
    if (!this.#isWelcome) this.#letIn(message);
    else if (message.type === 'cancel') this.#running.get(message.id)?.abort();
    else if (message.type === 'request') void this.#run(message);
    else throw new Error('A second hello');
  }

  /** Throws unless the message has the token. */
  #letIn(message: ToWindow): void {
    if (message.type !== 'hello' || !isSameToken(message.token, this.#token)) throw new Error('No token');
    clearTimeout(this.#helloTimer);
    this.#isWelcome = true;
    this.#lines.maxLength = MAX_REQUEST_LENGTH;
    this.#send({ type: 'welcome', version: SOCKET_VERSION });
    // A server of another version sees that in the welcome, and tells its agent.
    if (message.version !== SOCKET_VERSION) this.#connection.close();
  }

  #countMessage(): void {
    const now = performance.now();
    if (now - this.#second.startedAt > 1000) this.#second = { startedAt: now, messages: 0 };
    if (++this.#second.messages > MAX_PER_SECOND) throw new Error('A flood');
  }

  async #run({ id, name, input, call }: Extract<ToWindow, { type: 'request' }>): Promise<void> {
    if (this.#running.has(id)) return this.#connection.close();
    if (this.#running.size >= MAX_RUNNING) {
      const message = agentTexts.busy(MAX_RUNNING);
      return this.#send({ type: 'problem', id, problem: { code: 'busy', message } });
    }
    const checked = v.safeParse(agentRequests[name].input, input);
    if (!checked.success) return this.#connection.close();
    const controller = new AbortController();
    this.#running.set(id, controller);
    const onProgress = (characters: number) => this.#send({ type: 'progress', id, characters });
    try {
      const { signal } = controller;
      const output = await this.#answer(name, checked.output, { ...call, signal, onProgress });
      this.#send({ type: 'result', id, output });
    } catch (error) {
      if (!(error instanceof AgentError)) this.#onError(error);
      this.#send({ type: 'problem', id, problem: error instanceof AgentError ? error.problem : INTERNAL });
    } finally {
      this.#running.delete(id);
    }
  }

  #send(message: ToServer): void {
    const line = toMessageLine(message);
    // The server would close the connection, and with it end all other requests.
    if (line.length > MAX_RESULT_LENGTH && 'id' in message)
      this.#send({
        type: 'problem',
        id: message.id,
        problem: { code: 'refused', message: agentTexts.tooLong },
      });
    else this.#connection.send(line);
  }
}

/** Compares all of it, so that the time tells nothing. */
function isSameToken(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
