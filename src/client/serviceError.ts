/**
 * The kind of failure; one table (`host/service/failureText.ts`) maps each code to a text and a next step for the user.
 */
export const SERVICE_ERROR_CODES = [
  /** The service isn't set up, or no longer; nothing was sent. */
  'serviceMissing',
  /** No API key is stored; nothing was sent. */
  'keyMissing',
  /** 401, or a key that no HTTP header can contain. */
  'unauthorized',
  /** 403. */
  'forbidden',
  /** 402: the 30-day message limit of the plan is reached. */
  'quotaReached',
  /** 422, or another refusal with field errors. */
  'validation',
  /** 404, 405 or 410: the service lacks the resource or the operation. */
  'notFound',
  /** 429. */
  'rateLimited',
  /** 413. */
  'tooLarge',
  /** No response: see `reason`. */
  'unreachable',
  /** A deadline passed: for connecting, the first header, or a JSON body. */
  'timeout',
  /**
   * The response was cut off; a reply ended without `[END]`. For an upload: the file changed while it was
   * sent.
   */
  'interrupted',
  /** A response without what the next step needs (docs/service.md: Rules for every operation): see `reason`. */
  'invalidResponse',
  /**
   * A URL that Parley doesn't follow: plain `http:` outside loopback, with userinfo, link-local, or another
   * scheme.
   */
  'refusedUrl',
  /** The caller's signal aborted, or the caller left the loop. */
  'aborted',
  /** Any other status. */
  'service',
] as const;

export type ServiceErrorCode = (typeof SERVICE_ERROR_CODES)[number];

export interface ServiceErrorDetails {
  /** Method and path template, such as `POST /messages/stream`. */
  readonly operation: string;
  /** One sentence for logs. Never contains a key, a query or anyone's text. */
  readonly message: string;
  readonly maySend: boolean;
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly serviceMessage?: string | undefined;
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The client's only error. Its `message` is safe to log: the service's own text is in `serviceMessage`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly operation: string;
  /**
   * True if nothing reached the service, or it refused before anything cost anything, so that a retry is
   * safe.
   */
  readonly maySend: boolean;
  /** The HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /**
   * Details of the code. `unreachable`: `dns`, `refused`, `certificate`, `tls`, `proxy`, `reset`, `network`.
   * `timeout`: `connect`. `invalidResponse`: `empty`, `contentType`, `json`, `field`, `redirect`, `http`,
   * `tooLarge`. `interrupted`: `bodyLength`. Any refusal: `redirected`, if another origin answered, which
   * didn't get the key.
   */
  readonly reason?: string | undefined;
  /** The service's own message as inert plain text, at most 2,000 code points. */
  readonly serviceMessage?: string | undefined;
  /**
   * The service's messages by field name (docs/service.md: Rules for every operation), limited in number and
   * length.
   */
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>> | undefined;
  /** From `Retry-After`: ms from when the response arrived, at most an hour. */
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
