import type * as vscode from 'vscode';
import { toFailure } from '../../chat/model/failure';
import type { RequestName, ResponseTo, SubscriptionName } from '../../shared/protocol/requests';
import type { RequestError } from '../../shared/protocol/toPage';
import { formatFailure } from '../service/failureText';
import type { HostPage, Intent } from './page/hostPage';

type Handled = Exclude<Intent, { type: 'unsubscribe' }>;
type Name = Handled['type'];

/** A handler's result: the response to a request, all responses to a subscription, or nothing. */
type Result<K extends Name> = K extends RequestName
  ? ResponseTo<K> | Promise<ResponseTo<K>>
  : K extends SubscriptionName
    ? AsyncIterable<ResponseTo<K>>
    : void | Promise<void>;

/** A handler for each intent: a missing one is a compile error. `signal`: aborted when a subscription ends. */
export type IntentHandlers = {
  [K in Name]: (intent: Extract<Intent, { type: K }>, page: HostPage, signal: AbortSignal) => Result<K>;
};

/** Calls the handlers of the pages' intents and posts their responses. */
export class IntentDispatcher {
  readonly #handlers: IntentHandlers;
  readonly #log: Pick<vscode.LogOutputChannel, 'error'>;
  /** The subscriptions of each page, by name: a new one ends the previous one of that name. */
  readonly #subscriptions = new WeakMap<HostPage, Map<SubscriptionName, Subscription>>();

  constructor(handlers: IntentHandlers, log: Pick<vscode.LogOutputChannel, 'error'>) {
    this.#handlers = handlers;
    this.#log = log;
  }

  async dispatch(intent: Intent, page: HostPage): Promise<void> {
    try {
      if (intent.type === 'unsubscribe') this.#unsubscribe(intent.subscriptionId, page);
      else if ('subscriptionId' in intent) await this.#publish(intent, page);
      else if ('requestId' in intent) await this.#respond(intent, page);
      else await this.#call(intent, page);
    } catch (error) {
      this.#log.error(`${intent.type} failed`, error instanceof Error ? error : String(error));
    }
  }

  async #respond(intent: Extract<Intent, { type: RequestName }>, page: HostPage): Promise<void> {
    const { type, requestId } = intent;
    try {
      page.respond(type, requestId, { value: await this.#call(intent, page) });
    } catch (error) {
      page.respond(type, requestId, { error: toRequestError(error) });
      throw error;
    }
  }

  async #publish(intent: Extract<Intent, { type: SubscriptionName }>, page: HostPage): Promise<void> {
    const { type, subscriptionId: id } = intent;
    const subscriptions = this.#subscriptions.get(page) ?? new Map<SubscriptionName, Subscription>();
    this.#subscriptions.set(page, subscriptions);
    subscriptions.get(type)?.controller.abort();
    const controller = new AbortController();
    subscriptions.set(type, { id, controller });
    for await (const value of this.#call(intent, page, controller.signal)) {
      if (controller.signal.aborted) return;
      if (!page.respond(type, id, { value })) controller.abort();
    }
  }

  #unsubscribe(subscriptionId: string, page: HostPage): void {
    for (const { id, controller } of this.#subscriptions.get(page)?.values() ?? []) {
      if (id === subscriptionId) controller.abort();
    }
  }

  #call<I extends Handled>(
    intent: I,
    page: HostPage,
    signal = new AbortController().signal,
  ): Result<I['type']> {
    const type: Name = intent.type;
    // TypeScript can't relate the handler to its intent.
    const handle = this.#handlers[type] as unknown as (
      intent: I,
      page: HostPage,
      signal: AbortSignal,
    ) => Result<I['type']>;
    return handle(intent, page, signal);
  }
}

function toRequestError(error: unknown): RequestError {
  const failure = toFailure(error, Date.now());
  return { code: failure.code, message: formatFailure(failure) };
}

interface Subscription {
  readonly id: string;
  readonly controller: AbortController;
}
