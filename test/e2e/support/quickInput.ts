import type { Page } from 'playwright-core';

/** The box at the top of the window: the palette, input boxes and pick lists. */
export class QuickInput {
  readonly #page: () => Page;
  readonly #patience: number;

  /** `patience`: how long a command may take to appear, in ms. */
  constructor(page: () => Page, patience: number) {
    this.#page = page;
    this.#patience = patience;
  }

  get #widget() {
    return this.#page().locator('.quick-input-widget:visible');
  }

  get #input() {
    return this.#widget.locator('input:visible').first();
  }

  /** Types into the box that is open and presses Enter. */
  async type(text: string): Promise<void> {
    await this.#input.fill(text);
    await this.#input.press('Enter');
  }

  /** Moves to the item with exactly this label by the arrow keys and presses Enter. */
  async pick(label: string): Promise<void> {
    await this.#focusItem(label, this.#patience);
    await this.#input.press('Enter');
  }

  /** Ticks the items with these labels in a list that takes several, and confirms. */
  async pickMany(labels: readonly string[]): Promise<void> {
    for (const label of labels) await this.#item(label).locator('.quick-input-list-checkbox').click();
    await this.#input.press('Enter');
  }

  /** The labels that are on offer now. */
  async labels(): Promise<string[]> {
    return await this.#widget.locator('.quick-input-list .label-name').allTextContents();
  }

  /** What the box asks, says about the text (an error, say) and holds. */
  async state(): Promise<{ title: string; message: string; value: string; password: boolean }> {
    return {
      title: await this.#widget.locator('.quick-input-title').innerText(),
      message: await this.#widget.locator('.quick-input-message').innerText(),
      value: await this.#input.inputValue(),
      password: (await this.#input.getAttribute('type')) === 'password',
    };
  }

  /** Waits until the box is open, or until its question or message contains `text`. */
  async waitFor(text = ''): Promise<void> {
    await (text === '' ? this.#widget : this.#widget.filter({ hasText: text })).waitFor();
  }

  async cancel(): Promise<void> {
    await this.#page().keyboard.press('Escape');
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** Runs a command by its full title from the palette. */
  async runCommand(title: string): Promise<void> {
    await this.openAndPick('F1', `>${title}`, title);
  }

  /** Opens a box by its key, types `text` and takes the item with exactly this label. */
  async openAndPick(key: string, text: string, label: string): Promise<void> {
    // The window may not listen yet, what it offers may still be on its way into the list, which is made when it opens, and a
    // webview that takes the focus closes the box.
    for (const deadline = performance.now() + this.#patience; ; ) {
      await this.#page().keyboard.press(key);
      try {
        await this.#input.fill(text, { timeout: 2_000 });
        await this.#item(label).waitFor({ timeout: 3_000 });
        await this.#focusItem(label, 3_000);
        return await this.#input.press('Enter', { timeout: 3_000 });
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await this.#page().keyboard.press('Escape');
      }
    }
  }

  #item(label: string) {
    const name = this.#page()
      .locator('.label-name')
      .filter({ hasText: new RegExp(`^${literally(label)}$`) });
    return this.#widget.locator('.quick-input-list .monaco-list-row').filter({ has: name });
  }

  /** `timeout`: how long the item may take to be there, in ms. */
  async #focusItem(label: string, timeout: number): Promise<void> {
    const item = this.#item(label);
    await item.waitFor({ timeout });
    for (let presses = 0; presses < 200; presses++) {
      if (/\bfocused\b/.test((await item.getAttribute('class', { timeout: 3_000 })) ?? '')) return;
      await this.#input.press('ArrowDown', { timeout: 3_000 });
    }
    throw new Error(`The arrow keys don't reach ${label}.`);
  }
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
