import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { RequestLogEntry } from '../../client/serviceClient';
import type { QuotaEstimate } from '../../shared/view/viewModel';

/** The messages for which the service reported a cost, and that cost. */
interface ReportedCost {
  readonly messages: number;
  readonly credits: number;
}

/** The stored counts for one service. */
interface Count {
  /** Messages that the service accepted, by day since the epoch. */
  readonly days: Readonly<Record<string, number>>;
  /** Of those, the messages with a reported cost, by day. */
  readonly told?: Readonly<Record<string, ReportedCost>>;
  /** Time of the first message that the service refused because of the limit, in ms since the epoch. */
  readonly reachedAt?: number;
}

const STORAGE_KEY = 'parley.messagesSent';
const DAY_MS = 24 * 60 * 60 * 1000;
/** The service counts messages over this many days (docs/service.md: POST /messages/stream). */
const PERIOD_DAYS = 30;

/**
 * Counts the messages sent from this machine, for each service. An estimate: it misses other machines, other
 * users of the account, and windows that write at the same time.
 */
export class Quota {
  readonly #memory: Memento;
  readonly #now: () => number;
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.on;

  constructor(memory: Memento, now: () => number = Date.now) {
    this.#memory = memory;
    this.#now = now;
  }

  /**
   * Records the result of a request: an accepted message counts, and status 402 means that the limit is
   * reached.
   */
  record(baseUrl: string, { operation, status = 0 }: RequestLogEntry): void {
    if (operation !== 'POST /messages/stream' && operation !== 'POST /messages') return;
    const { reachedAt, ...count } = this.#getCount(baseUrl);
    const { days } = count;
    const now = this.#now();
    if (status >= 200 && status < 400) {
      const today = String(Math.floor(now / DAY_MS));
      this.#save(baseUrl, { ...count, days: { ...days, [today]: (days[today] ?? 0) + 1 } });
    } else if (status === 402) this.#save(baseUrl, { ...count, reachedAt: reachedAt ?? now });
  }

  /** Records the cost of a message that was already counted. */
  recordCredits(baseUrl: string, credits: number): void {
    const count = this.#getCount(baseUrl);
    const today = String(Math.floor(this.#now() / DAY_MS));
    const cost = count.told?.[today] ?? { messages: 0, credits: 0 };
    const newCost = { messages: cost.messages + 1, credits: cost.credits + credits };
    this.#save(baseUrl, { ...count, told: { ...count.told, [today]: newCost } });
  }

  getEstimate(baseUrl: string): QuotaEstimate {
    const { days, told: costsByDay = {} } = this.#getCount(baseUrl);
    const messages = sum(Object.values(days));
    const costs = Object.values(costsByDay);
    const reported = sum(costs.map((cost) => cost.messages));
    if (reported === 0) return { messages };
    const credits = sum(costs.map((cost) => cost.credits));
    // A message counted by another window may have its cost reported here only.
    return { messages, credits: credits + Math.max(0, messages - reported) };
  }

  /**
   * Returns since when the service has refused messages because of the limit; undefined if it accepts them.
   */
  getReachedAt(baseUrl: string): number | undefined {
    return this.#getCount(baseUrl).reachedAt;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #getCount(baseUrl: string): Count {
    const { days = {}, told: costsByDay = {}, reachedAt } = this.#getCounts()[baseUrl] ?? {};
    const first = Math.floor(this.#now() / DAY_MS) - PERIOD_DAYS;
    const keepRecent = <T>(byDay: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(byDay).filter(([day]) => Number(day) > first));
    // After a whole period, none of the messages counted then count any more.
    const isReached = reachedAt !== undefined && this.#now() - reachedAt < PERIOD_DAYS * DAY_MS;
    return { days: keepRecent(days), told: keepRecent(costsByDay), ...(isReached && { reachedAt }) };
  }

  #save(baseUrl: string, count: Count): void {
    void this.#memory.update(STORAGE_KEY, { ...this.#getCounts(), [baseUrl]: count });
    this.#changes.fire();
  }

  #getCounts(): Readonly<Record<string, Count>> {
    return this.#memory.get<Record<string, Count>>(STORAGE_KEY) ?? {};
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
