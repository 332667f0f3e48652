import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppendError, type Storage } from '../../../../src/chat/store/files/storage';
import type { Gate } from './vscodeFiles';

/** Windows that share files and can end, or fail, at every step of the file system. */
export interface CrashFixture {
  /** Opens a window. Its storage waits for the gate before each step; what waits for good belongs to a window that ended. */
  open(gate: Gate): CrashWindow;
  close(): Promise<void>;
}

export interface CrashWindow {
  readonly storage: Storage;
  /** Runs work of this window. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What happens to a window's locks and running calls when it ends. */
  end(): Promise<void> | void;
  /** Whether the window can't reach its files any more, for good. */
  isLost?(): boolean;
}

export const encode = (text: string) => new TextEncoder().encode(text);

/**
 * The runs of steps that fail in a window, counted from its start, and the step at which it ends. One step may fail because
 * the disk is full, all from one on because a database was closed.
 */
export const faults = fc.record({
  failing: fc.array(fc.record({ from: fc.nat(60), count: fc.constantFrom(1, 2, 3, 5, 10, 20) }), {
    maxLength: 3,
  }),
  ending: fc.option(fc.nat(60), { nil: undefined }),
});
export type Faults = typeof faults extends fc.Arbitrary<infer T> ? T : never;

export class Ended extends Error {}

/** What a step of the file system throws. */
export class Fault extends Error {}

export const isFault = (error: unknown) =>
  error instanceof Fault || (error instanceof Error && error.cause instanceof Fault);

/** Runs one window's work until it is done or the window ends. */
export class TestWindow {
  readonly #fixture: CrashWindow;
  /** Rejects when the window ends. */
  readonly #ended: Promise<never>;
  #steps = 0;
  #isFailing = true;
  hasEnded = false;

  constructor(fixture: CrashFixture, { failing, ending }: Faults, wait: () => Promise<unknown>) {
    let end: (reason: Ended) => void = () => undefined;
    this.#ended = new Promise((_, reject) => {
      end = reject;
    });
    this.#ended.catch(() => undefined);
    this.#fixture = fixture.open(async (operation, name) => {
      if (this.#isFailing) await wait();
      if (!this.#isFailing) return;
      const step = this.#steps++;
      if (step === ending) {
        this.hasEnded = true;
        await this.#fixture.end();
        end(new Ended());
      }
      if (this.hasEnded) await new Promise(() => undefined);
      if (failing.some(({ from, count }) => step >= from && step < from + count))
        throw new Fault(`${operation} of ${name} fails`);
    });
  }

  /** No step fails or ends the window any more. */
  stopFailing(): void {
    this.#isFailing = false;
  }

  /** Whether the window can still be asked. */
  get isUsable(): boolean {
    return !this.hasEnded && !this.#fixture.isLost?.();
  }

  get storage(): Storage {
    return this.#fixture.storage;
  }

  /** Throws `Ended` if the window ends meanwhile. */
  run<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#fixture.run(() => Promise.race([work(this.storage), this.#ended]));
  }
}

export const NO_FAULTS: Faults = { failing: [], ending: undefined };

/** Appends a line as `TranscriptFile` does: what failed is repeated, except for what was written all the same. */
export async function appendLine(
  storage: Storage,
  name: string,
  line: string,
  tries: number,
): Promise<boolean> {
  let bytes = encode(line);
  for (let left = tries; left > 0; left--) {
    try {
      return (await storage.appendFile(name, bytes, { durable: true, create: true })) !== undefined;
    } catch (error) {
      assert.ok(error instanceof AppendError);
      bytes = bytes.subarray(error.written);
    }
  }
  return false;
}
