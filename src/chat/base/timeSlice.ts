/** Time to work before yielding to other work. */
const SLICE_MS = 5;

/** Long work on a shared thread, in slices. */
export class TimeSlice {
  #since = performance.now();

  /** Whether it is time to `rest`. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  /** Starts again, after something was awaited in which other work could run. */
  restart(): void {
    this.#since = performance.now();
  }

  /** Lets other work run. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.restart();
  }
}
