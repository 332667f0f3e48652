import { MAX_CHECKED_PATHS, MAX_PATH_LENGTH } from '../../shared/protocol/limits';

/** How long to wait for an answer before the next paths are checked: nobody is asked about them. */
const ANSWER_LIMIT_MS = 10_000;

/** Asks the host which paths are files of the workspace, in batches: one request at a time. */
export class FileExistence {
  readonly #findExisting: (paths: readonly string[]) => Promise<readonly string[]>;
  /** Only existing files are cached: a missing file may exist when the next reply names it. */
  readonly #found = new Set<string>();
  readonly #waiting = new Map<string, ((exists: boolean) => void)[]>();
  #requesting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `findExisting` asks the host. */
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
      void this.#request([...this.#waiting.keys()].slice(0, MAX_CHECKED_PATHS));
    });
  }

  async #request(paths: readonly string[]): Promise<void> {
    this.#requesting = true;
    for (const path of await this.#findInTime(paths)) this.#found.add(path);
    this.#requesting = false;
    for (const path of paths) {
      for (const resolve of this.#waiting.get(path) ?? []) resolve(this.#found.has(path));
      this.#waiting.delete(path);
    }
    if (this.#waiting.size > 0) this.#scheduleRequest();
  }

  /** Finds none if the request fails, which the host logs, or if there is no answer. */
  async #findInTime(paths: readonly string[]): Promise<readonly string[]> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<readonly string[]>((resolve) => {
      timer = setTimeout(() => resolve([]), ANSWER_LIMIT_MS);
    });
    const found = await Promise.race([this.#findExisting(paths).catch(() => []), late]);
    clearTimeout(timer);
    return found;
  }
}
