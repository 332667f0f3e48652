import type { Memento } from 'vscode';
import { Emitter } from '../chat/emitter';
import type { RequestLogEntry } from '../client/serviceClient';

/** What is known of one service's count. */
interface Count {
  /** Messages that it took, by day: days since the epoch. */
  readonly days: Readonly<Record<string, number>>;
  /** When it first refused one; ms since the epoch. */
  readonly reachedAt?: number;
}

const KEY = 'parley.messagesSent';
const DAY = 24 * 60 * 60 * 1000;
/** The service counts messages over this many days (docs/service.md: POST /messages/stream). */
const DAYS = 30;

/**
 * Counts the messages that were sent from here, for each service. An estimate: other machines, other people with the
 * account, and windows that write at the same time are not seen.
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

  /** Takes in what came of a request: a message that was taken counts, and 402 says that the limit is reached. */
  record(baseUrl: string, { operation, status = 0 }: RequestLogEntry): void {
    if (operation !== 'POST /messages/stream' && operation !== 'POST /messages') return;
    const { days, reachedAt } = this.#count(baseUrl);
    const now = this.#now();
    if (status >= 200 && status < 400) {
      const today = String(Math.floor(now / DAY));
      this.#save(baseUrl, { days: { ...days, [today]: (days[today] ?? 0) + 1 } });
    } else if (status === 402) this.#save(baseUrl, { days, reachedAt: reachedAt ?? now });
  }

  /** Messages of the last 30 days. */
  sent(baseUrl: string): number {
    return Object.values(this.#count(baseUrl).days).reduce((sum, count) => sum + count, 0);
  }

  /** Since when the service has refused messages because of the limit; undefined where it takes them. */
  reachedAt(baseUrl: string): number | undefined {
    return this.#count(baseUrl).reachedAt;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #count(baseUrl: string): Count {
    const { days = {}, reachedAt } = this.#all()[baseUrl] ?? {};
    const first = Math.floor(this.#now() / DAY) - DAYS;
    const recent = Object.entries(days).filter(([day]) => Number(day) > first);
    // After so long every message that had counted then counts no more.
    const holds = reachedAt !== undefined && this.#now() - reachedAt < DAYS * DAY;
    return { days: Object.fromEntries(recent), ...(holds && { reachedAt }) };
  }

  #save(baseUrl: string, count: Count): void {
    void this.#memory.update(KEY, { ...this.#all(), [baseUrl]: count });
    this.#changes.fire();
  }

  #all(): Readonly<Record<string, Count>> {
    return this.#memory.get<Record<string, Count>>(KEY) ?? {};
  }
}
