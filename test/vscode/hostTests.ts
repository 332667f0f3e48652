import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { vscodeVersion } from './browserInstall';
import { cacheDir, repositoryRoot } from './cacheDir';
import { quietSettings } from './quietSettings';

/** The VS Code to run them in: the one that `PARLEY_VSCODE` names, a desktop one where a desktop is, else the browser's. */
async function findVSCode(): Promise<string> {
  if (process.env.PARLEY_VSCODE) return process.env.PARLEY_VSCODE;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) {
    try {
      return await downloadAndUnzipVSCode({ version: vscodeVersion, cachePath: cacheDir() });
    } catch (error) {
      console.log(`Desktop VS Code can't be downloaded (${error}): using the browser's.`);
    }
  }
  return path.join(repositoryRoot, 'test/vscode/asDesktop.mjs');
}

/** Runs the bundled tests of test/host in a VS Code with a new profile and a copy of the sample folder. */
async function runHostTests(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-host-'));
  const [userDataDir, workspace] = [path.join(dir, 'user'), path.join(dir, 'workspace')];
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  await writeFile(path.join(userDataDir, 'User', 'settings.json'), JSON.stringify(quietSettings));
  await cp(path.join(repositoryRoot, 'test/vscode/sample-workspace'), workspace, { recursive: true });
  try {
    await runTests({
      vscodeExecutablePath: await findVSCode(),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: path.join(repositoryRoot, 'dist/test/host/index'),
      launchArgs: [
        workspace,
        `--user-data-dir=${userDataDir}`,
        `--extensions-dir=${path.join(dir, 'extensions')}`,
      ],
    });
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

runHostTests().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
