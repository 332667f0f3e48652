import assert from 'node:assert/strict';

/** How many times as large the larger input is. */
const GROWTH = 16;
/** How many times as long the larger input may take: four times as long as linear work, a quarter of quadratic work. */
const MAX_COST_RATIO = 64;
/** The larger input is measured at most this often; the fastest time counts. */
const ROUNDS = 3;
/** In doubt, an input this many times as large as the larger one is measured as well. */
const NEXT_GROWTH = 4;
/** How many times as long that one may take: twice as long as linear work, half of quadratic work. */
const MAX_NEXT_COST_RATIO = 8;
/** From here on, no other round could change the result. */
const HOPELESS_COST_RATIO = 2 * MAX_COST_RATIO;
/** In less time than this, in ms, compilation, garbage collection and a fixed cost would hide how the work grows. */
const MIN_COST_MS = 50;
/** By how much the size may grow until the work takes long enough, in one step and in all. */
const MIN_STEP = 1.25;
const MAX_STEP = 4;
const MAX_STEPS = 2 ** 24;

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
 * as long. Starts at `size`, which should take little time, and increases it until the work takes just long enough to
 * compare, so that this holds, and takes about two seconds, on a machine of any speed. What the larger input may cost is at
 * last compared with the same amount of work on smaller ones: a garbage collection may be missing from a single one. What
 * outgrows the processor's caches costs several times as much, but only once: in doubt, an even larger input decides.
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
      assert.ok(compared < size * MAX_STEPS, `${compared} takes too little time to compare`);
      const step = Math.min(MAX_STEP, Math.max(MIN_STEP, (1.1 * minCost) / small));
      compared = Math.ceil(compared * step);
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
  const runRepeatedly = async () => {
    for (let run = 0; run < GROWTH; run++) await work(compared);
  };
  small = Math.max(small, (await measure(runRepeatedly)) / GROWTH);
  if (large <= MAX_COST_RATIO * small) return;
  if (large <= HOPELESS_COST_RATIO * small) {
    const next = await measureSize(NEXT_GROWTH * GROWTH * compared);
    if (next <= MAX_NEXT_COST_RATIO * large) return;
  }
  assert.fail(`${small.toFixed()} ms for ${compared}, ${large.toFixed()} ms for ${GROWTH} times as much`);
}
