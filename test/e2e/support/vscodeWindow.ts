import type { Frame, Page } from 'playwright-core';
import { Dialog } from './dialog';
import { Editor } from './editor';
import { Explorer } from './explorer';
import { Notifications } from './notifications';
import { panelFrame } from './panelFrame';
import { QuickInput } from './quickInput';
import { vscodeDom } from './vscodeDom';

/** How long a person's step may take on a noisy machine, in ms. */
export const patience = 60_000;

/** A key of the tests' own: by the palette a reload would take most of a test's time. */
export const RELOAD_WEBVIEWS = {
  key: 'Control+Alt+R',
  command: 'workbench.action.webview.reloadWebviewAction',
};

/** A window of VS Code, used as a person would, by keyboard and mouse. */
export class VSCodeWindow {
  readonly #page: () => Page;
  readonly quickInput: QuickInput;
  readonly explorer: Explorer;
  readonly editor: Editor;
  readonly notifications: Notifications;
  readonly dialog: Dialog;

  constructor(page: () => Page) {
    this.#page = page;
    this.quickInput = new QuickInput(page, patience);
    this.explorer = new Explorer(page);
    this.editor = new Editor(page, this.quickInput);
    this.notifications = new Notifications(page);
    this.dialog = new Dialog(page);
  }

  /** The window's page, for what this driver has no word for. */
  get page(): Page {
    return this.#page();
  }

  /** Runs a command by its full title (`Parley: Set API Key`) from the palette, by keyboard. */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Finds the frame in which Parley's page runs now; ask again after a reload. `editor`: the one in an editor tab. */
  async panel(where: 'view' | 'editor' = 'view'): Promise<Frame> {
    return await panelFrame(this.page, where, patience);
  }

  /** Throws away every webview's page, as moving a view does; resolves when the old ones are gone. */
  async reloadWebviews(): Promise<void> {
    const all = this.page.frames();
    const before = all.filter((frame) => frame.url().includes('/webview/browser/pre/fake.html'));
    await this.page.keyboard.press(RELOAD_WEBVIEWS.key);
    // Until the last is gone, a test would speak to a page on its way out.
    while (!before.every((frame) => frame.isDetached())) await this.page.waitForTimeout(20);
  }

  /** Closes a dialog and a quick input that are open. */
  async dismissBoxes(): Promise<void> {
    await this.dialog.dismiss();
    await this.quickInput.dismiss();
  }

  /** Has the window believe that it is looked at, or not: Playwright has every page believe that it is. */
  async setFocused(focused: boolean): Promise<void> {
    await this.page.evaluate((has) => {
      document.hasFocus = () => has;
      // What a change of tabs tells VS Code.
      document.dispatchEvent(new Event('visibilitychange'));
    }, focused);
  }

  /** Reloads the window; its extension host ends, and another begins. */
  async reload(): Promise<void> {
    await this.page.reload();
    await waitForFolder(this.page);
  }
}

/** Waits until a window shows the files of its folder, and listens to keys. */
export async function waitForFolder(page: Page): Promise<void> {
  await page.locator(vscodeDom.explorer.row).first().waitFor();
  // VS Code's own mark: a key before it is lost.
  await page.waitForFunction(() => performance.getEntriesByName('code/didStartWorkbench').length > 0);
}
