/** Maximum number of paths in one request to the host. */
const MAX_PATHS_PER_REQUEST = 200;
/** In code units: the host refuses messages with longer paths. */
const MAX_PATH_LENGTH = 1000;

/** Asks the host which paths are files of the workspace, in batches: one request at a time. */
export class FileExistence {
  readonly #findExisting: (paths: readonly string[]) => Promise<readonly string[]>;
  /** Only existing files are cached: a missing file may exist when the next reply names it. */
  readonly #found = new Set<string>();
  readonly #waiting = new Map<string, ((exists: boolean) => void)[]>();
  #requesting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `findExisting` asks the host; it resolves to none if there is no answer. */
  constructor(findExisting: (paths: readonly string[]) => Promise<readonly string[]>) {
    this.#findExisting = findExisting;
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

  #scheduleRequest(): void {
    if (this.#requesting) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#request([...this.#waiting.keys()].slice(0, MAX_PATHS_PER_REQUEST));
    });
  }

  async #request(paths: readonly string[]): Promise<void> {
    this.#requesting = true;
    for (const path of await this.#findExisting(paths)) this.#found.add(path);
    this.#requesting = false;
    for (const path of paths) {
      for (const resolve of this.#waiting.get(path) ?? []) resolve(this.#found.has(path));
      this.#waiting.delete(path);
    }
    if (this.#waiting.size > 0) this.#scheduleRequest();
  }
}
