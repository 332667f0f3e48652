import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { getSharedCacheDir } from '../../vscode/cacheDir';
import { findChromium } from '../../vscode/chromium';
import { startBrowser } from './browser';

/** The folders of a profile that Chromium keeps scripts and their compiled code in, and nothing else. */
const CACHE_FOLDERS = ['Cache', 'Code Cache'].map((name) => path.join('Default', name));
/** Chromium stores a script on its first use, its compiled code after the second, and more of that after the third. */
const WARM_UP_LOADS = 3;

/**
 * Copies the compiled code of VS Code's scripts into a new browser profile, so that its first windows open in
 * half the time. The code is made on first use, by `load` in pages of another profile, and kept in the user's
 * cache, by version.
 */
export async function copyWarmCache(
  profile: string,
  vscodeVersion: string,
  vscodePort: number,
  load: (page: Page) => Promise<void>,
): Promise<void> {
  const { stdout } = await promisify(execFile)(await findChromium(), ['--version']);
  const version = `${vscodeVersion} ${stdout}`;
  const name = createHash('sha256').update(version).digest('hex').slice(0, 12);
  const folder = getSharedCacheDir('compiled', name);
  if (!existsSync(folder)) await create(folder, vscodePort, load);
  await mkdir(path.join(profile, 'Default'), { recursive: true });
  for (const cache of CACHE_FOLDERS) {
    await cp(path.join(folder, cache), path.join(profile, cache), { recursive: true });
  }
}

async function create(
  folder: string,
  vscodePort: number,
  load: (page: Page) => Promise<void>,
): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const profile = await mkdtemp(`${folder}-`);
  try {
    const context = await startBrowser(profile, vscodePort);
    for (let count = 0; count < WARM_UP_LOADS; count++) {
      const page = await context.newPage();
      await load(page);
      await page.close();
    }
    await context.close();
    const made = path.join(profile, 'made');
    for (const cache of CACHE_FOLDERS) {
      await mkdir(path.dirname(path.join(made, cache)), { recursive: true });
      await rename(path.join(profile, cache), path.join(made, cache));
    }
    await rename(made, folder);
  } catch (error) {
    // If another process was faster, its folder is used.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
