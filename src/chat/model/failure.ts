import { ServiceError, type ServiceErrorCode } from '../../client/serviceError';

/** A failure as plain data; `host/failureText.ts` turns it into text. */
export interface Failure {
  /**
   * `gone`: the service no longer has the conversation. `unanswered`: it accepted the message but couldn't
   * reply. `flagged`: it considers the message or the reply to violate its usage policy.
   */
  readonly code: ServiceErrorCode | 'fileChanged' | 'gone' | 'unanswered' | 'flagged' | 'internal';
  /** HTTP status, if there was a response. */
  readonly status?: number;
  /** The service's own message, as plain text. */
  readonly serviceMessage?: string;
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>>;
  /**
   * The network reason for `unreachable`; `type` if the file may be uploaded as text instead
   * (`Uploads.retryAsText`).
   */
  readonly reason?: string;
  /** ms since the epoch before which a retry is pointless. */
  readonly retryAt?: number;
  /** True if nothing reached the service or it refused, so that a retry costs nothing extra. */
  readonly maySend: boolean;
}

export const FAILURE_CODES = Object.keys({
  keyMissing: 0,
  unauthorized: 0,
  forbidden: 0,
  quotaReached: 0,
  validation: 0,
  notFound: 0,
  rateLimited: 0,
  tooLarge: 0,
  unreachable: 0,
  timeout: 0,
  interrupted: 0,
  invalidResponse: 0,
  refusedUrl: 0,
  aborted: 0,
  service: 0,
  fileChanged: 0,
  gone: 0,
  unanswered: 0,
  flagged: 0,
  internal: 0,
} satisfies Record<Failure['code'], 0>) as Failure['code'][];

/** Thrown when a file changed or disappeared since it was opened. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/** Converts an error to a failure; `now` is in ms since the epoch. */
export function toFailure(error: unknown, now: number): Failure {
  const cause = isCausedByFileChange(error);
  if (cause) return { code: 'fileChanged', maySend: true };
  if (!(error instanceof ServiceError)) return { code: 'internal', maySend: false };
  return {
    code: error.code,
    maySend: error.maySend,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.serviceMessage !== undefined && { serviceMessage: error.serviceMessage }),
    ...(error.fieldErrors !== undefined && { fieldErrors: error.fieldErrors }),
    ...(error.reason !== undefined && { reason: error.reason }),
    ...(error.retryAfterMs !== undefined && { retryAt: now + error.retryAfterMs }),
  };
}

/** The transport wraps errors thrown by a request body, so search the causes. */
function isCausedByFileChange(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof FileChangedError) return true;
  }
  return false;
}

/**
 * Returns whether the text goes back to the composer: the service took nothing, and the text must change or
 * wait.
 */
export function returnsText(failure: Failure): boolean {
  return failure.code === 'quotaReached' || failure.code === 'validation';
}
