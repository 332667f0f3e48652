import assert from 'node:assert/strict';

/** The number of measurements per size; the fastest one counts. */
const MEASUREMENTS = 5;
/** Below this duration, other work of the process (compilation, garbage collection) distorts the result. */
const NOISE_MS = 20;

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
 * Fails if `work` takes more than eight times as long for four times the size; quadratic work would take 16 times as
 * long. Twice the size would leave less room for garbage collection.
 */
export async function assertLinear(work: (size: number) => unknown, size: number): Promise<void> {
  const measure = async (inputSize: number) => {
    const times: number[] = [];
    for (let round = 0; round < MEASUREMENTS; round++) times.push(await measureCpu(() => work(inputSize)));
    return Math.min(...times);
  };
  const [once, fourfold] = [await measure(size), await measure(4 * size)];
  assert.ok(
    fourfold < 8 * Math.max(once, NOISE_MS),
    `${once.toFixed()} ms for ${size}, ${fourfold.toFixed()} ms for four times as much`,
  );
}
