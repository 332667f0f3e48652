import type { ServerResponse } from 'node:http';
import { HttpError } from '../http/http';
import type { ServiceState } from '../state';

/** The requests of the current minute. */
export interface RateWindow {
  /** Unix time in seconds. */
  resetAt: number;
  count: number;
}

const WINDOW_SECONDS = 60;

/** Counts a request and sets its `x-ratelimit-*` headers. Throws HttpError 429 beyond the limit. */
export function limitRate({ settings, rateWindow, now }: ServiceState, res: ServerResponse): void {
  const limit = settings.requestsPerMinute;
  if (!Number.isFinite(limit)) return;
  const seconds = now() / 1000;
  if (seconds >= rateWindow.resetAt) {
    Object.assign(rateWindow, { resetAt: Math.floor(seconds) + WINDOW_SECONDS, count: 0 });
  }
  rateWindow.count += 1;
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', Math.max(limit - rateWindow.count, 0));
  res.setHeader('X-RateLimit-Reset', rateWindow.resetAt);
  if (rateWindow.count <= limit) return;
  res.setHeader('Retry-After', Math.max(Math.ceil(rateWindow.resetAt - seconds), 1));
  throw new HttpError(429, 'Too Many Attempts.');
}
