import * as files from 'node:fs/promises';
import { sleep } from '../../client/sleep';

/**
 * Error codes of Windows while another process has a file open: another window that reads it, an indexer, a virus scanner. VS
 * Code tries renames again for the same errors (`src/vs/base/node/pfs.ts`).
 */
const BUSY_CODES: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** Pauses between attempts, in ms; less than two seconds in all. */
export const BUSY_PAUSES_MS = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610];

/** Repeats an operation that failed because a file is open elsewhere, on Windows only; throws its last error. */
export async function retryWhileBusy<T>(
  operate: () => Promise<T>,
  platform: NodeJS.Platform = process.platform,
  pauses: readonly number[] = BUSY_PAUSES_MS,
): Promise<T> {
  for (const pause of platform === 'win32' ? pauses : []) {
    try {
      return await operate();
    } catch (error) {
      if (!BUSY_CODES.includes((error as NodeJS.ErrnoException).code)) throw error;
      await sleep(pause);
    }
  }
  return await operate();
}

/** As in `node:fs/promises`, but waits a while for files that are open elsewhere. */
export const open = (...args: Parameters<typeof files.open>): ReturnType<typeof files.open> =>
  retryWhileBusy(() => files.open(...args));

export const rename = (from: string, to: string): Promise<void> =>
  retryWhileBusy(() => files.rename(from, to));

export const rm = (file: string, options?: { readonly force: boolean }): Promise<void> =>
  retryWhileBusy(() => files.rm(file, options));
