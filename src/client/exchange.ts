import { AbortScope } from './abortScope';
import type { ExchangeContext, ExchangeRequest } from './exchangeRequest';
import { type ErrorBody, isRefusal, readErrorBody, readRetryAfter, toErrorCode } from './httpError';
import { type NetworkFailure, readNetworkFailure } from './networkFailure';
import { ServiceError, type ServiceErrorCode, type ServiceErrorDetails } from './serviceError';
import { findUrlProblem } from './urlRules';

const MAX_REDIRECTS = 5;
const MAX_JSON_BYTES = 16 * 1024 * 1024;
const MAX_ERROR_BYTES = 4 * 1024 * 1024;

/**
 * One request and its response: redirects, deadlines, abort, errors and log entry.
 *
 * Call `send`, then read the body, then always call `close`. Everything throws ServiceError.
 */
export class Exchange {
  readonly request: ExchangeRequest;
  readonly #context: ExchangeContext;
  readonly #scope: AbortScope;
  readonly #startedAt = Date.now();
  /** The response's URL, against which its relative URLs are resolved. */
  #url: string;
  #started = false;
  #status: number | undefined;
  #errorCode: ServiceErrorCode | undefined = 'aborted';

  constructor(context: ExchangeContext, request: ExchangeRequest, signal: AbortSignal | undefined) {
    this.request = request;
    this.#context = context;
    this.#url = request.url;
    this.#scope = new AbortScope(signal);
  }

  /**
   * Sends the request, follows redirects of a GET, and resolves with the response headers, whatever the
   * status.
   */
  async send(): Promise<Response> {
    this.#scope.setDeadline(this.request.headerDeadline);
    let { withKey } = this.request;
    for (let hop = 0; ; hop++) {
      withKey &&= new URL(this.#url).origin === this.#context.apiOrigin;
      const response = await this.#sendRequest(withKey);
      if (this.request.method !== 'GET' || !isRedirect(response)) {
        this.#scope.setDeadline(undefined);
        return response;
      }
      if (hop === MAX_REDIRECTS)
        throw this.createError('invalidResponse', 'too many redirects', { reason: 'redirect' });
      this.#url = this.resolveRedirect(response);
      cancelBody(response);
    }
  }

  /** Moves the deadline, for callers that see the progress of a body. */
  setDeadline(ms: number): void {
    this.#scope.setDeadline(ms);
  }

  /** Returns the checked URL that a redirect leads to. */
  resolveRedirect(response: Response): string {
    if (response.type === 'opaqueredirect') {
      throw this.createError('invalidResponse', 'a redirect with a target that browsers hide', {
        reason: 'redirect',
      });
    }
    const location = response.headers.get('location');
    if (!location)
      throw this.createError('invalidResponse', 'a redirect without Location', { reason: 'redirect' });
    const url = this.resolveUrl(location);
    if (url.startsWith('http:') && this.#url.startsWith('https:')) {
      throw this.createError('refusedUrl', 'a redirect from https: to http:');
    }
    return url;
  }

  /** Resolves a URL given by the service against the response's own, and checks it. */
  resolveUrl(text: string): string {
    const url = URL.canParse(text, this.#url) ? new URL(text, this.#url).href : text;
    const problem = findUrlProblem(url, this.#context.apiOrigin);
    if (problem) throw this.createError('refusedUrl', `refused URL (${problem})`, { reason: problem });
    return url;
  }

  /** Throws the error of an unsuccessful response. */
  async throwUnlessOk(response: Response): Promise<void> {
    if (response.ok) return;
    if (isRedirect(response)) {
      cancelBody(response);
      throw this.createError('invalidResponse', 'redirects are followed only for GET requests', {
        reason: 'redirect',
      });
    }
    const body = await this.#readErrorBody(response);
    const code = toErrorCode(response.status);
    throw this.createError(
      code === 'service' && body.fieldErrors ? 'validation' : code,
      `status ${response.status}`,
      {
        ...body,
        reason: response.status === 407 ? 'proxy' : this.#hasLeftApi() ? 'redirected' : undefined,
        maySend: this.#isSafeToSend(isRefusal(response.status)),
        retryAfterMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
      },
    );
  }

  /** Reads a whole JSON body of up to 16 MB. */
  async readJson(response: Response): Promise<unknown> {
    const text = await this.#readText(response, MAX_JSON_BYTES);
    if (text.trim() === '')
      throw this.createError('invalidResponse', 'the service sent an empty response', { reason: 'empty' });
    try {
      return JSON.parse(text);
    } catch {
      throw this.createError('invalidResponse', 'the response is not JSON', { reason: 'json' });
    }
  }

  /** Yields a body's bytes as they arrive, without a deadline. Leaving the loop closes the connection. */
  async *readBytes(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
    if (!response.body) return;
    const { signal } = this.#scope;
    const reader = response.body.getReader();
    // A failed cancel has the stream's error as its reason, which read() has already reported.
    const cancel = (): void => void reader.cancel().catch(() => undefined);
    // Cancelling ends a hanging read(), which aborting the fetch alone does not always do.
    signal.addEventListener('abort', cancel);
    try {
      for (;;) {
        const { done, value } = await this.#translateFailure(reader.read(), readBodyFailure);
        if (done) return;
        yield value;
      }
    } finally {
      signal.removeEventListener('abort', cancel);
      cancel();
    }
  }

  /** Marks the request as successful for the log. */
  markSucceeded(): void {
    this.#errorCode = undefined;
  }

  /** Creates an error of this request; `maySend` defaults to what is known about whether it was sent. */
  createError(
    code: ServiceErrorCode,
    message: string,
    details: Partial<ServiceErrorDetails> = {},
  ): ServiceError {
    this.#errorCode = code;
    const { operation } = this.request;
    return new ServiceError(code, {
      status: this.#status,
      maySend: this.#isSafeToSend(false),
      ...details,
      operation,
      message,
    });
  }

  /** Aborts anything still in progress and writes the log entry. */
  closeConnection(): void {
    this.#scope.close();
    const { onRequest } = this.#context;
    if (!this.#started) return;
    onRequest?.({
      operation: this.request.operation,
      durationMs: Date.now() - this.#startedAt,
      ...(this.#status !== undefined && { status: this.#status }),
      ...(this.#errorCode !== undefined && { errorCode: this.#errorCode }),
    });
  }

  async #sendRequest(withKey: boolean): Promise<Response> {
    const { method, headers, body, key } = this.request;
    const { fetch, apiOrigin, rateLimit, clock } = this.#context;
    if (this.#scope.ended) throw this.#createEndedError();
    this.#started = true;
    // The storage and the stream host have rate limits of their own.
    const isApi = new URL(this.#url).origin === apiOrigin;
    const stopCounting = isApi ? rateLimit.countRequest() : undefined;
    const pending = fetch(this.#url, {
      method,
      headers: { ...headers, ...(withKey && key !== undefined && { Authorization: `Bearer ${key}` }) },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: this.#scope.signal,
    });
    const response = await this.#translateFailure(pending, readNetworkFailure).finally(stopCounting);
    if (isApi) {
      const now = Date.now();
      clock.update(response.headers, now);
      rateLimit.update(response, now, clock.toServiceTime(now));
    }
    this.#status = response.status;
    return response;
  }

  /** Awaits the transport and converts its failure. */
  async #translateFailure<T>(promise: Promise<T>, read: (error: unknown) => NetworkFailure): Promise<T> {
    let failure: NetworkFailure | undefined;
    try {
      const result = await promise;
      if (!this.#scope.ended) return result;
    } catch (error) {
      failure = read(error);
    }
    if (this.#scope.ended || !failure) throw this.#createEndedError();
    const { code, reason, message, unsent } = failure;
    throw this.createError(code, message, { reason, maySend: this.#isSafeToSend(unsent) });
  }

  #createEndedError(): ServiceError {
    if (this.#scope.ended === 'timeout') return this.createError('timeout', 'no response in time');
    return this.createError('aborted', 'aborted by the caller', {
      maySend: this.#isSafeToSend(!this.#started),
    });
  }

  #isSafeToSend(unsentOrRefused: boolean): boolean {
    const { repeat } = this.request;
    return repeat === 'always' || (repeat === 'unlessSent' && unsentOrRefused);
  }

  #hasLeftApi(): boolean {
    const { apiOrigin } = this.#context;
    return new URL(this.request.url).origin === apiOrigin && new URL(this.#url).origin !== apiOrigin;
  }

  async #readErrorBody(response: Response): Promise<ErrorBody> {
    try {
      return readErrorBody(await this.#readText(response, MAX_ERROR_BYTES), this.request.key);
    } catch (error) {
      // A broken, endless or oversized body must not hide the status, which is more informative.
      if (error instanceof ServiceError && error.code !== 'aborted') return {};
      throw error;
    }
  }

  async #readText(response: Response, maxBytes: number): Promise<string> {
    this.#scope.setDeadline(this.request.bodyDeadline);
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    for await (const bytes of this.readBytes(response)) {
      size += bytes.byteLength;
      if (size > maxBytes)
        throw this.createError('invalidResponse', 'the response is too large', { reason: 'tooLarge' });
      text += decoder.decode(bytes, { stream: true });
    }
    this.#scope.setDeadline(undefined);
    return text + decoder.decode();
  }
}

/** Returns whether a response redirects the client. */
export function isRedirect(response: Response): boolean {
  return [301, 302, 303, 307, 308].includes(response.status) || response.type === 'opaqueredirect';
}

/** Cancels an unread body, which closes its connection. */
function cancelBody(response: Response): void {
  // A body that is already broken has nothing to close.
  void response.body?.cancel().catch(() => undefined);
}

function readBodyFailure(): NetworkFailure {
  return { code: 'interrupted', reason: 'reset', unsent: false, message: 'the response was cut off' };
}
