import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { withProgress } from '../../scripts/run.mjs';
import { repositoryRoot } from './cacheDir';

const run = promisify(execFile);

/** What makes a headless Chromium quiet and willing to start as root and in containers. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A shell without Chromium's own interface comes first: it starts sooner and opens pages with less work. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
];
const usualPlaces: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => {
    const base = process.env[name];
    return base === undefined
      ? []
      : [
          path.join(base, 'Google\\Chrome\\Application\\chrome.exe'),
          path.join(base, 'Microsoft\\Edge\\Application\\msedge.exe'),
        ];
  }),
};

/**
 * Finds a Chromium that runs: `PARLEY_CHROMIUM`, one that is installed, Playwright's own; else installs one, by Playwright's
 * download or, as root on Debian and Ubuntu, by apt-get. Throws an Error that says what to install.
 */
export async function findChromium(): Promise<string> {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) {
    if (await runs(named)) return named;
    throw new Error(`PARLEY_CHROMIUM names ${named}, which doesn't run as a Chromium.`);
  }
  return (
    (await firstThatRuns(installed())) ??
    (await withProgress("Trying Playwright's download of Chromium", downloadWithPlaywright)) ??
    (canUseApt() ? await withProgress('Installing Chromium with apt-get', installWithApt) : undefined) ??
    fail()
  );
}

function installed(): string[] {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix)));
  return [...onPath, ...(usualPlaces[process.platform] ?? []), chromium.executablePath()];
}

async function firstThatRuns(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await runs(candidate)) return candidate;
  return undefined;
}

/** Whether it is there and starts: Ubuntu's `chromium-browser` may be a note that a snap is missing. */
async function runs(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  // On Windows `--version` opens a window.
  if (process.platform === 'win32') return true;
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 20_000 });
    return /chrom|edge/i.test(stdout);
  } catch {
    return false;
  }
}

async function downloadWithPlaywright(): Promise<string | undefined> {
  const cli = path.join(repositoryRoot, 'node_modules/playwright-core/cli.js');
  try {
    await run(process.execPath, [cli, 'install', 'chromium'], { timeout: 300_000 });
  } catch {
    // No way to its download server: the next means is tried.
    return undefined;
  }
  return await firstThatRuns([chromium.executablePath()]);
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
}

async function installWithApt(): Promise<string | undefined> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update'], { env, maxBuffer: 2 ** 26 });
    const install = (name: string) =>
      run('apt-get', ['install', '--yes', '--no-install-recommends', name], { env, maxBuffer: 2 ** 26 });
    // Ubuntu has no package of the shell.
    await install('chromium-headless-shell').catch(() => install('chromium'));
  } catch (error) {
    throw new Error(`apt-get install chromium failed:\n${(error as { stderr?: string }).stderr ?? error}`);
  }
  return await firstThatRuns(installed());
}

function fail(): never {
  throw new Error(
    'The tests need a Chromium, Chrome or Edge: install one (Debian and Ubuntu: apt-get install chromium) or name it in PARLEY_CHROMIUM.',
  );
}
