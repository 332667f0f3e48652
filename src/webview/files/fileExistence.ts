/** Maximum number of paths in one request to the host. */
const AT_ONCE = 200;
/** In code units: the host refuses messages with longer paths. */
const LONGEST = 1000;
/** How long to wait for an answer: a host that was just restarted never sends it. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Asks the host which paths are files of the workspace, in batches: one request at a time. */
export class FileExistence {
  readonly #ask: (paths: readonly string[]) => void;
  /** Only existing files are cached: a missing file may exist when the next reply names it. */
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

  /** Handles the host's answer to the last request. */
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
      // Without an answer, treat the files as missing and send the next request.
      this.#patience = setTimeout(() => this.answered([]), ANSWER_TIMEOUT_MS);
      this.#ask(this.#asked);
    });
  }
}
