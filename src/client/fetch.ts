/** What the client uses of `RequestInit`: enough for the global `fetch`, little enough for a transport of our own. */
export interface FetchInit {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Record<string, string>;
  /**
   * A stream comes with a `Content-Length` header and holds exactly that many bytes. A piece is good until the next is
   * asked for.
   */
  readonly body?: string | Blob | ReadableStream<Uint8Array>;
  /** Redirects are the client's own business: where the key may go is decided hop by hop. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/**
 * One HTTP request: the global `fetch` is one, `createNodeFetch` another.
 *
 * Rejects with `signal.reason` once aborted, else with an error whose `cause` says what it knows: see `FetchFailure`.
 * Always called as a plain function: a browser's `fetch` refuses any other `this`.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/** The `cause` of a failed fetch, as far as a transport tells it. */
export interface FetchFailure {
  /** Node's, OpenSSL's, the HTTP parser's or undici's code, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly syscall?: string;
  /** False where the connection never stood, so that no byte of the request can have left. */
  readonly connected?: boolean;
}
