import { runCheck, runInVSCode } from './commandStages';
import type { Preparations } from './preparations';
import type { StageReport } from './results/report';
import { createFailure } from './run';
import type { FileStage, Stage } from './stages';
import { WorkerProcess } from './worker/workerProcess';

interface StageQueue {
  readonly stage: Stage;
  readonly report: StageReport;
  /** The jobs left to run: the files, or the single command. */
  readonly jobs: string[];
}

/** Distributes the stages' test files and commands among parallel lanes. */
export class Scheduler {
  readonly #queues: readonly StageQueue[];
  readonly #preparations: Preparations;
  readonly #grep: string | undefined;

  constructor(reports: readonly StageReport[], preparations: Preparations, grep?: string) {
    this.#queues = reports.map((report) => ({
      stage: report.stage,
      report,
      jobs: report.stage.kind === 'files' ? [...report.stage.files] : [report.stage.name],
    }));
    this.#preparations = preparations;
    this.#grep = grep;
  }

  /** Runs all jobs in this many lanes. */
  async run(lanes: number): Promise<void> {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#runLane(lane)));
  }

  async #runLane(lane: number): Promise<void> {
    let worker: WorkerProcess | undefined;
    for (let next = this.#take(lane); next; next = this.#take(lane, worker?.stage)) {
      const { stage, report } = next.queue;
      if (worker && worker.stage !== stage) {
        await worker.end();
        worker = undefined;
      }
      try {
        await this.#preparations.ensure(stage.needs);
      } catch (error) {
        next.queue.jobs.splice(0);
        report.add(createFailure('', `${stage.name} begins`, String(error)));
        continue;
      }
      report.start();
      if (stage.kind === 'files') {
        if (!worker || worker.hasEnded) worker = this.#startWorker(stage, report);
        await worker.runFile(next.job, this.#grep);
      } else if (stage.kind === 'check') await runCheck(stage, report, this.#preparations.env);
      else await runInVSCode(stage, report, this.#preparations.env, this.#grep);
      report.finishJob();
    }
    await worker?.end();
  }

  /** Returns the next job: from the lane's current stage, or else from the first stage that has one. */
  #take(lane: number, current?: Stage): { readonly queue: StageQueue; readonly job: string } | undefined {
    const waiting = this.#queues.filter(({ jobs }) => jobs.length > 0);
    // Every second lane skips the first long stage while there are other stages.
    const queue =
      waiting.find(({ stage }) => stage === current) ?? waiting[waiting.length > 1 ? lane % 2 : 0];
    const job = queue?.jobs.shift();
    return queue && job !== undefined ? { queue, job } : undefined;
  }

  #startWorker(stage: FileStage, report: StageReport): WorkerProcess {
    return new WorkerProcess(stage, report, { ...this.#preparations.env, ...stage.env });
  }
}
