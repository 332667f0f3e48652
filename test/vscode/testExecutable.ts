import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { getVSCodeRelease, vscodeVersions } from './browserInstall';
import { cacheDir, repositoryRoot } from './cacheDir';

/** What runTests starts: the one that `PARLEY_VSCODE` names, a desktop VS Code where a desktop is, else the browser's. */
export async function findTestExecutable(): Promise<string> {
  if (process.env.PARLEY_VSCODE) return process.env.PARLEY_VSCODE;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) {
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
