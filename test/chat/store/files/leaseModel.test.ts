import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_LEASE_TIMES, type Lease, Leases } from '../../../../src/chat/store/files/lease';
import { cases } from '../../../support/fuzz';
import { MemoryStorage, SharedFiles } from '../support/memoryStorage';

const { heartbeatMs, staleMs } = DEFAULT_LEASE_TIMES;

/** One of the windows: a new one takes its place when it ends. */
interface Window {
  storage: MemoryStorage;
  leases: Leases;
  lease: Lease | undefined;
  /** Until when it may not know that this lease was taken over. */
  unawareUntil: number;
}

/** Windows that share a folder, on clocks that differ and are set. */
class Windows {
  /** What all monotonic clocks show, in ms. */
  time = 0;
  /** What the clock of dates shows in addition. */
  offset = 0;
  readonly #shared = new SharedFiles(() => this.now());
  readonly #all: Window[];
  #steps = 0;

  constructor(count: number) {
    this.#all = Array.from({ length: count }, (_, index) => this.#open(index));
  }

  now(): number {
    return 1_700_000_000_000 + this.time + this.offset;
  }

  /** Lets a window acquire the lease; fails if it gets that of a window that is alive. */
  async acquire(index: number, force: boolean): Promise<boolean> {
    const window = this.#get(index);
    if (this.#holds(window)) return true;
    await this.release(index);
    const others = this.#all.filter((other) => this.#holds(other) && other.unawareUntil <= this.time);
    const acquired = window.leases.acquire('c', force);
    await this.#settle();
    const lease = await acquired;
    if ('heldBy' in lease) return false;
    window.lease = lease;
    window.unawareUntil = this.time;
    assert.ok(
      force || !others.some((other) => this.#holds(other)),
      'took the lease of a window that is alive',
    );
    for (const other of others) other.unawareUntil = this.time + heartbeatMs;
    return true;
  }

  /** Lets all windows acquire the lease at the same time. */
  async race(): Promise<void> {
    await Promise.all([...this.#all.keys()].map((index) => this.acquire(index, false)));
  }

  async isHeldElsewhere(index: number): Promise<boolean> {
    const holder = this.#get(index).leases.findOtherHolder('c');
    await this.#settle();
    return (await holder) !== undefined;
  }

  async release(index: number): Promise<void> {
    const window = this.#get(index);
    const released = window.lease?.release();
    window.lease = undefined;
    await this.#settle();
    await released;
  }

  /** Ends a window at once, and opens another in its place. */
  end(index: number): void {
    this.#get(index).storage.end();
    this.#all[index] = this.#open(index);
  }

  async wait(ms: number): Promise<void> {
    for (const end = this.time + ms; this.time < end; ) {
      const step = Math.min(100, end - this.time);
      this.time += step;
      mock.timers.tick(step);
      await this.#settle();
      this.check();
    }
  }

  /** The machine sleeps: clocks go on, timers don't. */
  sleep(ms: number): void {
    for (const each of this.#all) if (each.unawareUntil > this.time) each.unawareUntil += ms;
    this.time += ms;
  }

  check(): void {
    const sure = this.#all.filter((each) => this.#holds(each) && each.unawareUntil <= this.time);
    assert.ok(sure.length <= 1, 'two windows hold the lease');
  }

  async close(): Promise<void> {
    for (const index of this.#all.keys()) await this.release(index);
  }

  #holds({ lease }: Window): boolean {
    return lease !== undefined && !lease.lost.aborted;
  }

  #get(index: number): Window {
    return this.#all[index] ?? assert.fail();
  }

  #open(index: number): Window {
    const storage = new MemoryStorage(this.#shared, () => this.#steps++);
    const times = { ...DEFAULT_LEASE_TIMES, now: () => this.time };
    return {
      storage,
      leases: new Leases(storage, `window ${index}`, times),
      lease: undefined,
      unawareUntil: 0,
    };
  }

  /** Waits until no window does anything any more. */
  async #settle(): Promise<void> {
    for (let before = -1; before !== this.#steps; ) {
      before = this.#steps;
      for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    }
  }
}

const windowIndex = fc.nat(2);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('acquire' as const), window: windowIndex }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('takeOver' as const), window: windowIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), window: windowIndex }) },
  { weight: 2, arbitrary: fc.constant({ do: 'race' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), window: windowIndex }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(100, 900, 2500, 5100, 11_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('setClock' as const),
      ms: fc.constantFrom(-3_600_000, -6000, -1000, -900, 900, 1000, 6000, 3_600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sleep' as const), ms: fc.constant(3_600_000) }) },
);

describe('Leases of three windows', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  async function run(work: (windows: Windows) => Promise<void>): Promise<void> {
    const windows = new Windows(3);
    const clock = mock.method(Date, 'now', () => windows.now());
    try {
      await work(windows);
    } finally {
      await windows.close();
      clock.mock.restore();
    }
  }

  it('are held by one at a time, are never taken from a living one without force, and outlive no dead one [fault 52]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), windowIndex, (steps, last) =>
        run(async (windows) => {
          for (const each of steps) {
            if (each.do === 'acquire') await windows.acquire(each.window, false);
            else if (each.do === 'takeOver') await windows.acquire(each.window, true);
            else if (each.do === 'release') await windows.release(each.window);
            else if (each.do === 'race') await windows.race();
            else if (each.do === 'end') windows.end(each.window);
            else if (each.do === 'wait') await windows.wait(each.ms);
            else if (each.do === 'setClock') windows.offset += each.ms;
            else windows.sleep(each.ms);
            windows.check();
          }
          // Whoever is left over is gone.
          for (const index of [0, 1, 2]) if (index !== last) windows.end(index);
          let hasIt = await windows.acquire(last, false);
          for (let tries = 0; tries < 2 && !hasIt; tries++) {
            await windows.wait(staleMs + 100);
            hasIt = await windows.acquire(last, false);
          }
          assert.ok(hasIt, 'a dead window keeps the lease');
        }),
      ),
      cases(300),
    );
  });

  it('are free five seconds after a window that looked at one before has seen no heartbeat', async () => {
    await run(async (windows) => {
      assert.ok(await windows.acquire(0, false));
      windows.end(0);
      assert.ok(!(await windows.acquire(1, false)));
      await windows.wait(staleMs);
      assert.ok(await windows.acquire(1, false));
    });
  });

  it('are kept by a window whose machine sleeps, however long', async () => {
    await run(async (windows) => {
      assert.ok(await windows.acquire(0, false));
      assert.ok(!(await windows.acquire(1, false)));
      windows.sleep(3_600_000);
      assert.ok(!(await windows.acquire(1, false)));
      await windows.wait(staleMs);
      assert.ok(!(await windows.acquire(1, false)));
    });
  });

  it('are free for a window that comes back after it has seen that the holder is gone', async () => {
    await run(async (windows) => {
      assert.ok(await windows.acquire(0, false));
      windows.end(0);
      assert.ok(!(await windows.acquire(1, false)));
      await windows.wait(staleMs);
      // Somebody else asks, and leaves it.
      assert.ok(!(await windows.isHeldElsewhere(1)));
      await windows.wait(60_000);
      assert.ok(await windows.acquire(1, false));
    });
  });

  it('are free at once for the window that couldn’t remove its own', async () => {
    const shared = new SharedFiles(() => 0);
    class KeepingStorage extends MemoryStorage {
      override async removeFile(): Promise<boolean> {
        throw new Error('Kept');
      }
    }
    const leases = new Leases(new KeepingStorage(shared), 'window');
    const lease = await leases.acquire('c');
    assert.ok('release' in lease);
    await assert.rejects(lease.release());
    assert.ok('release' in (await leases.acquire('c')));
    await leases.dispose().catch(() => undefined);
  });
});
