import { ServiceError } from './serviceError';
import { sleep } from './sleep';

const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;
/** The longest `Retry-After` that is waited for; a longer one is shown to the user as a failure. */
const MAX_PAUSE_MS = 10_000;

/**
 * Retries a safe request up to three times in total after passing failures, with exponential backoff and
 * jitter, or as `Retry-After` says.
 */
export async function withRetries<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (count === MAX_ATTEMPTS || !(error instanceof ServiceError) || !isPassing(error)) throw error;
      const backoff = FIRST_PAUSE_MS * 2 ** (count - 1) * (0.5 + Math.random());
      const pause = error.retryAfterMs ?? backoff;
      if (pause > MAX_PAUSE_MS) throw error;
      const { operation } = error;
      await sleep(pause, signal).catch(() => {
        throw new ServiceError('aborted', { operation, message: 'aborted by the caller', maySend: true });
      });
    }
  }
}

function isPassing({ code, reason, status }: ServiceError): boolean {
  if (status !== undefined && status >= 400) return [429, 502, 503, 504].includes(status);
  if (code === 'unreachable') return reason !== 'certificate' && reason !== 'tls' && reason !== 'proxy';
  return code === 'interrupted';
}
