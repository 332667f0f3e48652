import { ServiceError, type ServiceErrorCode } from '../../client/serviceError';

/** What went wrong, as plain data: codes below, sentences above (`host/failureText.ts`). */
export interface Failure {
  /**
   * `gone`: the service no longer has the conversation. `unanswered`: it took the message and could not reply. `flagged`: it
   * holds the message or its reply to be against its usage policy.
   */
  readonly code: ServiceErrorCode | 'fileChanged' | 'gone' | 'unanswered' | 'flagged' | 'internal';
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  /** The service's own message, as plain text. */
  readonly serviceMessage?: string;
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>>;
  /** Network reason of `unreachable`; `type` where an upload may go up as text instead (`Uploads.retryAsText`). */
  readonly reason?: string;
  /** ms since the epoch before which a repeat is useless. */
  readonly retryAt?: number;
  /** Nothing reached the service, or it refused: a repeat costs nothing twice. */
  readonly maySend: boolean;
}

/** A file is not what it was when it was opened, or it is gone. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/** The failure that an error stands for; `now` in ms since the epoch. */
export function toFailure(error: unknown, now: number): Failure {
  const cause = fileChangedCause(error);
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

/** The transport wraps what a body throws, so the cause is looked for below. */
function fileChangedCause(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof FileChangedError) return true;
  }
  return false;
}

/** Whether the text goes back to the composer: the service took nothing, and the text itself must change, or wait. */
export function returnsText(failure: Failure): boolean {
  return failure.code === 'quotaReached' || failure.code === 'validation';
}
