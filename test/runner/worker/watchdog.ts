import { TEST_LIMIT_MS } from '../../support/testLimit';

/** How long a process that runs tests may be silent, in ms: a test that hangs fails before. */
export const SILENCE_LIMIT_MS = TEST_LIMIT_MS + 60_000;

/** Calls `onSilence` when nothing was reported for `SILENCE_LIMIT_MS`. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout;

  constructor(onSilence: () => void) {
    this.#timer = setTimeout(onSilence, SILENCE_LIMIT_MS);
  }

  /** Call this on each report. */
  reset(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
