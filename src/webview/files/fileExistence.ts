/** Maximum number of paths in one request to the host. */
const MAX_PATHS_PER_REQUEST = 200;
/** In code units: the host refuses messages with longer paths. */
const MAX_PATH_LENGTH = 1000;
/** How long to wait for an answer: a host that was just restarted never sends it. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Asks the host which paths are files of the workspace, in batches: one request at a time. */
export class FileExistence {
  readonly #request: (paths: readonly string[]) => void;
  /** Only existing files are cached: a missing file may exist when the next reply names it. */
  readonly #found = new Set<string>();
  readonly #waiting = new Map<string, ((exists: boolean) => void)[]>();
  #requested: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: (paths: readonly string[]) => void) {
    this.#request = ask;
  }

  exists(path: string): Promise<boolean> {
    if (this.#found.has(path)) return Promise.resolve(true);
    if (path.length > MAX_PATH_LENGTH) return Promise.resolve(false);
    return new Promise((resolve) => {
      const others = this.#waiting.get(path);
      if (others) others.push(resolve);
      else this.#waiting.set(path, [resolve]);
      this.#scheduleRequest();
    });
  }

  /** Handles the host's answer to the last request. */
  acceptAnswer(existing: readonly string[]): void {
    clearTimeout(this.#answerTimer);
    for (const path of existing) this.#found.add(path);
    for (const path of this.#requested) {
      for (const resolve of this.#waiting.get(path) ?? []) resolve(this.#found.has(path));
      this.#waiting.delete(path);
    }
    this.#requested = [];
    if (this.#waiting.size > 0) this.#scheduleRequest();
  }

  #scheduleRequest(): void {
    if (this.#requested.length > 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#requested = [...this.#waiting.keys()].slice(0, MAX_PATHS_PER_REQUEST);
      // Without an answer, treat the files as missing and send the next request.
      this.#answerTimer = setTimeout(() => this.acceptAnswer([]), ANSWER_TIMEOUT_MS);
      this.#request(this.#requested);
    });
  }
}
