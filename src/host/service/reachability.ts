import { Emitter } from '../../chat/base/emitter';
import type { RequestLogEntry } from '../../client/serviceClient';

/** Tracks whether the service answered the last request. It sends no requests of its own. */
export class Reachability {
  readonly #silent = new Set<string>();
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;

  /** Records the result of a request; those to the hosts of streams and uploads don't count. */
  record(baseUrl: string, { operation, status, errorCode }: RequestLogEntry): void {
    if (!/^\w+ \//.test(operation)) return;
    const failed = errorCode === 'unreachable' || (errorCode === 'timeout' && status === undefined);
    if (!failed && status === undefined) return;
    if (failed === this.#silent.has(baseUrl)) return;
    if (failed) this.#silent.add(baseUrl);
    else this.#silent.delete(baseUrl);
    this.#changes.fire();
  }

  /** Returns whether the service didn't answer the last request. */
  isSilent(baseUrl: string): boolean {
    return this.#silent.has(baseUrl);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
