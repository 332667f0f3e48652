import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { writeFiles } from '../../support/writeFiles';
import { copyInstalledExtension } from '../../vscode/installedExtension';
import { quietSettings } from '../../vscode/quietSettings';
import { startWebVSCode, WEB_VSCODE_VERSION, type WebVSCode } from '../../vscode/webVSCode';
import { startBrowser, VSCODE_HOST } from './browser';
import { watchForFailures } from './failures';
import { writeUserData } from './userData';
import { testKeybindings, VSCodeWindow, waitForFolder } from './vscodeWindow';
import { copyWarmCache } from './warmCache';
import { getPackagedExtension, type WindowOptions } from './workbench';

const ORIGIN = `http://${VSCODE_HOST}`;

/** Webviews are another site than VS Code's, and their service worker needs what Chromium counts as third-party cookies. */
const PREFERENCES = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };

/**
 * A real VS Code for the Web without a server: Parley runs in its web worker, and everything is stored in the browser
 * profile. Secrets are in memory only.
 */
export class WebWorkbench extends VSCodeWindow {
  readonly #dir: string;
  readonly #vscode: WebVSCode;
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #stopWatching: () => void;
  #context: BrowserContext | undefined;
  #current: Page | undefined;

  /** Starts one with a new profile and folder. */
  static async start(options: Pick<WindowOptions, 'settings' | 'workspaceFiles'>): Promise<WebWorkbench> {
    const dir = await mkdtemp(path.join(tmpdir(), 'parley-web-'));
    const extensionsDir = path.join(dir, 'extensions');
    await copyInstalledExtension(await getPackagedExtension(), extensionsDir);
    const extension = (await readdir(extensionsDir)).find((name) => name.startsWith('parley.'));
    if (extension === undefined) throw new Error(`Parley isn't in ${extensionsDir}.`);
    const workspace = path.join(dir, 'workspace');
    await writeFiles(workspace, options.workspaceFiles ?? { 'notes.txt': 'Nothing to see.\n' });
    const vscode = await startWebVSCode(path.join(extensionsDir, extension), workspace);
    const workbench = new WebWorkbench(dir, vscode, { ...quietSettings, ...options.settings });
    const profile = path.join(dir, 'profile');
    try {
      await copyWarmCache(profile, `${WEB_VSCODE_VERSION} for the Web`, vscode.port, openVSCode);
      await writeFile(path.join(profile, 'Default/Preferences'), JSON.stringify(PREFERENCES));
      await workbench.#startBrowser();
      await workbench.#writeUserData();
      workbench.#current = await workbench.openWindow();
    } catch (error) {
      await workbench.stop();
      throw error;
    }
    return workbench;
  }

  private constructor(dir: string, vscode: WebVSCode, settings: Readonly<Record<string, unknown>>) {
    super(() => {
      if (!this.#current) throw new Error('No window is open.');
      return this.#current;
    });
    this.#dir = dir;
    this.#vscode = vscode;
    this.#settings = settings;
    this.#stopWatching = watchForFailures(this);
  }

  /** The browser, until the next restart. */
  get context(): BrowserContext {
    if (!this.#context) throw new Error('The browser is closed.');
    return this.#context;
  }

  /** The open windows of VS Code. */
  get windows(): Page[] {
    return this.context.pages().slice(1);
  }

  /** Opens another window on the same folder: another extension host with the same storage. */
  async openWindow(): Promise<Page> {
    const page = await this.context.newPage();
    await openVSCode(page);
    return page;
  }

  /** Closes the browser, with all windows at once. */
  async close(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
    this.#current = undefined;
  }

  /** Ends the browser without any notice, as a kill or a power cut does. */
  async crash(): Promise<void> {
    const devtools = await this.context.newCDPSession(this.page);
    const closed = new Promise((resolve) => this.context.once('close', resolve));
    // Nothing is left to answer it.
    devtools.send('Browser.crash').catch(() => undefined);
    await closed;
    await this.close();
  }

  /** Opens a window in the same profile, after the browser was closed. */
  async reopen(): Promise<void> {
    await this.#startBrowser();
    this.#current = await this.openWindow();
  }

  /** Writes the actions since the browser was started as a Playwright trace, and starts a new trace. */
  async restartTrace(file: string): Promise<void> {
    await this.context.tracing.stopChunk({ path: file });
    await this.context.tracing.startChunk();
  }

  /** Closes the browser and removes all folders. */
  async stop(): Promise<void> {
    this.#stopWatching();
    await this.close();
    await this.#vscode.stop();
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startBrowser(): Promise<void> {
    this.#context = await startBrowser(path.join(this.#dir, 'profile'), this.#vscode.port);
    await this.#context.tracing.startChunk();
  }

  /** Writes settings and keys where VS Code has them, before its first window opens. */
  async #writeUserData(): Promise<void> {
    const page = await this.context.newPage();
    await page.goto(`${ORIGIN}/static/build/package.json`);
    await writeUserData(page, {
      '/User/settings.json': JSON.stringify(this.#settings),
      '/User/keybindings.json': JSON.stringify(testKeybindings),
    });
    await page.close();
  }
}

async function openVSCode(page: Page): Promise<void> {
  await page.goto(`${ORIGIN}/`);
  await waitForFolder(page);
}
