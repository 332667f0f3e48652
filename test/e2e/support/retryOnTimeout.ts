import { errors } from 'playwright-core';
import { Wait } from '../../service/hang';

/** How many times as long as at first the steps may take at most: on a slow machine, the first tries are too short. */
export const MAX_PATIENCE = 8;

/**
 * Repeats steps that VS Code may undo by itself, such as opening a menu, until they don't exceed their own time limits, which
 * they multiply by `patience`.
 */
export async function retryOnTimeout<T>(steps: (patience: number) => Promise<T>): Promise<T> {
  const wait = new Wait();
  for (let patience = 1; ; patience = Math.min(2 * patience, MAX_PATIENCE)) {
    try {
      return await steps(patience);
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || wait.isInVain) throw error;
    }
  }
}
