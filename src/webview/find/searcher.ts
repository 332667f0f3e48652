import type { Pattern } from './pattern';
import type { FromFindWorker, ToFindWorker } from './worker/findMessages';

/** Ticks without a message after which the search is ended. Counted in ticks, because a late timer fires only once. */
const MAX_SILENT_TICKS = 4;
const TICK_MS = 250;

interface Search {
  readonly searchId: number;
  readonly pattern: Pattern;
  readonly turnIds: readonly string[];
  readonly maxMatches: number;
}

interface SearcherEvents {
  onFound(found: FromFindWorker['found'], done: boolean): void;
  /** Called when a search was ended because it takes too long, or because the worker doesn't run. */
  onFailed(): void;
}

/**
 * Searches the texts of turns in a worker: a regular expression can take hours for a single line, and only ending its
 * thread stops it.
 */
export class Searcher {
  readonly texts = new Map<string, string>();
  readonly #start: () => Worker;
  readonly #events: SearcherEvents;
  #worker: Worker | undefined;
  #latest: Search | undefined;
  /** The pattern that the worker is busy with, which may be that of a search before. */
  #busyWith: Pattern | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #silentTicks = 0;

  constructor(start: () => Worker, events: SearcherEvents) {
    this.#start = start;
    this.#events = events;
  }

  /** Sets the texts of turns; those without a text are gone. */
  setTexts(texts: readonly (readonly [turnId: string, text?: string])[]): void {
    for (const [turnId, text] of texts) {
      if (text === undefined) this.texts.delete(turnId);
      else this.texts.set(turnId, text);
    }
    this.#post({ type: 'texts', texts });
  }

  /** Searches turns in this order, and ends the search before. */
  search(pattern: Pattern, turnIds: readonly string[], maxMatches: number): void {
    const searchId = (this.#latest?.searchId ?? 0) + 1;
    this.#latest = { searchId, pattern, turnIds, maxMatches };
    if (!this.#busyWith) {
      this.#busyWith = pattern;
      this.#silentTicks = 0;
      this.#timer = setInterval(() => this.#onTick(), TICK_MS);
    }
    try {
      this.#worker ??= this.#startWorker();
    } catch (error) {
      console.error("Couldn't start the search:", error);
      this.#fail();
      return;
    }
    this.#post({ type: 'search', searchId, ...pattern, turnIds, maxMatches });
  }

  /** Ends the search. */
  stop(): void {
    if (this.#busyWith) this.dispose();
  }

  dispose(): void {
    this.#setIdle();
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #onMessage({ searchId, found, done }: FromFindWorker): void {
    this.#silentTicks = 0;
    if (!this.#latest) return;
    // From here on, the worker can only be busy with the latest search.
    this.#busyWith = this.#latest.pattern;
    if (searchId !== this.#latest.searchId) return;
    if (done) this.#setIdle();
    this.#events.onFound(found, done);
  }

  #onTick(): void {
    if (!this.#busyWith || !this.#latest || ++this.#silentTicks < MAX_SILENT_TICKS) return;
    const { pattern, turnIds, maxMatches } = this.#latest;
    const isLatest = pattern === this.#busyWith;
    this.dispose();
    if (isLatest) this.#events.onFailed();
    else this.search(pattern, turnIds, maxMatches);
  }

  #setIdle(): void {
    clearInterval(this.#timer);
    this.#busyWith = undefined;
  }

  #startWorker(): Worker {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<FromFindWorker>) => {
      if (worker === this.#worker) this.#onMessage(data);
    };
    worker.onerror = ({ message }) => {
      console.error("Couldn't search:", message);
      this.#fail();
    };
    worker.postMessage({ type: 'texts', texts: [...this.texts] } satisfies ToFindWorker);
    return worker;
  }

  #fail(): void {
    this.dispose();
    this.#events.onFailed();
  }

  #post(message: ToFindWorker): void {
    this.#worker?.postMessage(message);
  }
}
