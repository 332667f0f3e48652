import type { Fetch, FetchInit } from './fetch';
import type { RateLimit } from './rateLimit';
import type { ServiceClock } from './serviceClock';
import type { ServiceErrorCode } from './serviceError';

/** One log entry. Never contains a key, a query or anyone's text. */
export interface RequestLogEntry {
  readonly operation: string;
  readonly status?: number;
  /** From the start of the request to the end of the response. */
  readonly durationMs: number;
  readonly errorCode?: ServiceErrorCode;
}

/** Shared by all exchanges of a client. */
export interface ExchangeContext {
  readonly fetch: Fetch;
  /** The only origin that receives the key. */
  readonly apiOrigin: string;
  /** The rate limit of the API's own origin. */
  readonly rateLimit: RateLimit;
  readonly clock: ServiceClock;
  readonly onRequest: ((entry: RequestLogEntry) => void) | undefined;
}

export interface ExchangeRequest {
  readonly operation: string;
  readonly method: FetchInit['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: FetchInit['body'];
  /** Redacted from responses. */
  readonly key: string | undefined;
  /** Whether to send the key to the API's own origin; it is never sent to another. */
  readonly withKey: boolean;
  /** Condition for repeating a failed request; determines `maySend` of its errors. */
  readonly repeat: 'always' | 'unlessSent' | 'never';
  /** Time until the headers, in ms. */
  readonly headerDeadline: number | undefined;
  /** Time from the headers to the end of a body that is read whole, in ms. */
  readonly bodyDeadline: number;
}
