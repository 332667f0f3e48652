import type { Memento } from 'vscode';
import { Emitter } from '../../chat/base/emitter';
import type { RequestLogEntry } from '../../client/serviceClient';
import type { QuotaEstimate } from '../../shared/viewModel';

interface Told {
  readonly messages: number;
  readonly credits: number;
}

/** What is known of one service's count. */
interface Count {
  /** Messages that it took, by day: days since the epoch. */
  readonly days: Readonly<Record<string, number>>;
  /** Of those, the messages of which the service told what they cost, by day. */
  readonly told?: Readonly<Record<string, Told>>;
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
    const { reachedAt, ...count } = this.#count(baseUrl);
    const { days } = count;
    const now = this.#now();
    if (status >= 200 && status < 400) {
      const today = String(Math.floor(now / DAY));
      this.#save(baseUrl, { ...count, days: { ...days, [today]: (days[today] ?? 0) + 1 } });
    } else if (status === 402) this.#save(baseUrl, { ...count, reachedAt: reachedAt ?? now });
  }

  /** Takes in what the reply to a message cost that was counted already. */
  recordCredits(baseUrl: string, credits: number): void {
    const count = this.#count(baseUrl);
    const today = String(Math.floor(this.#now() / DAY));
    const { messages, credits: before } = count.told?.[today] ?? { messages: 0, credits: 0 };
    const told = { ...count.told, [today]: { messages: messages + 1, credits: before + credits } };
    this.#save(baseUrl, { ...count, told });
  }

  estimate(baseUrl: string): QuotaEstimate {
    const { days, told = {} } = this.#count(baseUrl);
    const messages = sum(Object.values(days));
    const toldOf = sum(Object.values(told).map((each) => each.messages));
    if (toldOf === 0) return { messages };
    const credits = sum(Object.values(told).map((each) => each.credits));
    // A message that other windows counted may be told of here only.
    return { messages, credits: credits + Math.max(0, messages - toldOf) };
  }

  /** Since when the service has refused messages because of the limit; undefined where it takes them. */
  reachedAt(baseUrl: string): number | undefined {
    return this.#count(baseUrl).reachedAt;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #count(baseUrl: string): Count {
    const { days = {}, told = {}, reachedAt } = this.#all()[baseUrl] ?? {};
    const first = Math.floor(this.#now() / DAY) - DAYS;
    const keepRecent = <T>(byDay: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(byDay).filter(([day]) => Number(day) > first));
    // After so long every message that had counted then counts no more.
    const holds = reachedAt !== undefined && this.#now() - reachedAt < DAYS * DAY;
    return { days: keepRecent(days), told: keepRecent(told), ...(holds && { reachedAt }) };
  }

  #save(baseUrl: string, count: Count): void {
    void this.#memory.update(KEY, { ...this.#all(), [baseUrl]: count });
    this.#changes.fire();
  }

  #all(): Readonly<Record<string, Count>> {
    return this.#memory.get<Record<string, Count>>(KEY) ?? {};
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
