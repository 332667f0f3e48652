/** What went wrong, for the one table above that turns a code into what a person reads and can do next. */
export type ServiceErrorCode =
  /** No API key is stored; nothing was sent. */
  | 'keyMissing'
  /** 401, or a key that no HTTP header can carry. */
  | 'unauthorized'
  /** 403. */
  | 'forbidden'
  /** 402: the 30-day message limit of the plan is reached. */
  | 'quotaReached'
  /** 422, or another refusal with errors field by field. */
  | 'validation'
  /** 404, 405 or 410: the service has no such thing, or no such operation. */
  | 'notFound'
  /** 429. */
  | 'rateLimited'
  /** 413. */
  | 'tooLarge'
  /** No answer: see `reason`. */
  | 'unreachable'
  /** A deadline passed: to connect, to the first header, or within a JSON body. */
  | 'timeout'
  /** The answer broke off; for a reply: it ended without `[END]`. For an upload: the file changed under way. */
  | 'interrupted'
  /** An answer that the contract doesn't know: see `reason`. */
  | 'invalidResponse'
  /** A URL that Parley doesn't follow: plain `http:` off loopback, with userinfo, link-local, or another scheme. */
  | 'refusedUrl'
  /** The caller's signal, or leaving the loop. */
  | 'aborted'
  /** Any other status. */
  | 'service';

export interface ServiceErrorDetails {
  /** Method and path template, such as `POST /messages/stream`. */
  readonly operation: string;
  /** One sentence for logs. Never a key, a query, or anybody's text. */
  readonly message: string;
  readonly maySend: boolean;
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly serviceMessage?: string | undefined;
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The one error of the client. Its `message` is safe to log: own words only; the service's are in `serviceMessage`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly operation: string;
  /** True: nothing reached the service, or it refused before anything cost anything, so that a repeat is safe. */
  readonly maySend: boolean;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /**
   * More about the code. `unreachable`: `dns`, `refused`, `certificate`, `tls`, `proxy`, `reset`, `network`. `timeout`:
   * `connect`. `invalidResponse`: `empty`, `contentType`, `json`, `field`, `redirect`, `http`, `tooLarge`.
   * `interrupted`: `bodyLength`. Any refusal: `redirected`, where another origin answered, which had no key.
   */
  readonly reason?: string | undefined;
  /** The service's own message as inert plain text, at most 2,000 code points. */
  readonly serviceMessage?: string | undefined;
  /** The service's messages by field name (docs/service.md: Rules for every operation), capped in count and size. */
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>> | undefined;
  /** From `Retry-After`: ms from when the answer came, at most an hour. */
  readonly retryAfterMs?: number | undefined;

  constructor(code: ServiceErrorCode, details: ServiceErrorDetails) {
    super(`${details.operation}: ${details.message}`);
    this.code = code;
    this.operation = details.operation;
    this.maySend = details.maySend;
    this.status = details.status;
    this.reason = details.reason;
    this.serviceMessage = details.serviceMessage;
    this.fieldErrors = details.fieldErrors;
    this.retryAfterMs = details.retryAfterMs;
  }
}
