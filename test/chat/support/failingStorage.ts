import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { AppendError, type Storage } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { type DiskStep, interceptSteps } from './steppedStorage';

/**
 * How a step fails: it isn't done, it is done but reported as failed, or half of the bytes are appended. Or it is only done
 * late, or answered late.
 */
export type FailureKind = 'refused' | 'unanswered' | 'half' | 'late' | 'answered late';

/** A step of a window, such as `2 readFile moss.jsonl`: the second time that it reads this file. */
export interface FailingStep {
  readonly kind: FailureKind;
  readonly step: string;
}

/** How long nothing else happens on the disk before a late step is done, in case the others wait for it. */
const IDLE_MS = 200;
const MAX_LOOKS = 100;

const READS: readonly string[] = ['listFiles', 'listNames', 'statFile', 'readFile'];

/** Returns the kinds of failures that differ for a step. */
export function getFailureKinds(step: string): readonly FailureKind[] {
  const [, operation = ''] = step.split(' ');
  if (READS.includes(operation)) return ['refused'];
  return operation === 'appendFile' ? ['refused', 'half', 'unanswered'] : ['refused', 'unanswered'];
}

class DiskFailure extends Error {}

/**
 * A folder of several windows in which one step of one of them fails. The windows hear of each other's changes right after
 * them, instead of when the system's watcher reports them.
 */
export class FailingFolder {
  /** The steps of the window that were counted, in order. */
  readonly steps: string[] = [];
  /** Whether steps are counted, and can fail. */
  isCounting = false;
  hasFailed = false;
  /** Settles when the other windows have done what a late step waits for. */
  others: Promise<unknown> = Promise.resolve();
  readonly #failing: FailingStep | undefined;
  readonly #failure = new DiskFailure('The step failed.');
  readonly #counts = new Map<string, number>();
  readonly #watchers = new Set<(name: string) => void>();
  #running = 0;
  #finished = 0;

  constructor(failing?: FailingStep) {
    this.#failing = failing;
  }

  /** `isFailing`: the storage of the window whose steps are counted. */
  createStorage(folder: string, isFailing: boolean): Storage {
    const steps = interceptSteps(new NodeStorage(folder), async (step) => {
      this.#running++;
      try {
        return await (isFailing && this.isCounting ? this.#count(step) : this.#change(step));
      } finally {
        this.#running--;
        this.#finished++;
      }
    });
    const watch: Storage['watch'] = (onChange) => {
      this.#watchers.add(onChange);
      return { started: Promise.resolve(), dispose: () => this.#watchers.delete(onChange) };
    };
    return new Proxy(steps, { get: (_, name: keyof Storage) => (name === 'watch' ? watch : steps[name]) });
  }

  /** Returns whether an error is the failure, or was caused by it. */
  isFailure(error: unknown): boolean {
    if (error === this.#failure) return true;
    return error instanceof Error && error.cause !== undefined && this.isFailure(error.cause);
  }

  /** Resolves when no window is doing anything on the disk. */
  async whenQuiet(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet++) {
      await setImmediate();
      if (this.#running > 0) quiet = -1;
    }
  }

  async #count(step: DiskStep): Promise<unknown> {
    const names = step.parameters.filter((each) => typeof each === 'string');
    const what = [step.operation, ...names].join(' ').replace(/\.lease-[\w-]+/, '.lease-TOKEN');
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const name = `${count} ${what}`;
    this.steps.push(name);
    if (name !== this.#failing?.step) return this.#change(step);
    this.hasFailed = true;
    const { kind } = this.#failing;
    if (kind === 'late') await this.#wait();
    if (kind === 'late' || kind === 'answered late') {
      const result = await this.#change(step);
      if (kind === 'answered late') await this.#wait();
      return result;
    }
    if (step.operation === 'appendFile') throw await this.#failAppend(step);
    if (kind !== 'refused') await this.#change(step);
    throw this.#failure;
  }

  async #failAppend(step: DiskStep): Promise<AppendError> {
    const [name, bytes, options] = step.parameters as Parameters<Storage['appendFile']>;
    const part = { refused: 0, half: 0.5, unanswered: 1 }[String(this.#failing?.kind)] ?? 0;
    const written = bytes.subarray(0, bytes.length * part);
    const isThere = written.length > 0 && (await this.#change(step, [name, written, options])) !== undefined;
    return new AppendError(name, isThere ? written.length : 0, this.#failure);
  }

  /** Waits until the other windows are done, or wait themselves. */
  async #wait(): Promise<void> {
    this.#running--;
    let isDone = false;
    void this.others.finally(() => {
      isDone = true;
    });
    // Another window that asks for a lease again and again is never idle.
    for (let idleMs = 0, looks = 0; idleMs < IDLE_MS && looks < MAX_LOOKS && !isDone; idleMs += 10, looks++) {
      const finished = this.#finished;
      await sleep(10);
      if (this.#running > 0 || finished !== this.#finished) idleMs = 0;
    }
    if (isDone) await this.whenQuiet();
    this.#running++;
  }

  async #change(step: DiskStep, parameters = step.parameters): Promise<unknown> {
    const result = await step.run(parameters);
    const isMissing = result === false || (step.operation === 'appendFile' && result === undefined);
    if (READS.includes(step.operation) || isMissing) return result;
    for (const name of parameters)
      if (typeof name === 'string') void setImmediate().then(() => this.#report(name));
    return result;
  }

  #report(name: string): void {
    for (const onChange of this.#watchers) onChange(name);
  }
}
