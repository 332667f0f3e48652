// `npm start`, which works on a fresh clone: installs, builds and packages Parley, starts the local service
// and a VS Code with Parley, and prints the next steps. Ctrl+C stops everything.
// Usage: node scripts/run.mjs scripts/start.ts
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ServiceAddress } from '../test/service/localService';
import { installBrowserVSCode } from '../test/vscode/browserInstall';
import { installExtension, startBrowserVSCode } from '../test/vscode/browserVSCode';
import { findUserCache } from '../test/vscode/cacheDir';
import { findDesktopCommand, openDesktopVSCode } from '../test/vscode/desktop';
import { endWithParent, type ProcessGroup, spawnGroup } from '../test/vscode/processGroup';
import { quietSettings } from '../test/vscode/quietSettings';
import { packageExtension, packFolder } from './package';
import { withProgress } from './run.mjs';

const root = path.join(__dirname, '..');
const dir = path.join(root, '.vscode-test', 'start');
const profile = { userDataDir: path.join(dir, 'user'), extensionsDir: path.join(dir, 'extensions') };
/** Outside the repository, where no file is ignored by git: Parley asks before it uploads an ignored file. */
const folder = path.join(findUserCache(), 'parley', 'harbour');
/** The port of VS Code's page, unless it is in use: the browser stores the API key for this origin. */
const PREFERRED_PORT = 4185;

type RunningService = ServiceAddress & Pick<ProcessGroup, 'ended' | 'stop'>;

start().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exit(1);
});

async function start(): Promise<void> {
  endWithParent();
  process.once('SIGINT', () => console.log('\nEnding everything …'));

  const desktop = findDesktopCommand();
  if (!desktop) await installBrowserVSCode();
  const vsix = await packageExtension((work) => withProgress('Building and packaging Parley', work));
  cpSync(path.join(root, 'test/vscode/sample-workspace'), folder, { recursive: true, force: false });
  const service = await startService();
  writeSettings(service.baseUrl);
  const extensions = [vsix, await packageOpener()];

  const { address, ...vscode } = desktop
    ? { ...(await openDesktopVSCode(desktop, { ...profile, extensions, folder })), address: undefined }
    : await openInBrowser(extensions);
  console.log(formatNextSteps(address, service.key));
  if (address) openBrowser(address);

  const ended = await Promise.race([
    service.ended.then(() => 'The local service ended by itself'),
    vscode.ended.then(() =>
      desktop ? '' : `VS Code's server ended by itself; its log is in ${profile.userDataDir}`,
    ),
  ]);
  await Promise.all([vscode.stop(), service.stop()]);
  if (ended) throw new Error(`${ended}.`);
}

/** Starts the local service at a human pace in a separate process, with the same key each time. */
async function startService(): Promise<RunningService> {
  const main = ['--import', 'tsx', 'test/service/main.ts', '--json', '--key', readStableKey()];
  const { child, ended, stop } = spawnGroup(process.execPath, main, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += data;
  });
  const line = await new Promise<string>((resolve, reject) => {
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
    void ended.then(() => reject(new Error(`The local service didn't start:\n${errors}`)));
  });
  const address: ServiceAddress = JSON.parse(line);
  return { ...address, ended, stop };
}

function readStableKey(): string {
  const file = path.join(dir, 'key');
  mkdirSync(dir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, `parley-${randomBytes(12).toString('hex')}`, { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Writes the default settings, overridden by the user's own changes, and the service's URL. */
function writeSettings(baseUrl: string): void {
  const file = path.join(profile.userDataDir, 'User', 'settings.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const defaults = {
    ...quietSettings,
    'workbench.secondarySideBar.defaultVisibility': 'visible',
    'window.commandCenter': true,
  };
  writeFileSync(
    file,
    JSON.stringify({ ...defaults, ...readSettings(file), 'parley.baseUrl': baseUrl }, null, 2),
  );
}

function readSettings(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.warn(`${file} isn't plain JSON: starting with new settings.`);
    return {};
  }
}

/** Packages the small extension that shows Parley's panel in the first window. */
async function packageOpener(): Promise<string> {
  const cwd = path.join(root, 'test/vscode/opener');
  const packagePath = path.join(dir, 'opener.vsix');
  const source = path.join(cwd, 'extension.js');
  if (!existsSync(packagePath) || statSync(packagePath).mtimeMs < statSync(source).mtimeMs) {
    await packFolder(cwd, packagePath, ['--skip-license', '--allow-missing-repository']);
  }
  return packagePath;
}

async function openInBrowser(extensions: readonly string[]) {
  for (const vsix of extensions) await installExtension(vsix, profile);
  const token = randomBytes(16).toString('hex');
  const port = (await isFree(PREFERRED_PORT)) ? PREFERRED_PORT : 0;
  const vscode = await startBrowserVSCode({ ...profile, port, token });
  return { ...vscode, address: vscode.folderUrl(folder) };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function formatNextSteps(address: string | undefined, key: string): string {
  return [
    '',
    address ? `  1. Open ${address}` : '  1. VS Code has opened a window of its own, with a sample folder.',
    `  2. In the panel on the right press “Set API Key” and paste   ${key}`,
    '  3. Choose Guide and say hello; right-click notes.txt, “Upload to Conversation”, and ask: How much is a bicycle?',
    '',
    'Ctrl+C here ends everything.',
  ].join('\n');
}

/** Opens a browser if a user is at the terminal. */
function openBrowser(address: string): void {
  const { platform, env, stdout } = process;
  if (!stdout.isTTY) return;
  if (platform === 'darwin') spawnGroup('open', [address], { stdio: 'ignore' });
  else if (platform === 'linux' && (env.DISPLAY || env.WAYLAND_DISPLAY)) {
    spawnGroup('xdg-open', [address], { stdio: 'ignore' });
  }
}
