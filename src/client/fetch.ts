/**
 * The part of `RequestInit` that the client uses: compatible with the global `fetch`, small enough for our
 * own transport.
 */
export interface FetchInit {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Record<string, string>;
  /**
   * A stream comes with a `Content-Length` header and has exactly that many bytes. Each chunk is valid only
   * until the next is read.
   */
  readonly body?: string | Blob | ReadableStream<Uint8Array>;
  /** The client follows redirects itself, because it decides at each hop whether to send the key. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/**
 * One HTTP request, implemented by the global `fetch` and by `createNodeFetch`.
 *
 * Rejects with `signal.reason` once aborted, otherwise with an error whose `cause` has details: see
 * `FetchFailure`. Always called as a plain function: a browser's `fetch` refuses any other `this`.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/** The `cause` of a failed fetch, as far as the transport reports it. */
export interface FetchFailure {
  /** The error code of Node, OpenSSL, the HTTP parser or undici, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly syscall?: string;
  /** False if the connection was never established, so that no byte of the request can have been sent. */
  readonly connected?: boolean;
}
