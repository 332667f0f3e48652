import { ServiceError } from '../../client/serviceError';

/** The messages that a run may send: as many as it said, whatever happens. */
export class MessageBudget {
  readonly #maxMessages: number;
  #sent = 0;

  constructor(maxMessages: number) {
    this.#maxMessages = maxMessages;
  }

  /** The messages that were sent, or may have been. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Runs a request that sends one message. It counts before it starts, so that requests at the same time can't exceed the limit,
   * and no longer once the service has refused it. Rejects without running it if all messages were sent.
   */
  async sendCounted<T>(request: () => Promise<T>): Promise<T> {
    if (this.#sent >= this.#maxMessages) throw new Error('A run would send more messages than it said.');
    this.#sent++;
    try {
      return await request();
    } catch (error) {
      if (error instanceof ServiceError && error.maySend) this.#sent--;
      throw error;
    }
  }
}
