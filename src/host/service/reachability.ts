import { Emitter } from '../../chat/base/emitter';
import type { RequestLogEntry } from '../../client/serviceClient';

/** Whether the service answered when it was asked last. Nobody asks it for that alone. */
export class Reachability {
  readonly #silent = new Set<string>();
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;

  /** Takes in what came of a request; those to the hosts of streams and uploads tell nothing of the service. */
  record(baseUrl: string, { operation, status, errorCode }: RequestLogEntry): void {
    if (!/^\w+ \//.test(operation)) return;
    const failed = errorCode === 'unreachable' || (errorCode === 'timeout' && status === undefined);
    if (!failed && status === undefined) return;
    if (failed === this.#silent.has(baseUrl)) return;
    if (failed) this.#silent.add(baseUrl);
    else this.#silent.delete(baseUrl);
    this.#changes.fire();
  }

  /** No answer came to the last request. */
  isSilent(baseUrl: string): boolean {
    return this.#silent.has(baseUrl);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
