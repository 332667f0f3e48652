import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { atProcessEnd } from '../../support/processEnd';
import { type BrowserVSCode, installExtension, startBrowserVSCode } from '../../vscode/browserVSCode';
import { repositoryRoot } from '../../vscode/cacheDir';
import { chromiumArgs, findChromium } from '../../vscode/chromium';
import { quietSettings } from '../../vscode/quietSettings';
import { Dialog } from './dialog';
import { Editor } from './editor';
import { Explorer } from './explorer';
import { Notifications } from './notifications';
import { panelFrame } from './panelFrame';
import { QuickInput } from './quickInput';
import { watchForFailures } from './screenshots';

/** How long a person's step may take on a noisy machine, in ms. */
export const patience = 30_000;

export interface WorkbenchOptions {
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder that is open: paths with `/`, and what the files hold. */
  readonly workspaceFiles?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs Parley in the web worker's extension host instead of Node's. */
  readonly webWorkerHost?: boolean;
  /** A colour theme's name, such as `Default High Contrast`. */
  readonly theme?: string;
  /** The browser's language, such as `de`: dates and numbers in the page. VS Code itself stays English: see `openInLanguage`. */
  readonly locale?: string;
  /** Whether the folder is trusted: true, unless told. */
  readonly trust?: boolean;
  /** Folders of further extensions, which run from their sources. */
  readonly extensions?: readonly string[];
}

/** A window of VS Code, used as a person would, by keyboard and mouse. */
export interface VSCodeWindow {
  /** The window's page, for what this driver has no word for. */
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly explorer: Explorer;
  readonly editor: Editor;
  readonly notifications: Notifications;
  readonly dialog: Dialog;
  /** Runs a command by its full title (`Parley: Set API Key`) from the palette, by keyboard. */
  runCommand(title: string): Promise<void>;
  /** The frame in which Parley's page runs now; ask again after a reload. `editor`: the one in an editor tab. */
  panel(where?: 'view' | 'editor'): Promise<Frame>;
  /** Throws away every webview's page, as moving a view does; resolves when the old ones are gone. */
  reloadWebviews(): Promise<void>;
  /** Reloads the window; its extension host ends, and another begins. */
  reload(): Promise<void>;
}

/** What is on the screen is kept within a second, in ms; not before, where a browser gives nobody time to end. */
export const KEPT = 1000;

/** A real VS Code with the packaged Parley in it, and its first window. */
export interface Workbench extends VSCodeWindow {
  /** The browser profile, which holds SecretStorage. */
  readonly context: BrowserContext;
  /** The folder that is open. */
  readonly workspaceDir: string;
  /** VS Code's own folder: settings, storage and logs. */
  readonly userDataDir: string;
  /** Where Parley is installed. */
  readonly extensionsDir: string;
  /** Writes user settings over those that are there; VS Code sees it within a second. */
  changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Closes the window and opens it again with the same profile; `page` is another then. */
  openPage(): Promise<void>;
  /** Opens one more window with the same profile, on a folder of its own: another extension host on the same storage. */
  openWindow(folderName: string): Promise<VSCodeWindow>;
  /** Kills the extension host's process that was started last, as a crash does. Of Node's host. */
  killExtensionHost(): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** Closes the windows, ends VS Code and removes its folders. */
  stop(): Promise<void>;
}

/** Starts a VS Code of its own with a new profile and folder, about four seconds' work. */
export async function startWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-e2e-'));
  const workspaceDir = path.join(dir, 'workspace');
  await writeFiles(workspaceDir, options.workspaceFiles ?? { 'notes.txt': 'Nothing to see.\n' });
  const dirs = { userDataDir: path.join(dir, 'user'), extensionsDir: path.join(dir, 'extensions') };
  // The first start of a profile takes in what is in the folder of extensions.
  for (const folder of options.extensions ?? []) {
    await cp(folder, path.join(dirs.extensionsDir, path.basename(folder)), { recursive: true });
  }
  await installExtension(await packagedExtension(), dirs);
  let settings: Record<string, unknown> = {
    ...quietSettings,
    'security.workspace.trust.enabled': options.trust === false,
    'security.workspace.trust.startupPrompt': 'never',
    ...(options.theme === undefined ? {} : { 'workbench.colorTheme': options.theme }),
    ...(options.webWorkerHost ? { 'remote.extensionKind': { 'parley.parley': ['web'] } } : {}),
    ...options.settings,
  };
  const vscode = await startBrowserVSCode({ ...dirs, settings });
  const context = await (await sharedBrowser()).newContext({
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  context.setDefaultTimeout(patience);
  let page = await openFolder(context, vscode, workspaceDir);
  const workbench: Workbench = {
    ...drive(() => page),
    get page() {
      return page;
    },
    context,
    workspaceDir,
    ...dirs,
    async changeSettings(changes) {
      settings = { ...settings, ...changes };
      await writeFile(
        path.join(dirs.userDataDir, 'User', 'settings.json'),
        JSON.stringify(settings, null, 2),
      );
    },
    async openPage() {
      await page.close();
      page = await openFolder(context, vscode, workspaceDir);
    },
    async openWindow(folderName) {
      const folder = path.join(dir, folderName);
      await writeFiles(folder, { 'other.txt': 'Nothing to see here either.\n' });
      const other = await openFolder(context, vscode, folder);
      return { ...drive(() => other), page: other };
    },
    async killExtensionHost() {
      const pid = (await vscode.extensionHosts()).at(-1);
      if (pid === undefined) throw new Error('No extension host runs.');
      process.kill(pid, 'SIGKILL');
    },
    async screenshot(file) {
      await mkdir(path.dirname(file), { recursive: true });
      await page.screenshot({ path: file });
    },
    async stop() {
      forget();
      await context.close();
      await vscode.stop();
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  const forget = watchForFailures(workbench);
  return workbench;
}

function drive(page: () => Page): Omit<VSCodeWindow, 'page'> {
  const quickInput = new QuickInput(page, patience);
  return {
    quickInput,
    explorer: new Explorer(page),
    editor: new Editor(page, quickInput),
    notifications: new Notifications(page),
    dialog: new Dialog(page),
    runCommand: (title) => quickInput.runCommand(title),
    panel: (where = 'view') => panelFrame(page(), where, patience),
    async reloadWebviews() {
      const all = page().frames();
      const before = all.filter((frame) => frame.url().includes('/webview/browser/pre/fake.html'));
      await quickInput.runCommand('Developer: Reload Webviews');
      // Until the last is gone, a test would speak to a page on its way out.
      while (!before.every((frame) => frame.isDetached())) await page().waitForTimeout(20);
    },
    async reload() {
      await page().reload();
      await folderShown(page());
    },
  };
}

async function openFolder(context: BrowserContext, vscode: BrowserVSCode, folder: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(vscode.folderUrl(folder));
  await folderShown(page);
  return page;
}

async function folderShown(page: Page): Promise<void> {
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
}

async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** The `.vsix` under test: `PARLEY_VSIX`, or this checkout's, packaged anew where a source has changed. */
async function packagedExtension(): Promise<string> {
  vsix ??= process.env.PARLEY_VSIX ? Promise.resolve(process.env.PARLEY_VSIX) : packageNow();
  return await vsix;
}

async function packageNow(): Promise<string> {
  const script = path.join(repositoryRoot, 'scripts/package.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: repositoryRoot });
  return path.resolve(repositoryRoot, stdout.trim());
}

let vsix: Promise<string> | undefined;
let browser: Promise<Browser> | undefined;

/** One Chromium for a whole mocha run; each workbench has a profile of its own in it. */
async function sharedBrowser(): Promise<Browser> {
  if (!browser) {
    browser = findChromium().then((executablePath) =>
      chromium.launch({ executablePath, args: chromiumArgs }),
    );
    atProcessEnd(closeBrowser);
  }
  return await browser;
}

/** Ends the Chromium of all workbenches: a run of tests does so by itself, a measurement at its end. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}
