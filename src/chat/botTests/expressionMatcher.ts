import { Mutex } from '../base/mutex';

/** What is matched in another thread. */
export interface ExpressionRequest {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
}

/** A thread that can be ended in the middle of an expression. */
export interface ExpressionThread {
  /** Resolves once the thread runs. */
  readonly started: Promise<void>;
  /** Rejects if the thread fails; may never settle. */
  testExpression(request: ExpressionRequest): Promise<boolean>;
  endThread(): void;
}

/** Ticks after which an expression is given up. Counted in ticks, because a late timer fires only once. */
const MAX_TICKS = 8;
const TICK_MS = 250;

/**
 * Matches regular expressions of a workspace's files in a thread of its own: one can take hours for a single line, and only
 * ending its thread stops it.
 */
export class ExpressionMatcher {
  readonly #startThread: () => ExpressionThread;
  readonly #mutex = new Mutex();
  readonly #maxTicks: number;
  #thread: ExpressionThread | undefined;

  constructor(startThread: () => ExpressionThread, maxTicks = MAX_TICKS) {
    this.#startThread = startThread;
    this.#maxTicks = maxTicks;
  }

  /** Resolves to undefined if the expression takes too long. Rejects if there are no threads. */
  matchExpression(
    { source, flags }: Omit<ExpressionRequest, 'text'>,
    text: string,
  ): Promise<boolean | undefined> {
    return this.#mutex.run(async () => {
      this.#thread ??= this.#startThread();
      const thread = this.#thread;
      await thread.started;
      const result = await withinTicks(thread.testExpression({ source, flags, text }), this.#maxTicks);
      if (result === undefined) this.dispose();
      return result;
    });
  }

  dispose(): void {
    this.#thread?.endThread();
    this.#thread = undefined;
  }
}

function withinTicks<T>(promise: Promise<T>, maxTicks: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let ticks = 0;
    const timer = setInterval(() => {
      if (++ticks >= maxTicks) finish(() => resolve(undefined));
    }, TICK_MS);
    const finish = (settle: () => void) => {
      clearInterval(timer);
      settle();
    };
    promise.then(
      (value) => finish(() => resolve(value)),
      (error) => finish(() => reject(error)),
    );
  });
}
