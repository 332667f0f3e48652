/** A wait ends when nothing has moved for this long, in ms: on a machine of any speed, it is in vain. */
export const HANG_MS = 60_000;
/** A wait ends after this, in ms, though something moves: it may do so for ever. */
export const WAIT_LIMIT_MS = 300_000;

let movedAt = performance.now();

/** Notes that something moved that tests may wait for: a request, a frame, a line in a console, a change of a page. */
export function noteMove(): void {
  movedAt = performance.now();
}

/** A wait that starts now. */
export class Wait {
  readonly #startedAt = performance.now();
  readonly #hangMs: number;

  constructor(hangMs = HANG_MS) {
    this.#hangMs = hangMs;
  }

  get isInVain(): boolean {
    const now = performance.now();
    const restMs = now - Math.max(this.#startedAt, movedAt);
    return restMs > this.#hangMs || now - this.#startedAt > Math.max(this.#hangMs, WAIT_LIMIT_MS);
  }
}
