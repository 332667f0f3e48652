import type { Frame, Page } from 'playwright-core';
import { Dialog } from './dialog';
import { Editor } from './editor';
import { Explorer } from './explorer';
import { Notifications } from './notifications';
import { findPanelFrame } from './panelFrame';
import { QuickInput } from './quickInput';
import { retryOnTimeout } from './retryOnTimeout';
import { vscodeDom } from './vscodeDom';

/** How long a menu that VS Code may have closed is waited for, in ms. */
const MENU_TIMEOUT_MS = 5000;
/** How long the box of a menu's command is waited for, in ms; it never opens if VS Code closed the menu just before. */
const BOX_TIMEOUT_MS = 30_000;

/** Keybindings for the tests only: through the palette, these commands would take most of a test's time. */
export const testKeys = {
  reloadWebviews: { key: 'Control+Alt+R', command: 'workbench.action.webview.reloadWebviewAction' },
  openChat: { key: 'Control+Alt+J', command: 'workbench.action.chat.open' },
  newConversation: { key: 'Control+Alt+N', command: 'parley.newConversation' },
};

/** `testKeys` as VS Code's `keybindings.json`. */
export const testKeybindings = Object.values(testKeys).map(({ key, command }) => ({
  key: key.replace('Control', 'ctrl').toLowerCase(),
  command,
}));

/** Drives a window of VS Code with keyboard and mouse, as a user does. */
export class VSCodeWindow {
  readonly #page: () => Page;
  readonly quickInput: QuickInput;
  readonly explorer: Explorer;
  readonly editor: Editor;
  readonly notifications: Notifications;
  readonly dialog: Dialog;

  constructor(page: () => Page) {
    this.#page = page;
    this.quickInput = new QuickInput(page);
    this.explorer = new Explorer(page);
    this.editor = new Editor(page, this.quickInput);
    this.notifications = new Notifications(page);
    this.dialog = new Dialog(page);
  }

  /** The window's page, for what this driver has no method for. */
  get page(): Page {
    return this.#page();
  }

  /** Runs a command from the palette by its full title (`Parley: Set API Key`), with the keyboard. */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /**
   * Finds the current frame of Parley's page; call it again after a reload. `editor`: the frame in an editor
   * tab.
   */
  async panel(where: 'view' | 'editor' = 'view'): Promise<Frame> {
    return await findPanelFrame(this.page, where);
  }

  /** Reloads every webview, as moving a view does; resolves when the old pages are gone. */
  async reloadWebviews(): Promise<void> {
    const all = this.page.frames();
    const before = all.filter((frame) => frame.url().includes('/webview/browser/pre/fake.html'));
    await this.page.keyboard.press(testKeys.reloadWebviews.key);
    // Until the last one is gone, a test could use a page that is going away.
    while (!before.every((frame) => frame.isDetached())) await this.page.waitForTimeout(20);
  }

  /**
   * Runs a command from the menu of further actions in the title bar of a part of the window, until its box shows
   * `title`: VS Code closes the menu when it updates the title bar, as it sometimes does soon after a window has opened.
   */
  async openBoxFromTitleBar(part: string, item: string, title: string): Promise<void> {
    const moreActions = this.page
      .locator(part)
      .getByRole('button', { name: /More Actions/ })
      .first();
    const menuItem = this.page.locator(vscodeDom.menu.menu).getByRole('menuitem', { name: item });
    await retryOnTimeout(async (patience) => {
      if (!(await menuItem.isVisible())) await moreActions.press('Enter');
      // A menu ignores clicks for a moment after it opens, but takes keys at once.
      await menuItem.hover({ timeout: patience * MENU_TIMEOUT_MS });
      await this.page.keyboard.press('Enter');
      await this.quickInput.waitFor(title, patience * BOX_TIMEOUT_MS);
    });
  }

  /** Closes an open dialog and an open quick input. */
  async dismissBoxes(): Promise<void> {
    await this.dialog.dismiss();
    await this.quickInput.dismiss();
  }

  /** Sets whether the window believes that it has the focus; Playwright makes every page believe so. */
  async setFocused(focused: boolean): Promise<void> {
    await this.page.evaluate((has) => {
      document.hasFocus = () => has;
      // VS Code listens to this event.
      document.dispatchEvent(new Event('visibilitychange'));
    }, focused);
  }

  /** Reloads the window, which ends its extension host and starts another. */
  async reload(): Promise<void> {
    await this.page.reload();
    await waitForFolder(this.page);
  }
}

/** Waits until a window shows the files of its folder and handles keys. */
export async function waitForFolder(page: Page): Promise<void> {
  await page.locator(vscodeDom.explorer.row).first().waitFor();
  // VS Code sets this mark; keys before it are lost.
  await page.waitForFunction(() => performance.getEntriesByName('code/didStartWorkbench').length > 0);
}
