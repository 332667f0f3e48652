import type { Fetch, FetchInit } from './fetch';
import type { RateLimit } from './rateLimit';
import type { ServiceClock } from './serviceClock';
import type { ServiceErrorCode } from './serviceError';

/** One line of the log. Never a key, a query, or anybody's text. */
export interface RequestLogEntry {
  readonly operation: string;
  readonly status?: number;
  /** From the start of the request to the end of its answer. */
  readonly durationMs: number;
  readonly errorCode?: ServiceErrorCode;
}

/** What all exchanges of a client share. */
export interface ExchangeContext {
  readonly fetch: Fetch;
  /** The only origin that the key goes to. */
  readonly apiOrigin: string;
  /** Of the API's own origin. */
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
  /** Blotted out of whatever comes back. */
  readonly key: string | undefined;
  /** Whether the key goes along to the API's own origin; it never goes to another. */
  readonly withKey: boolean;
  /** When a failed request may be repeated: what its errors say in `maySend`. */
  readonly repeat: 'always' | 'unlessSent' | 'never';
  /** To the headers, in ms. */
  readonly headerDeadline: number | undefined;
  /** From the headers to the end of a body that is read whole, in ms. */
  readonly bodyDeadline: number;
}
