import path from 'node:path';
import { repositoryRoot } from '../../vscode/cacheDir';
import { type ProcessGroup, spawnGroup } from '../../vscode/processGroup';
import { createFailure, getTail, type StageRun } from '../run';
import type { FileStage } from '../stages';
import type { TestEvent, TestResult } from './events';
import { SILENCE_LIMIT_MS, Watchdog } from './watchdog';
import type { WorkerMessage } from './worker';

/** A process that runs one stage's test files, one at a time. */
export class WorkerProcess {
  readonly #group: ProcessGroup;
  readonly #stage: FileStage;
  readonly #run: StageRun;
  #onEvent: ((event: TestEvent) => void) | undefined;
  #output = '';
  /** Reported with the next result, after what hooks print about it. */
  #failed: TestResult | undefined;
  #hasEnded = false;

  constructor(stage: FileStage, run: StageRun, env: NodeJS.ProcessEnv) {
    this.#stage = stage;
    this.#run = run;
    const script = path.join(repositoryRoot, 'test/runner/worker/worker.ts');
    this.#group = spawnGroup(process.execPath, ['--import', 'tsx', script], {
      cwd: repositoryRoot,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const collect = (data: Buffer) => {
      this.#output += data;
    };
    this.#group.child.stdout?.on('data', collect);
    this.#group.child.stderr?.on('data', collect);
    this.#group.child.on('message', (event) => this.#onEvent?.(event as TestEvent));
    void this.#group.ended.then(() => {
      this.#hasEnded = true;
    });
  }

  get stage(): FileStage {
    return this.#stage;
  }

  /** Whether it can't run another file. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs a file. If the process crashes or hangs, that is a single failure, and the process ends. */
  async runFile(file: string, grep?: string): Promise<void> {
    this.#output = '';
    let current = `Loading ${file}`;
    let isSilent = false;
    const watchdog = new Watchdog(() => {
      isSilent = true;
      void this.#group.stop();
    });
    const isDone = new Promise<boolean>((resolve) => {
      this.#onEvent = (event) => {
        watchdog.reset();
        if (event.type === 'begin') {
          current = event.title;
          this.#run.begin(event.title);
        } else if (event.type === 'result') {
          this.#reportFailure();
          if (event.result.state === 'failed') this.#failed = event.result;
          else this.#run.add(event.result);
        } else resolve(true);
      };
      void this.#group.ended.then(() => resolve(false));
    });
    this.#send({
      type: 'run',
      file,
      ...(grep === undefined ? {} : { grep }),
    });
    const hasRun = await isDone;
    this.#reportFailure();
    if (!hasRun) {
      const why = isSilent ? `Nothing was reported for ${SILENCE_LIMIT_MS / 1000} s.` : 'The process ended.';
      this.#run.add(createFailure(file, current, `${why}\n${getTail(this.#output)}`));
    }
    watchdog.stop();
  }

  /** Ends the process. It is a failure if a test left a socket or a timer open. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#output = '';
    const watchdog = new Watchdog(() => void this.#group.stop());
    this.#send({ type: 'end' });
    const code = await this.#group.ended;
    watchdog.stop();
    if (code !== 0) {
      const title = `The process of the stage ${this.#stage.name} ends`;
      this.#run.add(createFailure('', title, `Its exit code is ${code}.\n${getTail(this.#output)}`));
    }
  }

  /** Reports the test that failed last, with the output since the one before it. */
  #reportFailure(): void {
    if (!this.#failed) return;
    const error = `${this.#failed.error}\n${getTail(this.#output)}`.trim();
    this.#run.add({ ...this.#failed, error });
    this.#output = '';
    this.#failed = undefined;
  }

  #send(message: WorkerMessage): void {
    this.#group.child.send(message);
  }
}
