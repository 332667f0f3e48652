import { onLockFileChange, runNpm, withProgress } from './run.mjs';

/**
 * Installs the packages of a folder below test/, which only some tests need, if its lock file has changed
 * since the last time. `what` completes "Installing …". After a change of its package.json, create the lock
 * file with `npm install --package-lock-only --omit-lockfile-registry-resolved`.
 */
export async function ensureFolderInstalled(folder: string, what: string): Promise<void> {
  await onLockFileChange(folder, () =>
    withProgress(`Installing ${what}`, () =>
      runNpm(['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder }),
    ),
  );
}
