import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { getVSCodeRelease, vscodeVersions } from './browserInstall';
import { cacheDir, repositoryRoot } from './cacheDir';

/** Whether tests inside VS Code run in a desktop's: one that is named, or a download where a desktop is. */
export function prefersDesktop(): boolean {
  const { PARLEY_VSCODE, DISPLAY, WAYLAND_DISPLAY } = process.env;
  return Boolean(PARLEY_VSCODE || process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY);
}

/** What runTests starts: the one that `PARLEY_VSCODE` names, a desktop VS Code where a desktop is, else the browser's. */
export async function findTestExecutable(): Promise<string> {
  if (process.env.PARLEY_VSCODE) return process.env.PARLEY_VSCODE;
  if (prefersDesktop()) {
    try {
      return await downloadAndUnzipVSCode({
        version: vscodeVersions[getVSCodeRelease()],
        cachePath: cacheDir(),
      });
    } catch (error) {
      console.log(`Desktop VS Code can't be downloaded (${error}): using the browser's.`);
    }
  }
  return path.join(repositoryRoot, 'test/vscode/asDesktop.mjs');
}
