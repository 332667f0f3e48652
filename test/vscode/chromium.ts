import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { withProgress } from '../../scripts/run.mjs';
import { repositoryRoot } from './cacheDir';

const run = promisify(execFile);

/** Command-line options that make a headless Chromium quiet and able to run as root and in containers. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The headless shell comes first: it starts faster and opens pages with less work. */
const COMMAND_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
];
const KNOWN_LOCATIONS: Partial<Record<NodeJS.Platform, string[]>> = {
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
 * Finds a working Chromium: `PARLEY_CHROMIUM`, an installed one or Playwright's; otherwise installs one with
 * Playwright or, as root on Debian and Ubuntu, with apt-get. Throws an Error that says what to install.
 */
export async function findChromium(): Promise<string> {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) {
    if (await isWorking(named)) return named;
    throw new Error(`PARLEY_CHROMIUM names ${named}, which doesn't run as a Chromium.`);
  }
  return (
    (await findWorking(listCandidates())) ??
    (await withProgress("Trying Playwright's download of Chromium", downloadWithPlaywright)) ??
    (canUseApt() ? await withProgress('Installing Chromium with apt-get', installWithApt) : undefined) ??
    throwMissing()
  );
}

function listCandidates(): string[] {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const onPath = COMMAND_NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix)));
  return [...onPath, ...(KNOWN_LOCATIONS[process.platform] ?? []), chromium.executablePath()];
}

async function findWorking(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await isWorking(candidate)) return candidate;
  return undefined;
}

/**
 * Whether the file exists and starts: Ubuntu's `chromium-browser` may be a stub that asks to install a snap.
 */
async function isWorking(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  // On Windows, `--version` opens a window.
  if (process.platform === 'win32') return true;
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 120_000 });
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
    // The download server is unreachable; the next method is tried.
    return undefined;
  }
  return await findWorking([chromium.executablePath()]);
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
    // Ubuntu has no package of the headless shell.
    await install('chromium-headless-shell').catch(() => install('chromium'));
  } catch (error) {
    throw new Error(`apt-get install chromium failed:\n${(error as { stderr?: string }).stderr ?? error}`);
  }
  return await findWorking(listCandidates());
}

function throwMissing(): never {
  throw new Error(
    'The tests need a Chromium, Chrome or Edge: install one (Debian and Ubuntu: apt-get install chromium) or name it in PARLEY_CHROMIUM.',
  );
}
