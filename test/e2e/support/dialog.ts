import type { Page } from 'playwright-core';
import { vscodeDom } from './vscodeDom';

/** Drives VS Code's modal dialog. */
export class Dialog {
  readonly #page: () => Page;

  constructor(page: () => Page) {
    this.#page = page;
  }

  get #box() {
    return this.#page().locator(vscodeDom.dialog.box);
  }

  /** Waits for a dialog; resolves to its message and detail. */
  async text(): Promise<string> {
    return await this.#box.locator(vscodeDom.dialog.text).innerText();
  }

  /** Presses Enter on the focused button; a dialog sets the focus shortly after it shows. */
  async enter(): Promise<void> {
    await this.#box.locator(vscodeDom.dialog.focusedButton).press('Enter');
    await this.#box.waitFor({ state: 'hidden' });
  }

  /** Presses a button and waits until the dialog is closed. */
  async press(button: string): Promise<void> {
    await this.#box.getByRole('button', { name: button, exact: true }).click();
    await this.#box.waitFor({ state: 'hidden' });
  }

  /** Presses a button and waits until another dialog, which has this text, has taken the place of the first. */
  async pressForNext(button: string, text: string): Promise<void> {
    await this.#box.getByRole('button', { name: button, exact: true }).click();
    await this.#box.filter({ hasText: text }).waitFor();
  }

  /** Cancels the open dialog, if any. */
  async dismiss(): Promise<void> {
    if (await this.#box.isVisible()) await this.#box.press('Escape');
  }
}
