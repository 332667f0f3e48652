import { availableParallelism } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../vscode/cacheDir';
import { spawnGroup } from '../vscode/processGroup';

/** How often a core of a quick machine does the known work in a second. */
const QUICK_WORKS_PER_SECOND = 20;
/** What all tests took in a run on a quick machine, summed over its lanes, in seconds. */
const USUAL_LANE_SECONDS = 3100;
/** A machine is slow if it takes more than this many times as long as a quick one. */
const SLOW = 1.5;

/** How fast the machine is now, beside what else runs on it. */
export interface MachineSpeed {
  readonly cores: number;
  /** How many times as long it takes as a quick machine. */
  readonly slowness: number;
}

/** Does the known work for a second in a process for each core, after it is compiled, and prints how often. */
const SCRIPT = `
  const { doKnownWork } = require(${JSON.stringify(path.join(repositoryRoot, 'test/support/knownWork.ts'))});
  for (let round = 0; round < 3; round++) doKnownWork();
  const start = performance.now();
  let works = 0;
  for (; performance.now() - start < 1000; works++) doKnownWork();
  console.log(works / (performance.now() - start) * 1000);
`;

/** Measures the speed in a second, with all cores at once. */
export async function measureMachine(): Promise<MachineSpeed> {
  const cores = availableParallelism();
  const rates = await Promise.all(Array.from({ length: cores }, measureCore));
  const rate = rates.reduce((sum, each) => sum + each, 0) / cores;
  return { cores, slowness: QUICK_WORKS_PER_SECOND / rate };
}

async function measureCore(): Promise<number> {
  const { child, ended } = spawnGroup(process.execPath, ['--import', 'tsx', '-e', SCRIPT], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  await ended;
  return Number(output);
}

/**
 * Returns how many test files or commands should run in parallel: more than there are cores, because tests also wait, but not
 * on a slow machine, where they would only wait for each other.
 */
export function chooseLanes({ cores, slowness }: MachineSpeed): number {
  return slowness > SLOW ? Math.max(2, cores) : cores + Math.ceil(cores / 2);
}

/** Describes the machine, and how long a whole run will take on it. */
export function describeMachine(
  { cores, slowness }: MachineSpeed,
  lanes: number,
  isWholeRun: boolean,
): string {
  const minutes = (USUAL_LANE_SECONDS * slowness) / lanes / 60;
  return [
    `${cores} cores, each taking ${slowness.toFixed(1)} times as long as a quick machine's: ${lanes} lanes`,
    ...(isWholeRun ? [`about ${Math.ceil(minutes)} minutes`] : []),
  ].join(', ');
}
