import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { installExtension } from './browserVSCode';
import { getCacheDir } from './cacheDir';

/**
 * Copies an installed `.vsix` into a new extensions folder. Each version is installed once and then copied.
 */
export async function copyInstalledExtension(vsix: string, extensionsDir: string): Promise<void> {
  const hash = createHash('sha256')
    .update(await readFile(vsix))
    .digest('hex')
    .slice(0, 16);
  const template = getCacheDir('installed', hash);
  if (!existsSync(template)) await installTemplate(vsix, template);
  await cp(template, extensionsDir, { recursive: true });
}

async function installTemplate(vsix: string, template: string): Promise<void> {
  const partial = `${template}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    await installExtension(vsix, {
      userDataDir: path.join(partial, 'user'),
      extensionsDir: path.join(partial, 'extensions'),
    });
    await rename(path.join(partial, 'extensions'), template);
  } catch (error) {
    // If another process was faster, its folder is used.
    if (!existsSync(template)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
