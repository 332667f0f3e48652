import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { packageExtension } from '../../../scripts/package';
import { runAll } from '../../support/repetition';
import { waitUntil } from '../../support/waitUntil';
import { writeFiles } from '../../support/writeFiles';
import { getVSCodeRelease, vscodeVersions } from '../../vscode/browserInstall';
import { type BrowserVSCode, startBrowserVSCode } from '../../vscode/browserVSCode';
import { linkBuiltinExtensions } from '../../vscode/builtinExtensions';
import { copyInstalledExtension } from '../../vscode/installedExtension';
import { quietSettings } from '../../vscode/quietSettings';
import { startBrowser, VSCODE_HOST } from './browser';
import { watchForFailures } from './failures';
import { testKeybindings, VSCodeWindow, waitForFolder } from './vscodeWindow';
import { copyWarmCache } from './warmCache';
import { forgetMirror } from './windowState';

export { VSCodeWindow } from './vscodeWindow';

/** Parley's extension host: a Node.js process, or the web worker of VS Code for the Web. */
export type ExtensionHost = 'Node' | 'web worker';

/** The options of a window. */
export interface WindowOptions {
  /** User settings, merged over `quietSettings`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The files of the open folder by path, with `/`. */
  readonly workspaceFiles?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs Parley in the web worker's extension host instead of Node's. */
  readonly webWorkerHost?: boolean;
  /** Whether the folder is trusted; true by default. */
  readonly trust?: boolean;
}

export interface WorkbenchOptions extends WindowOptions {
  /** How many device pixels a CSS pixel has; 1 by default. */
  readonly pixelRatio?: number;
  /**
   * The browser's language, such as `de`: for dates and numbers in the page. VS Code itself stays English;
   * see `setDisplayLanguage`.
   */
  readonly locale?: string;
  /** Built-in extensions that most tests don't need, such as Git's. */
  readonly keptExtensions?: readonly string[];
  /** Folders of additional extensions, which run from source. */
  readonly extensions?: readonly string[];
  /** Changes VS Code's folders before the first window opens. */
  readonly prepare?: (folders: Pick<Workbench, 'userDataDir' | 'extensionsDir'>) => Promise<void>;
}

/** A real VS Code with the packaged Parley installed, and its first window. */
export class Workbench extends VSCodeWindow {
  /** The browser profile, which holds SecretStorage. */
  readonly context: BrowserContext;
  /** VS Code's user data folder: settings, storage and logs. */
  readonly userDataDir: string;
  /** The folder in which Parley is installed. */
  readonly extensionsDir: string;
  readonly #dir: string;
  readonly #vscode: BrowserVSCode;
  readonly #stopWatching: () => void;
  readonly #blank: Page | undefined;
  #current: Page | undefined;
  #folders = 0;
  #workspaceDir = '';

  /** Starts a separate VS Code with a new profile and folder; takes about four seconds. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const dir = await mkdtemp(path.join(tmpdir(), 'parley-e2e-'));
    const extensionsDir = path.join(dir, 'extensions');
    await copyInstalledExtension(await getPackagedExtension(), extensionsDir);
    // The first start of a profile reads the extensions folder.
    for (const folder of options.extensions ?? []) {
      await cp(folder, path.join(extensionsDir, path.basename(folder)), { recursive: true });
    }
    if (options.extensions) await rm(path.join(extensionsDir, 'extensions.json'));
    const builtinExtensionsDir = runAll ? undefined : path.join(dir, 'builtin');
    if (builtinExtensionsDir) await linkBuiltinExtensions(builtinExtensionsDir, options.keptExtensions);
    const vscode = await startBrowserVSCode({
      userDataDir: path.join(dir, 'user'),
      extensionsDir,
      ...(builtinExtensionsDir && { builtinExtensionsDir }),
    });
    const profile = path.join(dir, 'profile');
    const version = vscodeVersions[getVSCodeRelease()];
    await copyWarmCache(profile, version, vscode.port, (page) => openFolder(page, dir));
    const context = await startBrowser(profile, vscode.port, {
      ...(options.locale !== undefined && { locale: options.locale }),
      ...(options.pixelRatio !== undefined && { deviceScaleFactor: options.pixelRatio }),
    });
    const workbench = new Workbench(dir, vscode, context);
    await writeKeybindings(workbench.userDataDir);
    await options.prepare?.(workbench);
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

  /** The open windows of VS Code. */
  get windows(): Page[] {
    return this.context.pages().filter((page) => page !== this.#blank);
  }

  /** The open folder. */
  get workspaceDir(): string {
    return this.#workspaceDir;
  }

  /** The log of VS Code's server and of extensions. */
  get serverLog(): string {
    return path.join(this.userDataDir, 'server.log');
  }

  /**
   * Closes the windows, clears Parley's storage with its mirror, and opens a window on a new folder. Keys in
   * SecretStorage stay.
   */
  async openFresh(options: WindowOptions): Promise<void> {
    await this.#closeWindows();
    await forgetMirror(this.context);
    await this.restartTrace();
    // A new folder each time: VS Code restores the editors of a folder that it knows.
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

  /**
   * Opens another window with the same profile on another folder: another extension host with the same
   * storage.
   */
  async openWindow(folderName: string): Promise<VSCodeWindow> {
    const folder = path.join(this.#dir, folderName);
    await writeFiles(folder, { 'other.txt': 'Nothing to see here either.\n' });
    const page = await this.#openFolder(folder);
    return new VSCodeWindow(() => page);
  }

  /** Closes the windows, runs `whileStopped` when no extension host runs any more, and opens the last folder again. */
  async restart(whileStopped: () => Promise<void>): Promise<void> {
    await this.#closeWindows();
    await whileStopped();
    this.#current = await this.#openFolder(this.#workspaceDir);
  }

  /** Kills the Node.js extension host that was started last, as a crash does. */
  async killExtensionHost(): Promise<void> {
    const pid = (await this.#vscode.extensionHosts()).at(-1);
    if (pid === undefined) throw new Error('No extension host runs.');
    killProcess(pid);
  }

  /** Writes the actions since the window was opened as a Playwright trace, and starts a new trace. */
  async restartTrace(file?: string): Promise<void> {
    await this.context.tracing.stopChunk(file === undefined ? {} : { path: file });
    await this.context.tracing.startChunk();
  }

  async screenshot(file: string): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  /** Closes the windows, stops VS Code and removes its folders. */
  async stop(): Promise<void> {
    this.#stopWatching();
    await this.context.close();
    await this.#vscode.stop();
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #openFolder(folder: string): Promise<Page> {
    const page = await this.context.newPage();
    await openFolder(page, folder);
    return page;
  }

  async #closeWindows(): Promise<void> {
    for (const page of this.windows) await page.close();
    // A host that is still shutting down would write to the storage of the next one. One that lost its window while
    // it started waits for hours.
    for (const pid of await this.#vscode.extensionHosts()) killProcess(pid);
    await waitUntil('every extension host has ended', async () => {
      return (await this.#vscode.extensionHosts()).length === 0;
    });
  }

  async #writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const file = path.join(this.userDataDir, 'User', 'settings.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings, null, 2));
  }
}

/** Kills a process, if it still runs. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function openFolder(page: Page, folder: string): Promise<void> {
  await page.goto(`http://${VSCODE_HOST}/?${new URLSearchParams({ folder })}`);
  await waitForFolder(page);
}

async function writeKeybindings(userDataDir: string): Promise<void> {
  await writeFile(path.join(userDataDir, 'User', 'keybindings.json'), JSON.stringify(testKeybindings));
}

/**
 * Returns the `.vsix` under test: `PARLEY_VSIX`, or a package of this checkout, which is built again if a
 * source has changed.
 */
export async function getPackagedExtension(): Promise<string> {
  vsix ??= process.env.PARLEY_VSIX ? Promise.resolve(process.env.PARLEY_VSIX) : packageExtension();
  return await vsix;
}

let vsix: Promise<string> | undefined;
