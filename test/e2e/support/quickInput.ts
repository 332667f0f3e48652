import { errors, type Page } from 'playwright-core';
import { vscodeDom } from './vscodeDom';

const dom = vscodeDom.quickInput;

/** How long a key may take to open the box, and an item to be listed, before it is tried again, in ms. */
const TRY_AGAIN_MS = 3000;
/** How long a step in a box may take that is there, in ms: longer means that the box has closed meanwhile. */
const STEP_LIMIT_MS = 5000;

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
    return this.#page().locator(dom.widget);
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
    await this.#item(label).waitFor({ timeout: this.#patience });
    await this.#focusItem(label);
    await this.#input.press('Enter');
  }

  /** Ticks the items with these labels in a list that takes several, and confirms. */
  async pickMany(labels: readonly string[]): Promise<void> {
    for (const label of labels) await this.#item(label).locator(dom.checkbox).click();
    await this.#input.press('Enter');
  }

  /** The labels that are on offer now. */
  async labels(): Promise<string[]> {
    return await this.#widget.locator(dom.label).allTextContents();
  }

  /** What the box asks, says about the text (an error, say) and holds. */
  async state(): Promise<{ title: string; message: string; value: string; password: boolean }> {
    return {
      title: await this.#widget.locator(dom.title).innerText(),
      message: await this.#widget.locator(dom.message).innerText(),
      value: await this.#input.inputValue(),
      password: (await this.#input.getAttribute('type')) === 'password',
    };
  }

  /** Waits until the box is open, or until its question or message contains `text`. */
  async waitFor(text = ''): Promise<void> {
    await (text === '' ? this.#widget : this.#widget.filter({ hasText: text })).waitFor();
  }

  async cancel(): Promise<void> {
    await this.#input.press('Escape');
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** Closes the box where it is open. */
  async dismiss(): Promise<void> {
    if (await this.#input.isVisible()) await this.#input.press('Escape');
  }

  /** Runs a command by its full title from the palette. */
  async runCommand(title: string): Promise<void> {
    await this.openAndPick('F1', `>${title}`, title);
  }

  /** Opens a box by its key, types `text` and takes the item with exactly this label. */
  async openAndPick(key: string, text: string, label: string): Promise<void> {
    // The window may not listen yet, the list is made when the box opens and may lack what comes a moment later, and a webview
    // that takes the focus closes the box.
    for (const deadline = performance.now() + this.#patience; ; ) {
      try {
        return await this.#tryToPick(key, text, label);
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || performance.now() > deadline) throw error;
      }
    }
  }

  /** Throws a TimeoutError where the box didn't open or doesn't list the item; it is closed then. */
  async #tryToPick(key: string, text: string, label: string): Promise<void> {
    if (!(await this.#widget.isVisible())) {
      await this.#page().keyboard.press(key);
      await this.#input.waitFor({ timeout: TRY_AGAIN_MS });
    }
    await this.#input.fill(text, { timeout: STEP_LIMIT_MS });
    try {
      await this.#item(label).waitFor({ timeout: TRY_AGAIN_MS });
    } catch (error) {
      // Not by the page's keyboard: Escape in Parley's panel stops a reply.
      if (await this.#widget.isVisible()) await this.#input.press('Escape', { timeout: STEP_LIMIT_MS });
      throw error;
    }
    await this.#focusItem(label);
    await this.#input.press('Enter', { timeout: STEP_LIMIT_MS });
  }

  #item(label: string) {
    const name = this.#page()
      .locator('.label-name')
      .filter({ hasText: new RegExp(`^${escapeRegExp(label)}$`) });
    return this.#widget.locator(dom.row).filter({ has: name });
  }

  async #focusItem(label: string): Promise<void> {
    const item = this.#item(label);
    for (let presses = 0; presses < 200; presses++) {
      const classes = await item.getAttribute('class', { timeout: STEP_LIMIT_MS });
      if (/\bfocused\b/.test(classes ?? '')) return;
      await this.#input.press('ArrowDown', { timeout: STEP_LIMIT_MS });
    }
    throw new Error(`The arrow keys don't reach ${label}.`);
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
