import type { RecordedExchange } from './recording';

/** What is known of a request that is to be answered. */
export interface RequestedExchange {
  readonly method: string;
  readonly isApi: boolean;
  /** Of the API: without the path of the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
}

interface Candidate {
  readonly exchange: RecordedExchange;
  readonly path: RegExp;
  isUsed: boolean;
}

/** Finds the recorded exchange that answers a request. */
export class ExchangeMatcher {
  readonly #candidates: readonly Candidate[];

  /** Exchanges without an answer, because the recording was stopped, answer nothing. */
  constructor(exchanges: readonly RecordedExchange[]) {
    this.#candidates = exchanges
      .filter(({ response, failure }) => response || failure !== undefined)
      .map((exchange) => ({ exchange, path: toPattern(exchange.operation), isUsed: false }));
  }

  /**
   * Returns the first exchange that wasn't used yet, of those with the same method and, except for ids, the same path;
   * the last one if all were used. Those with the same ids, and then those with the same query, come before others.
   */
  take(request: RequestedExchange): RecordedExchange | undefined {
    const matching = this.#candidates.filter(({ exchange, path }) => {
      const isSameMethod = exchange.operation.startsWith(`${request.method} `);
      return isSameMethod && (exchange.origin === 'api') === request.isApi && path.test(request.path);
    });
    const likeness = ({ exchange: { path, query } }: Candidate) =>
      (path === request.path ? 2 : 0) + (isSameQuery(new URLSearchParams(query), request.query) ? 1 : 0);
    const most = Math.max(...matching.map(likeness));
    const best = matching.filter((candidate) => likeness(candidate) === most);
    const found = best.find(({ isUsed }) => !isUsed) ?? best.at(-1);
    if (found) found.isUsed = true;
    return found?.exchange;
  }
}

function toPattern(operation: string): RegExp {
  const path = operation.slice(operation.indexOf(' ') + 1);
  const parts = path.split('{id}').map((part) => part.replace(/[^\w/-]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function isSameQuery(one: URLSearchParams, other: URLSearchParams): boolean {
  one.sort();
  other.sort();
  return one.toString() === other.toString();
}
