import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNpm, withProgress } from './run.mjs';

/**
 * Installs the packages of a folder below test/, which only some tests need, if its lock file has changed
 * since the last time. `what` completes "Installing …". After a change of its package.json, create the lock
 * file with `npm install --package-lock-only --omit-lockfile-registry-resolved`.
 */
export async function ensureFolderInstalled(folder: string, what: string): Promise<void> {
  const stamp = path.join(folder, 'node_modules', '.parley-lock-hash');
  const lockHash = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) return;
  await withProgress(`Installing ${what}`, () =>
    runNpm(['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder }),
  );
  writeFileSync(stamp, lockHash);
}
