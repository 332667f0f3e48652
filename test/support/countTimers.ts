/** Counts the timers that keep this process running. */
export function countTimers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

/** Resolves when all timers but `count` have ended; never if one repeats. */
export async function waitForTimers(count: number): Promise<void> {
  while (countTimers() > count) await new Promise((resolve) => setTimeout(resolve, 10));
}
