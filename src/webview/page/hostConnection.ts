import type { Bootstrap } from '../../shared/protocol/bootstrap';
import type { RequestName, RequestOf, ResponseTo, SubscriptionName } from '../../shared/protocol/requests';
import type { Shell } from '../../shared/protocol/shell';
import type { ToHost } from '../../shared/protocol/toHost';
import type { Response, ToPage } from '../../shared/protocol/toPage';
import { Events } from '../base/events';

/** Thrown when the host couldn't do what a request asked for; the message is a sentence for the user. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A draft that the host may not have, or may not have on the disk yet. */
export interface SavedDraft {
  readonly text: string;
  /** The last one that the host posted or was posted. */
  readonly base: string;
  /** Hashes of those before it. */
  readonly earlier?: readonly number[];
  /** The session of the host that they were posted to. */
  readonly session?: string;
  /**
   * The last message of the transcript when the draft was typed, '' if there was none; not set if it was before the turns that
   * the page had. VS Code may restore an old state: after a newer message it is outdated.
   */
  readonly after?: string;
  /** IDs of the messages in the queue then, which become turns with the same IDs. */
  readonly queued?: readonly string[];
  /** Id of the past message being edited, whose text the host doesn't have. */
  readonly editing?: string;
  /** The host was asked to send it. */
  readonly sending?: true;
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
  #session: string | undefined;
  /** Receive the responses, by name and ID. */
  readonly #receivers = new Map<string, (response: Response) => void>();

  /** Passes on the host's messages since `ready`, in order and without gaps. */
  connect(): void {
    const { keep, messages } = this.#bootstrap;
    window.removeEventListener('message', keep);
    window.addEventListener('message', (event) => this.#receiveFromHost(event));
    for (const event of messages) this.#receiveFromHost(event);
  }

  post(message: ToHost): void {
    this.#api.postMessage(message);
  }

  /**
   * Resolves to the host's response, however long that takes: the host may ask the user first. Throws RequestFailure if it
   * can't do what was asked.
   */
  request<K extends RequestName>(name: K, request: RequestOf<K>): Promise<ResponseTo<K>> {
    return new Promise((resolve, reject) => {
      const requestId = crypto.randomUUID();
      const key = name + requestId;
      this.#receivers.set(key, (response) => {
        this.#receivers.delete(key);
        if ('error' in response) reject(new RequestFailure(response.error.code, response.error.message));
        else resolve(response.value as ResponseTo<K>);
      });
      this.post({ type: name, requestId, ...request } as unknown as ToHost);
    });
  }

  /** Calls `receive` with each response until the returned function is called, which ends the host's work too. */
  subscribe<K extends SubscriptionName>(
    name: K,
    request: RequestOf<K>,
    receive: (value: ResponseTo<K>) => void,
  ): () => void {
    const subscriptionId = crypto.randomUUID();
    const key = name + subscriptionId;
    this.#receivers.set(key, (response) => {
      if ('value' in response) receive(response.value as ResponseTo<K>);
    });
    this.post({ type: name, subscriptionId, ...request } as unknown as ToHost);
    return () => {
      this.#receivers.delete(key);
      this.post({ type: 'unsubscribe', subscriptionId });
    };
  }

  /** The host's session; undefined before the first snapshot. */
  get session(): string | undefined {
    return this.#session;
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

  /** Removes the drafts of conversations that were deleted. */
  removeDrafts(isKept: (conversationId: string) => boolean): void {
    const state = this.#api.getState();
    const drafts = Object.entries(state?.drafts ?? {});
    const kept = drafts.filter(([id]) => isKept(id));
    if (kept.length < drafts.length) this.#api.setState({ ...state, drafts: Object.fromEntries(kept) });
  }

  saveConversationId(conversationId: string): void {
    this.#api.setState({ ...this.#api.getState(), conversationId });
  }

  saveShell(shell: Shell): void {
    const state = this.#api.getState();
    if (JSON.stringify(state?.shell) !== JSON.stringify(shell)) this.#api.setState({ ...state, shell });
  }

  #receiveFromHost({ origin, data }: MessageEvent): void {
    // VS Code posts the host's messages from the page's own origin. The window's other webviews can post to the page too.
    if (origin !== window.origin || typeof data?.type !== 'string') {
      console.warn('Ignored a message that isn’t from the host.');
      return;
    }
    const message: ToPage = data;
    const { type } = message;
    if (type === 'response') {
      this.#receivers.get(message.name + message.id)?.(message);
      return;
    }
    if (type === 'snapshot') ({ seq: this.#seq, session: this.#session } = message);
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
