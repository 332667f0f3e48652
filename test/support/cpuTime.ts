import assert from 'node:assert/strict';

/** Measurements of each size; the best of them counts. */
const ROUNDS = 5;
/** Below this many ms, what else this process does (compiling, collecting garbage) counts too much. */
const NOISE_MS = 20;

/** Resolves to the ms for which this process was busy with `work`; what else the machine does counts for nothing. */
export async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Fails where `work` with twice the size takes more than three times as long: four times would be the square. */
export async function assertLinear(work: (size: number) => unknown, size: number): Promise<void> {
  const measure = async (each: number) => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await measureCpu(() => work(each)));
    return Math.min(...times);
  };
  const [once, twice] = [await measure(size), await measure(2 * size)];
  assert.ok(
    twice < 3 * Math.max(once, NOISE_MS),
    `${once.toFixed()} ms for ${size}, ${twice.toFixed()} ms for twice as much`,
  );
}
