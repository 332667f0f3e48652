import * as v from 'valibot';
import { SERVICE_ERROR_CODES, ServiceError } from '../../client/serviceError';
import { type Infer, time } from '../../shared/conversation/conversationSchemas';

/**
 * `gone`: the service no longer has the conversation. `unanswered`: it accepted the message but couldn't
 * reply. `flagged`: it considers the message or the reply to violate its usage policy.
 */
const FAILURE_CODES = [
  ...SERVICE_ERROR_CODES,
  'fileChanged',
  'gone',
  'unanswered',
  'flagged',
  'internal',
] as const;

export const failureSchema = v.object({
  // A newer Parley may have more codes.
  code: v.fallback(v.picklist(FAILURE_CODES), 'internal'),
  /** HTTP status, if there was a response. */
  status: v.exactOptional(v.pipe(v.number(), v.integer())),
  /** The service's own message, as plain text. */
  serviceMessage: v.exactOptional(v.string()),
  fieldErrors: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  /**
   * The network reason for `unreachable`; `type` if the file may be uploaded as text instead
   * (`Uploads.retryAsText`); `folder` if the service refused only the folder, or needs one.
   */
  reason: v.exactOptional(v.string()),
  /** Time before which a retry is pointless. */
  retryAt: v.exactOptional(time),
  /** True if nothing reached the service or it refused, so that a retry costs nothing extra. */
  maySend: v.boolean(),
});

/** A failure as plain data; `host/failureText.ts` turns it into text. */
export type Failure = Infer<typeof failureSchema>;

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
