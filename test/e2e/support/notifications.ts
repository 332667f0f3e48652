import type { Page } from 'playwright-core';
import { vscodeDom } from './vscodeDom';

/** Drives VS Code's notifications. */
export class Notifications {
  readonly #page: () => Page;

  constructor(page: () => Page) {
    this.#page = page;
  }

  #toasts(text: string) {
    return this.#page().locator(vscodeDom.notifications.toast).filter({ hasText: text });
  }

  /** Returns a notification once it has its place: while it slides in, a button can move away under the pointer. */
  #settled(text: string) {
    return this.#page().locator(vscodeDom.notifications.settledToast).filter({ hasText: text }).first();
  }

  /** Returns the texts of the notifications that are visible. */
  async getTexts(): Promise<string[]> {
    return await this.#page().locator(`${vscodeDom.notifications.toast}-message`).allInnerTexts();
  }

  /** Waits for a notification that contains `text`; resolves to its full text. */
  async waitFor(text: string): Promise<string> {
    const toast = this.#toasts(text).first();
    await toast.waitFor();
    return await toast.locator(vscodeDom.notifications.message).innerText();
  }

  /** Moves the pointer over the notification that contains `text`, which VS Code would hide after ten seconds. */
  async keep(text: string): Promise<void> {
    await this.#settled(text).hover();
  }

  /** Waits until no notification contains `text`. */
  async waitUntilGone(text: string): Promise<void> {
    await this.#toasts(text).first().waitFor({ state: 'hidden' });
  }

  /** Presses a button of the notification that contains `text`. */
  async press(text: string, button: string): Promise<void> {
    await this.keep(text);
    await this.#settled(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** Closes the notification that contains `text`, as its X button does. */
  async close(text: string): Promise<void> {
    const toast = this.#settled(text);
    // The button is shown while the pointer is over the notification.
    await toast.hover();
    await toast.getByRole('button', { name: /^Clear Notification/ }).click();
  }
}
