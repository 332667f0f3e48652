/** Work that may wait, done a slice at a time so that no frame does. */
export class TimeSlicer {
  /** ms: leaves most of a frame to the page. */
  static readonly slice = 6;
  readonly #jobs: Iterator<void>[] = [];
  readonly #channel = new MessageChannel();
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor() {
    this.#channel.port1.onmessage = () => this.#run();
  }

  /** Adds a job behind the others; each of its steps should be short. */
  add(job: Iterator<void>): void {
    this.#jobs.push(job);
    this.#schedule();
  }

  /** Resolves when there is nothing to do. */
  async idle(): Promise<void> {
    if (this.#jobs.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #run(): void {
    this.#scheduled = false;
    const end = performance.now() + TimeSlicer.slice;
    while (this.#jobs[0] && performance.now() < end) {
      if (isDone(this.#jobs[0])) this.#jobs.shift();
    }
    if (this.#jobs.length > 0) this.#schedule();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** As a task of its own, which lets input and frames go first. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#channel.port2.postMessage(undefined);
  }
}

/** Takes a job's next step. A job that throws is done: the others go on. */
function isDone(job: Iterator<void>): boolean {
  try {
    return job.next().done === true;
  } catch (error) {
    console.error('A job failed:', error);
    return true;
  }
}
