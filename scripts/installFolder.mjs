import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNpm } from './npm.mjs';
import { withProgress } from './progress.mjs';

/**
 * Installs the packages of a package.json below test/, which only one kind of test needs, where that file has changed since
 * the last time. `what` completes "Installing …".
 */
export async function ensureFolderInstalled(folder, what) {
  const stamp = path.join(folder, 'node_modules', '.parley-manifest-hash');
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await withProgress(`Installing ${what}`, () =>
    runNpm(['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'], { cwd: folder }),
  );
  writeFileSync(stamp, wanted);
}
