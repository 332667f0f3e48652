import { AgentError } from './agentRequests';

/** More than any user is asked at a time. */
const MAX_PENDING = 100;

/** The questions to the user that an agent passes on, each for one request and one use. */
export class Confirmations {
  /** The request by the ID of its confirmation. */
  readonly #pending = new Map<string, string>();

  /** Returns the error that asks the agent to ask the user. `request`: what is confirmed, to the last character. */
  ask(request: object, question: string): AgentError {
    const id = crypto.randomUUID();
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined && this.#pending.size >= MAX_PENDING) this.#pending.delete(oldest);
    this.#pending.set(id, JSON.stringify(request));
    const message = 'The user has to confirm this first. Nothing was sent.';
    return new AgentError({ code: 'confirm', message, confirmation: { id, question } });
  }

  /** Returns whether the user confirmed exactly this request; works once. */
  use(id: string | undefined, request: object): boolean {
    if (id === undefined || this.#pending.get(id) !== JSON.stringify(request)) return false;
    return this.#pending.delete(id);
  }
}
