import type { Pattern } from './pattern';
import type { FromFindWorker, ToFindWorker } from './worker/findMessages';

/** Ticks without a message after which the search is ended. Counted in ticks, because a late timer fires only once. */
const MAX_SILENT_TICKS = 4;
const TICK_MS = 250;

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
  #searchId = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #running = false;

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
    clearInterval(this.#timer);
    let ticks = 0;
    /** Whether what blocks the worker may be the search before. */
    let mayWait = this.#running;
    this.#timer = setInterval(() => {
      if (++ticks < MAX_SILENT_TICKS) return;
      this.dispose();
      if (mayWait) this.search(pattern, turnIds, maxMatches);
      else this.#events.onFailed();
    }, TICK_MS);
    const searchId = ++this.#searchId;
    this.#running = true;
    try {
      this.#worker ??= this.#startWorker();
    } catch (error) {
      console.error("Couldn't start the search:", error);
      this.#fail();
      return;
    }
    this.#worker.onmessage = ({ data }: MessageEvent<FromFindWorker>) => {
      ticks = 0;
      if (data.searchId !== searchId) return;
      mayWait = false;
      this.#running = !data.done;
      if (data.done) clearInterval(this.#timer);
      this.#events.onFound(data.found, data.done);
    };
    this.#post({ type: 'search', searchId, ...pattern, turnIds, maxMatches });
  }

  /** Ends the search. */
  stop(): void {
    if (this.#running) this.dispose();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#running = false;
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #startWorker(): Worker {
    const worker = this.#start();
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
