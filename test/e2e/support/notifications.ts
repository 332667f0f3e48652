import type { Page } from 'playwright-core';
import { vscodeDom } from './vscodeDom';

/** What pops up in the corner: messages and progress. */
export class Notifications {
  readonly #page: () => Page;

  constructor(page: () => Page) {
    this.#page = page;
  }

  #toasts(text: string) {
    return this.#page().locator(vscodeDom.notifications.toast).filter({ hasText: text });
  }

  /** The texts that are shown now. */
  async texts(): Promise<string[]> {
    return await this.#page().locator(`${vscodeDom.notifications.toast}-message`).allInnerTexts();
  }

  /** Waits until one contains `text`; resolves to all it says. */
  async waitFor(text: string): Promise<string> {
    const toast = this.#toasts(text).first();
    await toast.waitFor();
    return await toast.locator(vscodeDom.notifications.message).innerText();
  }

  /** Waits until none contains `text`. */
  async waitUntilGone(text: string): Promise<void> {
    await this.#toasts(text).first().waitFor({ state: 'hidden' });
  }

  /** Presses a button of the one that contains `text`. */
  async press(text: string, button: string): Promise<void> {
    await this.#toasts(text).first().getByRole('button', { name: button, exact: true }).click();
  }
}
