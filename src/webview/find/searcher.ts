import type { Pattern } from './pattern';
import type { FromFindWorker, ToFindWorker } from './worker/findWorkerMessages';

/**
 * Ticks without a message of a started worker after which the search for an expression is ended. Counted in ticks, because a
 * late timer fires only once.
 */
const MAX_SILENT_TICKS = 8;
const TICK_MS = 250;

/** The turns to search: all in order, except that `firstTurnId` and those after it come first. */
export interface Search {
  readonly pattern: Pattern;
  readonly turnIds: readonly string[];
  readonly firstTurnId: string;
  readonly maxMatches: number;
}

interface SearcherEvents {
  /** `done`: whether all texts have been searched. */
  onFound(found: FromFindWorker['found'], done: boolean): void;
  /** Called when a search was ended because it takes too long, or because the worker doesn't run. */
  onFailed(): void;
}

/**
 * Searches the texts of turns in a worker: a regular expression can take hours for a single line, and only ending its
 * thread stops it. Plain words are searched there too, since a second way would need its own order and counts.
 */
export class Searcher {
  readonly texts = new Map<string, string>();
  readonly #start: () => Worker;
  readonly #events: SearcherEvents;
  #worker: Worker | undefined;
  /** Whether the worker has posted a message: on a busy machine, its start can take longer than a search may. */
  #isStarted = false;
  /** The search that changed texts belong to. */
  #latest: Search | undefined;
  /** ID of the last request, and of the one that started the latest search. */
  #requestId = 0;
  #searchId = 0;
  /** The order of the turns as the worker has it. */
  #order: readonly string[] = [];
  /** The pattern that the worker is busy with, which may be that of a search before. */
  #busyWith: Pattern | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #silentTicks = 0;

  constructor(start: () => Worker, events: SearcherEvents) {
    this.#start = start;
    this.#events = events;
  }

  /** Sets the texts of turns, and searches them if there is a search; turns without a text are gone. */
  setTexts(texts: Extract<ToFindWorker, { type: 'texts' }>['texts']): void {
    for (const [turnId, text] of texts) {
      if (text === undefined) this.texts.delete(turnId);
      else this.texts.set(turnId, text);
    }
    if (this.#latest) this.#setBusy(this.#latest.pattern);
    this.#post({ type: 'texts', requestId: ++this.#requestId, texts });
  }

  /** Searches all turns, and then those with changed texts, until the next search. */
  search(search: Search): void {
    const { pattern, turnIds, firstTurnId, maxMatches } = search;
    const { source, flags } = pattern;
    this.#latest = search;
    this.#setBusy(pattern);
    try {
      this.#worker ??= this.#startWorker();
    } catch (error) {
      console.error("Couldn't start the search:", error);
      this.#fail();
      return;
    }
    if (turnIds !== this.#order) this.#post({ type: 'order', turnIds });
    this.#order = turnIds;
    this.#searchId = ++this.#requestId;
    this.#post({ type: 'search', requestId: this.#searchId, source, flags, firstTurnId, maxMatches });
  }

  /** Ends the search. */
  stop(): void {
    this.#latest = undefined;
    if (this.#busyWith) this.dispose();
    else this.#post({ type: 'stop' });
  }

  dispose(): void {
    this.#setIdle();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isStarted = false;
    this.#order = [];
  }

  #setBusy(pattern: Pattern): void {
    if (this.#busyWith) return;
    this.#busyWith = pattern;
    this.#silentTicks = 0;
    this.#timer = setInterval(() => this.#onTick(), TICK_MS);
  }

  #onMessage({ requestId, found, done }: FromFindWorker): void {
    this.#isStarted = true;
    this.#silentTicks = 0;
    if (!this.#latest || requestId === 0) return;
    // From here on, the worker can only be busy with the latest search.
    this.#busyWith = this.#latest.pattern;
    if (requestId < this.#searchId) return;
    const isDone = done && requestId === this.#requestId;
    if (isDone) this.#setIdle();
    this.#events.onFound(found, isDone);
  }

  #onTick(): void {
    if (!this.#busyWith?.mayBeSlow || !this.#latest || !this.#isStarted) return;
    if (++this.#silentTicks < MAX_SILENT_TICKS) return;
    if (this.#latest.pattern === this.#busyWith) {
      this.#fail();
      return;
    }
    this.dispose();
    this.search(this.#latest);
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
    const texts = [...this.texts];
    worker.postMessage({ type: 'texts', requestId: ++this.#requestId, texts } satisfies ToFindWorker);
    return worker;
  }

  #fail(): void {
    this.dispose();
    this.#latest = undefined;
    this.#events.onFailed();
  }

  #post(message: ToFindWorker): void {
    this.#worker?.postMessage(message);
  }
}
