/** How long a process that runs tests may report nothing, in ms. */
export const SILENCE_LIMIT_MS = 180_000;

/** Calls `onSilence` once nothing was reported for `SILENCE_LIMIT_MS`. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout;

  constructor(onSilence: () => void) {
    this.#timer = setTimeout(onSilence, SILENCE_LIMIT_MS);
  }

  /** Something was reported. */
  reset(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
