import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { getVSCodeRelease, vscodeVersions } from './browserInstall';
import { getCacheDir, repositoryRoot } from './cacheDir';

/**
 * Whether tests run in a desktop VS Code: one set in the environment, or a download if there is a desktop.
 */
export function prefersDesktop(): boolean {
  const { PARLEY_VSCODE, DISPLAY, WAYLAND_DISPLAY } = process.env;
  return Boolean(PARLEY_VSCODE || process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY);
}

/**
 * Finds the VS Code for runTests: `PARLEY_VSCODE`, a desktop VS Code if there is a desktop, or else the
 * browser's.
 */
export async function findTestExecutable(): Promise<string> {
  if (process.env.PARLEY_VSCODE) return process.env.PARLEY_VSCODE;
  if (prefersDesktop()) {
    try {
      return await downloadAndUnzipVSCode({
        version: vscodeVersions[getVSCodeRelease()],
        cachePath: getCacheDir(),
      });
    } catch (error) {
      console.log(`Desktop VS Code can't be downloaded (${error}): using the browser's.`);
    }
  }
  return path.join(repositoryRoot, 'test/vscode/asDesktop.mjs');
}
