import type { FetchFailure } from './fetch';
import type { ServiceErrorCode } from './serviceError';

/** The meaning of a failed fetch. `unsent`: certainly no byte of the request reached the service. */
export interface NetworkFailure {
  readonly code: ServiceErrorCode;
  readonly reason?: string;
  readonly unsent: boolean;
  readonly message: string;
}

const REASONS: readonly (readonly [pattern: RegExp, reason: string, message: string])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'dns', 'no such host'],
  [/^ECONNREFUSED$/, 'refused', 'connection refused'],
  [/CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$/, 'certificate', 'bad certificate'],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, 'tls', 'no TLS connection'],
  [/^ERR_PROXY/, 'proxy', 'the proxy could not be used'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'reset', 'the connection was closed before an answer'],
];

/** Failures that can only happen before a connection is established, in any transport. */
const ALWAYS_UNSENT = new Set(['dns', 'refused', 'certificate', 'proxy']);

/**
 * Interprets the error of a `Fetch` that rejected before any header. A browser reports no details, so nothing
 * is certain.
 */
export function readNetworkFailure(error: unknown): NetworkFailure {
  const { code = '', syscall, connected } = toFetchFailure(error);
  const unsent = connected === false || syscall === 'connect';

  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && unsent)) {
    return { code: 'timeout', reason: 'connect', unsent: true, message: 'no connection in time' };
  }
  if (/^(ETIMEDOUT|UND_ERR_(HEADERS|BODY)_TIMEOUT)$/.test(code)) {
    return { code: 'timeout', unsent, message: 'no answer in time' };
  }
  if (/^(HPE_|UND_ERR_HEADERS_OVERFLOW$|ERR_HTTP_|ERR_CONTENT_ENCODING$)/.test(code)) {
    return {
      code: 'invalidResponse',
      reason: 'http',
      unsent: false,
      message: `no valid HTTP answer (${code})`,
    };
  }
  for (const [pattern, reason, message] of REASONS) {
    if (!pattern.test(code)) continue;
    return {
      code: 'unreachable',
      reason,
      unsent: unsent || ALWAYS_UNSENT.has(reason),
      message: `${message} (${code})`,
    };
  }
  return {
    code: 'unreachable',
    reason: 'network',
    unsent,
    message: `no connection (${code || 'no details'})`,
  };
}

/**
 * Returns only fields that can't contain anyone's text: messages of transports quote headers, including the
 * key's.
 */
function toFetchFailure(error: unknown): FetchFailure {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error;
  if (typeof cause !== 'object' || cause === null) return {};
  const { code, syscall, connected, errors } = cause as Record<string, unknown>;
  // Happy Eyeballs: one failure for each address, and possibly no code for the whole.
  const first: FetchFailure = Array.isArray(errors) && errors.length > 0 ? toFetchFailure(errors[0]) : {};
  return {
    ...first,
    ...(typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) && { code }),
    ...(typeof syscall === 'string' && { syscall }),
    ...(typeof connected === 'boolean' && { connected }),
  };
}
