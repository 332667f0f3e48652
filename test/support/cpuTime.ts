import assert from 'node:assert/strict';

/** How many times as large the larger input is. */
const GROWTH = 16;
/** How many times as long the larger input may take: four times as long as linear work, a quarter of quadratic work. */
const MAX_COST_RATIO = 64;
/** The larger input is measured at most this often; the fastest time counts. */
const ROUNDS = 3;
/** From here on, no other round could change the result. */
const HOPELESS_COST_RATIO = 2 * MAX_COST_RATIO;
/** In less time than this, in ms, compilation, garbage collection and a fixed cost would hide how the work grows. */
const MIN_COST_MS = 50;
/** How often the size may double until the work takes long enough. */
const MAX_DOUBLINGS = 24;

export interface GrowthOptions {
  /** Resolves to the cost of a piece of work; by default its CPU time in ms. */
  readonly measure?: (work: () => unknown) => Promise<number>;
  /** The cost from which sizes are compared. */
  readonly minCost?: number;
}

/**
 * Resolves to the CPU time that this process spent on `work`, in ms; the load of the machine doesn't matter.
 */
export async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Fails if `work` grows faster than its input: 16 times the size may take 64 times as long, quadratic work takes 256 times
 * as long. Starts at `size`, and doubles it until the work takes long enough to compare, so that this holds on a machine of
 * any speed.
 */
export async function assertLinear(
  work: (size: number) => unknown,
  size: number,
  { measure = measureCpu, minCost = MIN_COST_MS }: GrowthOptions = {},
): Promise<void> {
  const measureSize = (inputSize: number) => measure(() => work(inputSize));
  let compared = size;
  let small = await measureSize(compared);
  let large = Number.POSITIVE_INFINITY;
  for (let round = 0; ; ) {
    small = Math.min(small, await measureSize(compared));
    if (small < minCost) {
      assert.ok(compared < size * 2 ** MAX_DOUBLINGS, `${compared} takes too little time to compare`);
      compared *= 2;
      small = await measureSize(compared);
      large = Number.POSITIVE_INFINITY;
      round = 0;
      continue;
    }
    if (large <= MAX_COST_RATIO * small) return;
    if (round === ROUNDS || (round > 0 && large > HOPELESS_COST_RATIO * small)) break;
    large = Math.min(large, await measureSize(GROWTH * compared));
    round++;
  }
  assert.fail(`${small.toFixed()} ms for ${compared}, ${large.toFixed()} ms for ${GROWTH} times as much`);
}
