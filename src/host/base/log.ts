import type { LogOutputChannel } from 'vscode';
import type { RequestLogEntry } from '../../client/serviceClient';

/** Logs a request on one line: operation, status, duration. */
export function logRequest(log: LogOutputChannel, entry: RequestLogEntry): void {
  const status = entry.status ?? '-';
  const line = `${entry.operation} ${status} ${Math.round(entry.durationMs)} ms`;
  if (entry.errorCode === undefined || entry.errorCode === 'aborted') {
    log.info(entry.errorCode ? `${line} ${entry.errorCode}` : line);
  } else log.warn(`${line} ${entry.errorCode}`);
}

/** Logs a failure of background work that nothing awaits. */
export function logError(log: LogOutputChannel, error: unknown): void {
  log.error(error instanceof Error ? error : String(error));
}
