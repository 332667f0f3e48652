/** How many paths a question to the host may have. */
const AT_ONCE = 200;
/** Code units: the host takes no message with a longer path. */
const LONGEST = 1000;
/** How long (ms) an answer is waited for: a host that was just restarted never gives it. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Asks the host which paths are files of the workspace: one question at a time, for all that came up meanwhile. */
export class FileExistence {
  readonly #ask: (paths: readonly string[]) => void;
  /** Only what was found is kept: a file that is missing now may be there for the next reply. */
  readonly #found = new Set<string>();
  readonly #waiting = new Map<string, ((exists: boolean) => void)[]>();
  #asked: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: (paths: readonly string[]) => void) {
    this.#ask = ask;
  }

  exists(path: string): Promise<boolean> {
    if (this.#found.has(path)) return Promise.resolve(true);
    if (path.length > LONGEST) return Promise.resolve(false);
    return new Promise((resolve) => {
      const others = this.#waiting.get(path);
      if (others) others.push(resolve);
      else this.#waiting.set(path, [resolve]);
      this.#askSoon();
    });
  }

  /** The host's answer to the last question. */
  answered(existing: readonly string[]): void {
    clearTimeout(this.#patience);
    for (const path of existing) this.#found.add(path);
    for (const path of this.#asked) {
      for (const resolve of this.#waiting.get(path) ?? []) resolve(this.#found.has(path));
      this.#waiting.delete(path);
    }
    this.#asked = [];
    if (this.#waiting.size > 0) this.#askSoon();
  }

  #askSoon(): void {
    if (this.#asked.length > 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#asked = [...this.#waiting.keys()].slice(0, AT_ONCE);
      // Without an answer none exists as far as the page knows, and the next question is asked.
      this.#patience = setTimeout(() => this.answered([]), ANSWER_TIMEOUT_MS);
      this.#ask(this.#asked);
    });
  }
}
