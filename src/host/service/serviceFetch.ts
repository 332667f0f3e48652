import { platform } from '#platform';
import type { Fetch } from '../../client/fetch';

/** Wraps the `fetch` of a client for this base URL. */
type Observer = (fetch: Fetch, baseUrl: string) => Fetch;

/** The transport of all requests to services, which a recording can observe. */
export class ServiceFetch {
  #observer: Observer | undefined;

  /** Creates the `fetch` of a client for this base URL. */
  create(baseUrl: string): Fetch {
    return (url, init) => (this.#observer?.(platform.fetch, baseUrl) ?? platform.fetch)(url, init);
  }

  /** Observes all requests that are sent from now on, or none. */
  setObserver(observer: Observer | undefined): void {
    this.#observer = observer;
  }
}
