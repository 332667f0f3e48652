import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { packageExtension } from '../../../scripts/package';
import { runAll } from '../../support/repetition';
import { waitUntil } from '../../support/waitUntil';
import { type BrowserVSCode, startBrowserVSCode } from '../../vscode/browserVSCode';
import { linkBuiltinExtensions } from '../../vscode/builtinExtensions';
import { copyInstalledExtension } from '../../vscode/installedExtension';
import { quietSettings } from '../../vscode/quietSettings';
import { startBrowser } from './browser';
import { watchForFailures } from './failures';
import { patience, RELOAD_WEBVIEWS, VSCodeWindow, waitForFolder } from './vscodeWindow';

export { patience, VSCodeWindow } from './vscodeWindow';

/** Parley's extension host: a Node process, or the web worker of VS Code for the Web. */
export type ExtensionHost = 'Node' | 'web worker';

/** What a window is opened with. */
export interface WindowOptions {
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder that is open: paths with `/`, and what the files hold. */
  readonly workspaceFiles?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs Parley in the web worker's extension host instead of Node's. */
  readonly webWorkerHost?: boolean;
  /** Whether the folder is trusted: true, unless told. */
  readonly trust?: boolean;
}

export interface WorkbenchOptions extends WindowOptions {
  /** The browser's language, such as `de`: dates and numbers in the page. VS Code itself stays English: see `openInLanguage`. */
  readonly locale?: string;
  /** Folders of further extensions, which run from their sources. */
  readonly extensions?: readonly string[];
}

/** A real VS Code with the packaged Parley in it, and its first window. */
export class Workbench extends VSCodeWindow {
  /** The browser profile, which holds SecretStorage. */
  readonly context: BrowserContext;
  /** VS Code's own folder: settings, storage and logs. */
  readonly userDataDir: string;
  /** Where Parley is installed. */
  readonly extensionsDir: string;
  readonly #dir: string;
  readonly #vscode: BrowserVSCode;
  readonly #stopWatching: () => void;
  readonly #blank: Page | undefined;
  #current: Page | undefined;
  #settings: Readonly<Record<string, unknown>> = {};
  #folders = 0;
  #workspaceDir = '';

  /** Starts a VS Code of its own with a new profile and folder, about four seconds' work. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const dir = await mkdtemp(path.join(tmpdir(), 'parley-e2e-'));
    const extensionsDir = path.join(dir, 'extensions');
    await copyInstalledExtension(await packagedExtension(), extensionsDir);
    // The first start of a profile takes in what is in the folder of extensions.
    for (const folder of options.extensions ?? []) {
      await cp(folder, path.join(extensionsDir, path.basename(folder)), { recursive: true });
    }
    if (options.extensions) await rm(path.join(extensionsDir, 'extensions.json'));
    const builtinExtensionsDir = runAll ? undefined : path.join(dir, 'builtin');
    if (builtinExtensionsDir) await linkBuiltinExtensions(builtinExtensionsDir);
    const [vscode, context] = await Promise.all([
      startBrowserVSCode({
        userDataDir: path.join(dir, 'user'),
        extensionsDir,
        ...(builtinExtensionsDir && { builtinExtensionsDir }),
      }),
      startBrowser(path.join(dir, 'profile'), {
        viewport: { width: 1400, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
        ...(options.locale === undefined ? {} : { locale: options.locale }),
      }),
    ]);
    context.setDefaultTimeout(patience);
    // tsx names the functions that tests send to a page by a helper that no page has.
    await context.addInitScript('globalThis.__name ??= (target) => target');
    // The steps alone: pictures and copies of the page would take as long as the tests.
    await context.tracing.start();
    const workbench = new Workbench(dir, vscode, context);
    await writeKeybinding(workbench.userDataDir);
    await workbench.openFresh(options);
    return workbench;
  }

  private constructor(dir: string, vscode: BrowserVSCode, context: BrowserContext) {
    super(() => {
      if (!this.#current) throw new Error('No window is open.');
      return this.#current;
    });
    this.#dir = dir;
    this.#vscode = vscode;
    this.context = context;
    this.#blank = context.pages()[0];
    this.userDataDir = path.join(dir, 'user');
    this.extensionsDir = path.join(dir, 'extensions');
    this.#stopWatching = watchForFailures(this);
  }

  /** VS Code's windows that are open. */
  get windows(): Page[] {
    return this.context.pages().filter((page) => page !== this.#blank);
  }

  /** The folder that is open. */
  get workspaceDir(): string {
    return this.#workspaceDir;
  }

  /** Where VS Code writes its log and those of extensions. */
  get serverLog(): string {
    return path.join(this.userDataDir, 'server.log');
  }

  /** Closes the windows and opens one on a new folder, with nothing in Parley's storage. Keys in SecretStorage stay. */
  async openFresh(options: WindowOptions): Promise<void> {
    await this.#closeWindows();
    await this.restartTrace();
    // A folder of its own each time: for one that it knows VS Code opens what was open.
    this.#workspaceDir = path.join(this.#dir, String(++this.#folders), 'workspace');
    await writeFiles(this.#workspaceDir, options.workspaceFiles ?? { 'notes.txt': 'Nothing to see.\n' });
    await rm(path.join(this.userDataDir, 'User', 'globalStorage', 'parley.parley'), {
      recursive: true,
      force: true,
      maxRetries: 5,
    });
    await this.#writeSettings({
      ...quietSettings,
      'security.workspace.trust.enabled': options.trust === false,
      'security.workspace.trust.startupPrompt': 'never',
      ...(options.webWorkerHost ? { 'remote.extensionKind': { 'parley.parley': ['web'] } } : {}),
      ...options.settings,
    });
    this.#current = await this.#openFolder(this.#workspaceDir);
  }

  /** Writes user settings over those that are there; VS Code sees it within a second. */
  async changeSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#writeSettings({ ...this.#settings, ...changes });
  }

  /** Closes the window and opens it again with the same profile; `page` is another then. */
  async openPage(): Promise<void> {
    await this.#current?.close();
    this.#current = await this.#openFolder(this.#workspaceDir);
  }

  /** Opens one more window with the same profile, on a folder of its own: another extension host on the same storage. */
  async openWindow(folderName: string): Promise<VSCodeWindow> {
    const folder = path.join(this.#dir, folderName);
    await writeFiles(folder, { 'other.txt': 'Nothing to see here either.\n' });
    const page = await this.#openFolder(folder);
    return new VSCodeWindow(() => page);
  }

  /** Kills the extension host's process that was started last, as a crash does. Of Node's host. */
  async killExtensionHost(): Promise<void> {
    const pid = (await this.#vscode.extensionHosts()).at(-1);
    if (pid === undefined) throw new Error('No extension host runs.');
    process.kill(pid, 'SIGKILL');
  }

  /** Writes what was done since the window was opened afresh, for Playwright's trace viewer, and begins anew. */
  async restartTrace(file?: string): Promise<void> {
    await this.context.tracing.stopChunk(file === undefined ? {} : { path: file });
    await this.context.tracing.startChunk();
  }

  async screenshot(file: string): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  /** Closes the windows, ends VS Code and removes its folders. */
  async stop(): Promise<void> {
    this.#stopWatching();
    await this.context.close();
    await this.#vscode.stop();
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #openFolder(folder: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(this.#vscode.folderUrl(folder));
    await waitForFolder(page);
    return page;
  }

  async #closeWindows(): Promise<void> {
    for (const page of this.windows) await page.close();
    // A host that is still ending would write to the storage that the next one begins with.
    await waitUntil('every extension host has ended', async () => {
      return (await this.#vscode.extensionHosts()).length === 0;
    });
  }

  async #writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.#settings = settings;
    const file = path.join(this.userDataDir, 'User', 'settings.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings, null, 2));
  }
}

async function writeKeybinding(userDataDir: string): Promise<void> {
  const key = RELOAD_WEBVIEWS.key.replace('Control', 'ctrl').toLowerCase();
  const file = path.join(userDataDir, 'User', 'keybindings.json');
  await writeFile(file, JSON.stringify([{ ...RELOAD_WEBVIEWS, key }]));
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
  vsix ??= process.env.PARLEY_VSIX ? Promise.resolve(process.env.PARLEY_VSIX) : packageExtension();
  return await vsix;
}

let vsix: Promise<string> | undefined;
