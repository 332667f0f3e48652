import type { Fetch, FetchFailure, FetchInit } from '../fetch';

/** In exchanges: far more than a user looks through. */
const MAX_EXCHANGES = 1000;
/** The bodies of all requests and responses together, in bytes. */
const MAX_BYTES = 4_000_000;

/** A request and its response, as they were. Times are in ms since the observer was created. */
export interface ObservedExchange {
  readonly at: number;
  readonly baseUrl: string;
  readonly url: string;
  readonly method: string;
  /** Without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The length of a body that isn't a string, in bytes. */
  readonly bodyBytes?: number;
  response?: ObservedResponse;
  failure?: string;
}

export interface ObservedResponse {
  readonly at: number;
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: { readonly at: number; readonly bytes: Uint8Array }[];
  /**
   * Why the rest of the body is missing. `closed`: Parley closed the connection or didn't read the body; `limit`:
   * there was no room for it; `stopped`: the observer was stopped.
   */
  incomplete?: 'closed' | 'limit' | 'stopped';
}

/**
 * Observes requests and responses as their bytes pass, up to a limit. What the caller sees doesn't change, nor when it
 * sees it.
 */
export class ExchangeObserver {
  /** In ms since the epoch. */
  readonly startedAt = Date.now();
  readonly exchanges: ObservedExchange[] = [];
  /** The keys that were sent. */
  readonly keys = new Set<string>();
  readonly #onExchange: (count: number) => void;
  readonly #onFull: () => void;
  readonly #unfinished = new Set<ObservedResponse>();
  #bytes = 0;
  #isStopped = false;

  /** `onExchange` gets the number of exchanges so far; `onFull` is called once there is no room for more. */
  constructor(onExchange: (count: number) => void, onFull: () => void) {
    this.#onExchange = onExchange;
    this.#onFull = onFull;
  }

  /** Wraps the `fetch` of a client for this base URL. */
  observe(fetch: Fetch, baseUrl: string): Fetch {
    return async (url, init) => {
      const exchange = this.#add(baseUrl, url, init);
      if (!exchange) return fetch(url, init);
      try {
        return this.#observeResponse(exchange, await fetch(url, init), init.signal);
      } catch (error) {
        if (!this.#isStopped) exchange.failure = toFailureName(error, init.signal);
        throw error;
      }
    };
  }

  /** Ends the observation; requests that are still running go on. */
  stop(): void {
    this.#isStopped = true;
    for (const response of this.#unfinished) response.incomplete = 'stopped';
    this.#unfinished.clear();
  }

  #add(baseUrl: string, url: string, init: FetchInit): ObservedExchange | undefined {
    if (this.#isStopped) return undefined;
    if (this.exchanges.length === MAX_EXCHANGES) {
      this.#onFull();
      return undefined;
    }
    const { Authorization: authorization, ...headers } = init.headers;
    const key = authorization?.replace(/^Bearer /, '');
    if (key) this.keys.add(key);
    const body = typeof init.body === 'string' && this.#hasRoom(init.body.length) ? init.body : undefined;
    const bodyBytes = body === undefined ? getBodyLength(init) : undefined;
    const exchange: ObservedExchange = {
      ...{ at: this.#now(), baseUrl, url, method: init.method, headers },
      ...(body !== undefined && { body }),
      ...(bodyBytes !== undefined && { bodyBytes }),
    };
    this.exchanges.push(exchange);
    this.#onExchange(this.exchanges.length);
    return exchange;
  }

  #observeResponse(exchange: ObservedExchange, original: Response, signal: AbortSignal): Response {
    if (this.#isStopped) return original;
    const { status, headers, body } = original;
    const response: ObservedResponse = { at: this.#now(), status, headers, chunks: [] };
    exchange.response = response;
    // A browser hides everything about a redirect, and no constructor makes such a response.
    if (!body || status === 0) return original;
    this.#unfinished.add(response);
    const finish = (incomplete?: 'closed' | 'limit'): void => {
      if (this.#unfinished.delete(response) && incomplete) response.incomplete = incomplete;
    };
    // Nobody may read the body: the client aborts each request once it needs no more of it.
    signal.addEventListener('abort', () => finish('closed'), { once: true });
    const observed = passThrough(body, {
      onBytes: (bytes) => {
        if (!this.#unfinished.has(response)) return;
        if (this.#hasRoom(bytes.length)) response.chunks.push({ at: this.#now(), bytes: bytes.slice() });
        else finish('limit');
      },
      onEnd: finish,
      onCancel: () => finish('closed'),
      onError: (error) => {
        if (this.#unfinished.has(response)) exchange.failure = toFailureName(error, signal);
        finish();
      },
    });
    return new Response(observed, { status, headers });
  }

  /** Takes the bytes from the room that is left. */
  #hasRoom(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_BYTES) return true;
    this.#onFull();
    return false;
  }

  #now(): number {
    return Date.now() - this.startedAt;
  }
}

/** Returns a stream of the same chunks, each read from `body` when it is asked for. */
function passThrough(
  body: ReadableStream<Uint8Array>,
  events: {
    readonly onBytes: (bytes: Uint8Array) => void;
    readonly onEnd: () => void;
    readonly onCancel: () => void;
    readonly onError: (error: unknown) => void;
  },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            events.onEnd();
            controller.close();
          } else {
            events.onBytes(value);
            controller.enqueue(value);
          }
        } catch (error) {
          events.onError(error);
          throw error;
        }
      },
      cancel(reason) {
        events.onCancel();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function getBodyLength({ body, headers }: FetchInit): number | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return body.length;
  return body instanceof Blob ? body.size : Number(headers['Content-Length'] ?? 0);
}

function toFailureName(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'aborted';
  const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as FetchFailure;
  return code !== undefined && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'error';
}
