import { toPlainText, toRedactedText } from './plainText';
import type { ServiceErrorCode } from './serviceError';

const MAX_MESSAGE_CODE_POINTS = 2000;
const MAX_FIELDS = 20;
const MAX_MESSAGES_PER_FIELD = 5;
const MAX_FIELD_MESSAGE_CODE_POINTS = 500;
const MAX_FIELD_NAME_CODE_POINTS = 100;
const MAX_RETRY_AFTER_MS = 3_600_000;

const CODE_BY_STATUS: Readonly<Record<number, ServiceErrorCode>> = {
  401: 'unauthorized',
  402: 'quotaReached',
  403: 'forbidden',
  404: 'notFound',
  405: 'notFound',
  407: 'unreachable',
  408: 'timeout',
  410: 'notFound',
  413: 'tooLarge',
  422: 'validation',
  429: 'rateLimited',
};

/**
 * Returns the code for an unsuccessful status (docs/service.md: Rules for every operation; others as HTTP
 * defines them).
 */
export function toErrorCode(status: number): ServiceErrorCode {
  return status < 400 ? 'invalidResponse' : (CODE_BY_STATUS[status] ?? 'service');
}

/** Returns whether a status means that the request was refused before it could cost anything. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

/** The contents of an error body as inert text without `secret`. */
export interface ErrorBody {
  readonly serviceMessage?: string;
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads `{ message, errors }` from the body of any error: JSON of any form, a storage's XML, HTML, or
 * nothing.
 */
export function readErrorBody(text: string, secret: string | undefined): ErrorBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: it has no message for the user, unless it comes from an object storage.
    return readStorageError(text, secret);
  }
  if (typeof body !== 'object' || body === null) return {};
  const { message, errors } = body as { message?: unknown; errors?: unknown };
  const serviceMessage =
    typeof message === 'string' ? toRedactedText(message, MAX_MESSAGE_CODE_POINTS, secret) : '';
  const fieldErrors = readFieldErrors(errors, secret);
  return { ...(serviceMessage && { serviceMessage }), ...(fieldErrors && { fieldErrors }) };
}

function readFieldErrors(errors: unknown, secret: string | undefined): ErrorBody['fieldErrors'] {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined;
  const fields: [string, string[]][] = [];
  for (const [name, value] of Object.entries(errors)) {
    const messages = (Array.isArray(value) ? value : [value])
      .filter((message): message is string => typeof message === 'string' && message !== '')
      .slice(0, MAX_MESSAGES_PER_FIELD)
      .map((message) => toRedactedText(message, MAX_FIELD_MESSAGE_CODE_POINTS, secret));
    if (messages.length > 0)
      fields.push([toRedactedText(name, MAX_FIELD_NAME_CODE_POINTS, secret), messages]);
    if (fields.length === MAX_FIELDS) break;
  }
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Reads S3's `<Error><Code>…</Code><Message>…</Message></Error>`. */
function readStorageError(text: string, secret: string | undefined): ErrorBody {
  const head = text.slice(0, 10_000);
  if (!head.includes('<Error>')) return {};
  const parts = ['Code', 'Message'].map((tag) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(head)?.[1]);
  const message = toRedactedText(parts.filter(Boolean).join(': '), MAX_MESSAGE_CODE_POINTS, secret);
  return message ? { serviceMessage: message } : {};
}

/**
 * Parses `Retry-After`, seconds or an HTTP date, as ms from `now`, at most an hour; undefined if it is
 * invalid.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const value = toPlainText(header ?? '', 100);
  let ms = Number.NaN;
  if (/^\d+(\.\d+)?$/.test(value)) ms = Number(value) * 1000;
  // Date.parse alone accepts "-5" as a date.
  else if (/^[a-z]{3,9},? /i.test(value)) ms = Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(Math.round(ms), 0), MAX_RETRY_AFTER_MS);
}
