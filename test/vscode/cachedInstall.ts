import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runNpm, withProgress } from '../../scripts/run.mjs';
import { getSharedCacheDir } from './cacheDir';
import { isRunning } from './processGroup';

/** npm's flags for packages that run as they are unpacked. */
export const quietFlags: readonly string[] = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];

interface CachedInstall {
  /** The folder with the package.json and the lock file. */
  readonly source: string;
  /** The folder's name in the cache; a hash is appended. */
  readonly name: string;
  /** Increment this when the steps change, so that an older installation isn't reused. */
  readonly revision: string;
  /** Completes "Installing …". */
  readonly what: string;
  /** The steps after `npm ci`, in the folder with its node_modules. */
  readonly complete?: (folder: string) => Promise<void>;
}

/**
 * Installs npm packages into a cache shared by all clones, once for each lock file; returns their folder. Throws an
 * Error with a readable message if npm fails.
 */
export async function installInCache(install: CachedInstall): Promise<string> {
  const { source, name, revision, what } = install;
  const parent = getSharedCacheDir('vscode');
  const hash = createHash('sha256')
    .update(await readFile(path.join(source, 'package-lock.json')))
    .update(revision)
    .digest('hex');
  const folder = path.join(parent, `${name}-${hash.slice(0, 12)}`);
  if (!existsSync(folder)) {
    await withProgress(`Installing ${what}`, () => installInto(install, parent, folder));
  }
  return folder;
}

async function installInto(
  { source, complete }: CachedInstall,
  parent: string,
  folder: string,
): Promise<void> {
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  // Installs to a temporary folder and renames it, so that another process never starts an incomplete
  // installation.
  const partial = path.join(parent, `.partial-${process.pid}-${path.basename(folder)}`);
  await cp(source, partial, { recursive: true });
  try {
    await runNpm(['ci', ...quietFlags], { cwd: partial });
    await complete?.(partial);
    await rename(partial, folder);
  } catch (error) {
    // If another process was faster, its folder is used.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^\.partial-(\d+)/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}
