import type { ServerResponse } from 'node:http';
import type { Message } from '../records';
import type { ServiceState } from '../state';

/**
 * Decides when the history has a reply. Without `historyDelayMs`, it has what the bot has said, and the bot stops when
 * the connection closes. With it, the bot goes on, and the history has the whole reply once it is delivered, or that
 * long after the connection closed.
 */
export class Delivery {
  /** The bot goes on when the connection closes. */
  readonly goesOn: boolean;
  /** Aborted when the rest of the reply is no longer needed. */
  readonly signal: AbortSignal;
  readonly #reply: Message;
  readonly #delayMs: number;
  #isWhole = false;
  #closedAt: number | undefined;

  constructor(state: ServiceState, reply: Message, res: ServerResponse) {
    this.#reply = reply;
    this.#delayMs = state.settings.historyDelayMs;
    this.goesOn = this.#delayMs > 0;
    if (this.goesOn) reply.publishedAt = Number.POSITIVE_INFINITY;
    const closed = new AbortController();
    // `any`: otherwise all replies would add their listeners to one signal.
    this.signal = this.goesOn ? AbortSignal.any([state.closing.signal]) : closed.signal;
    const onClose = () => {
      closed.abort();
      this.#closedAt = state.now();
      this.#publishLate();
    };
    if (res.closed) onClose();
    else res.once('close', onClose);
  }

  /** Reports that the bot has said everything. */
  completed(): void {
    this.#isWhole = true;
    this.#publishLate();
  }

  /** Reports that the client has, or is about to get, the whole reply. */
  delivered(): void {
    this.#reply.publishedAt = 0;
  }

  #publishLate(): void {
    if (!this.#isWhole || this.#closedAt === undefined) return;
    this.#reply.publishedAt = Math.min(this.#reply.publishedAt, this.#closedAt + this.#delayMs);
  }
}
