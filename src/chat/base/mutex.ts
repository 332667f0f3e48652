/** Runs async work one piece at a time, in the order requested. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
