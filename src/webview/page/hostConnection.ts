import type { Bootstrap } from '../../shared/protocol/bootstrap';
import type { Exchanges, RequestName, SubscriptionName, ToHost } from '../../shared/protocol/intents';
import type { ToPage } from '../../shared/protocol/protocol';
import type { Shell } from '../../shared/protocol/shell';
import { Events } from '../base/events';
import { isHostMessage } from './messageSchemas';

/** How long to wait for a response by default: a host that was just restarted never sends it. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** A draft that may not have reached the host, and the last one that did. */
export interface SavedDraft {
  readonly text: string;
  readonly base: string;
  /** The last message when the draft was typed. VS Code may restore an old state: after a newer message it is outdated. */
  readonly after?: string;
  /** Id of the past message being edited; `base` is the draft to return to. */
  readonly editing?: string;
}

interface SavedState {
  /** The conversation shown; the host reads it when it restores an editor tab. */
  readonly conversationId?: string;
  readonly drafts?: Readonly<Record<string, SavedDraft>>;
  /** Read by the page's inline script. */
  readonly shell?: Shell;
}

/** The host's messages, by type. A delta is only passed on if no earlier one is missing. */
export type HostEvents = {
  readonly [K in Exclude<ToPage['type'], 'response'>]: Extract<ToPage, { type: K }>;
};

/** The page's connection to the extension host. */
export class HostConnection {
  readonly events = new Events<HostEvents>();
  readonly #bootstrap = takeBootstrap();
  readonly #api = this.#bootstrap.api;
  /** Sequence number of the last message; undefined while waiting for a snapshot. */
  #seq: number | undefined;
  /** Receive the values of the responses, by name and id. */
  readonly #receivers = new Map<string, (value: never) => void>();

  /** Passes on the host's messages since `ready`, in order and without gaps. */
  connect(): void {
    const { keep, messages } = this.#bootstrap;
    window.removeEventListener('message', keep);
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
    for (const data of messages) this.#receive(data);
  }

  post(message: ToHost): void {
    this.#api.postMessage(message);
  }

  /** Posts a request. Resolves to the response, or to undefined if the request failed or got none in time. */
  request<K extends RequestName>(
    name: K,
    request: Exchanges[K][0],
    timeoutMs = RESPONSE_TIMEOUT_MS,
  ): Promise<Exchanges[K][1] | undefined> {
    return new Promise((resolve) => {
      const requestId = crypto.randomUUID();
      const key = name + requestId;
      const settle = (value?: Exchanges[K][1]) => {
        clearTimeout(timer);
        this.#receivers.delete(key);
        resolve(value);
      };
      const timer = setTimeout(settle, timeoutMs);
      this.#receivers.set(key, settle);
      this.post({ type: name, requestId, ...request } as unknown as ToHost);
    });
  }

  /** Calls `receive` with each response until the returned function is called, which ends the host's work too. */
  subscribe<K extends SubscriptionName>(
    name: K,
    request: Exchanges[K][0],
    receive: (value: Exchanges[K][1]) => void,
  ): () => void {
    const subscriptionId = crypto.randomUUID();
    const key = name + subscriptionId;
    this.#receivers.set(key, receive);
    this.post({ type: name, subscriptionId, ...request } as unknown as ToHost);
    return () => {
      this.#receivers.delete(key);
      this.post({ type: 'unsubscribe', subscriptionId });
    };
  }

  /** Returns the saved draft, which survives a window reload even if it never reached the host. */
  getSavedDraft(conversationId: string): SavedDraft | undefined {
    return this.#api.getState()?.drafts?.[conversationId];
  }

  saveDraft(conversationId: string, draft: SavedDraft | undefined): void {
    const state = this.#api.getState();
    const { [conversationId]: _, ...others } = state?.drafts ?? {};
    this.#api.setState({ ...state, drafts: draft ? { ...others, [conversationId]: draft } : others });
  }

  saveConversationId(conversationId: string): void {
    this.#api.setState({ ...this.#api.getState(), conversationId });
  }

  saveShell(shell: Shell): void {
    const state = this.#api.getState();
    if (JSON.stringify(state?.shell) !== JSON.stringify(shell)) this.#api.setState({ ...state, shell });
  }

  #receive(message: unknown): void {
    if (!isHostMessage(message)) {
      console.warn('Ignored an unknown message from the host.');
      return;
    }
    const { type } = message;
    if (type === 'response') {
      // The name and the id belong to the receiver.
      this.#receivers.get(message.name + message.id)?.(message.value as never);
      return;
    }
    if (type === 'snapshot') this.#seq = message.seq;
    if (type === 'delta') {
      // Deltas posted before the requested snapshot are already part of it.
      if (this.#seq === undefined || message.seq <= this.#seq) return;
      if (message.seq > this.#seq + 1) {
        this.#seq = undefined;
        this.post({ type: 'ready' });
        return;
      }
      this.#seq = message.seq;
    }
    this.events.fire(type, message);
  }
}

/** Takes what the inline script left behind. From here on nothing else on the page can post to the host. */
function takeBootstrap(): Bootstrap<SavedState> {
  const bootstrap = globalThis.parleyBootstrap;
  if (!bootstrap) throw new Error('The bootstrap script has not run.');
  Reflect.deleteProperty(globalThis, 'parleyBootstrap');
  return bootstrap as Bootstrap<SavedState>;
}
