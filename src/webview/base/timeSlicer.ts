import { Queue } from './fifoQueue';

/** Runs deferrable work in slices, so that no frame is delayed. */
export class TimeSlicer {
  /** Leaves most of a frame to the page. */
  static readonly sliceMs = 6;
  readonly #jobs = new Queue<Iterator<void>>();
  readonly #channel = new MessageChannel();
  #scheduled = false;
  #idle: (() => void)[] = [];

  constructor() {
    this.#channel.port1.onmessage = () => this.#run();
  }

  /** Queues a job; each of its steps should be short. */
  addJob(job: Iterator<void>): void {
    this.#jobs.push(job);
    this.#schedule();
  }

  /** Resolves when there is nothing left to do. */
  async whenIdle(): Promise<void> {
    if (this.#jobs.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #run(): void {
    this.#scheduled = false;
    const end = performance.now() + TimeSlicer.sliceMs;
    for (let job = this.#jobs.peek(); job && performance.now() < end; job = this.#jobs.peek()) {
      if (runStep(job)) this.#jobs.shift();
    }
    if (this.#jobs.length > 0) this.#schedule();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Runs as a separate task, which lets input and frames go first. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#channel.port2.postMessage(undefined);
  }
}

/** Runs a job's next step. A job that throws is done, and the others continue. */
function runStep(job: Iterator<void>): boolean {
  try {
    return job.next().done === true;
  } catch (error) {
    console.error('A job failed:', error);
    return true;
  }
}
