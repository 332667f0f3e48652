import assert from 'node:assert/strict';
import { assertLinear } from './cpuTime';

describe('assertLinear', () => {
  /** Compares the number of steps that `getSteps` returns for a size, each of which counts as 1 ms. */
  async function compareSteps(getSteps: (size: number) => number): Promise<readonly number[]> {
    let steps = 0;
    const sizes: number[] = [];
    const work = (size: number) => {
      sizes.push(size);
      steps += getSteps(size);
    };
    const measure = async (measured: () => unknown) => {
      const before = steps;
      await measured();
      return steps - before;
    };
    await assertLinear(work, 1, { measure });
    return sizes;
  }

  it('accepts linear work and work that is a little more', async () => {
    await compareSteps((size) => size);
    await compareSteps((size) => 40 + size / 3);
    await compareSteps((size) => size * Math.log2(size + 1));
  });

  it('rejects quadratic work of any speed, also beside a fixed cost', async () => {
    for (const factor of [1e-9, 1e-6, 0.001, 1, 49, 1000]) {
      await assert.rejects(
        compareSteps((size) => factor * size * size),
        /times as much/,
        `${factor}`,
      );
    }
    await assert.rejects(compareSteps((size) => 15 + 0.01 * size * size));
  });

  it('compares the fastest of several rounds', async () => {
    // The first time that a size is measured takes six times as long.
    const slowAtFirst = (getSteps: (size: number) => number) => {
      const measured = new Set<number>();
      return (size: number) => {
        const isFirst = !measured.has(size);
        measured.add(size);
        return getSteps(size) * (isFirst ? 6 : 1);
      };
    };
    await compareSteps(slowAtFirst((size) => size));
    await assert.rejects(compareSteps(slowAtFirst((size) => size * size)));
  });

  it('compares the same amount of work if much of it costs more, as by garbage collection', async () => {
    const collecting = (getSteps: (size: number) => number) => {
      let uncollected = 0;
      return (size: number) => {
        uncollected += size;
        const collected = uncollected < 400 ? 0 : uncollected;
        uncollected -= collected;
        return getSteps(size) + 5 * collected;
      };
    };
    await compareSteps(collecting((size) => size));
    await assert.rejects(compareSteps(collecting((size) => size * size)));
  });

  it('accepts work that costs more from some size on, as when it outgrows the processor’s caches', async () => {
    await compareSteps((size) => (size < 500 ? size : 6 * size));
    await assert.rejects(compareSteps((size) => (size < 500 ? size : (size * size) / 150)));
  });

  it('starts again with the larger size if a later round takes too little time', async () => {
    // As before a function is compiled.
    let calls = 0;
    await compareSteps((size) => (size === 1 && ++calls > 2 ? 20 : size === 16 ? 60 * 65 : 60 * size));
  });

  it('increases the size until the work takes just long enough, and not for ever', async () => {
    const largest = Math.max(...(await compareSteps((size) => size)));
    assert.ok(largest >= 16 * 50 && largest < 16 * 64, `${largest}`);
    await assert.rejects(
      compareSteps(() => 0),
      /too little time/,
    );
  });
});
