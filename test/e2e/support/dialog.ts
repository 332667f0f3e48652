import type { Page } from 'playwright-core';
import { vscodeDom } from './vscodeDom';

/** VS Code's modal dialog, which asks before something happens. */
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

  /** Waits for a dialog; resolves to the names of its buttons. */
  async buttons(): Promise<string[]> {
    await this.#box.waitFor();
    return await this.#box.locator(vscodeDom.dialog.button).allInnerTexts();
  }

  /** Presses Enter on the button that has the keyboard, which a dialog gets a moment after it shows. */
  async enter(): Promise<void> {
    await this.#box.locator(vscodeDom.dialog.focusedButton).press('Enter');
    await this.#box.waitFor({ state: 'hidden' });
  }

  /** Presses a button and waits until the dialog is gone. */
  async press(button: string): Promise<void> {
    await this.#box.getByRole('button', { name: button, exact: true }).click();
    await this.#box.waitFor({ state: 'hidden' });
  }

  /** Cancels a dialog that is open. */
  async dismiss(): Promise<void> {
    if (await this.#box.isVisible()) await this.#box.press('Escape');
  }
}
