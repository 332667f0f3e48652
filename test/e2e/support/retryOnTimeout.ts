import { errors } from 'playwright-core';

/** Repeats steps that VS Code may undo by itself, such as opening a menu, until they don't exceed their own time limits. */
export async function retryOnTimeout<T>(timeoutMs: number, steps: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; ) {
    try {
      return await steps();
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || performance.now() > deadline) throw error;
    }
  }
}
