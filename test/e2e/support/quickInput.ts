import type { Page } from 'playwright-core';
import { MAX_PATIENCE, retryOnTimeout } from './retryOnTimeout';
import { vscodeDom } from './vscodeDom';

const dom = vscodeDom.quickInput;

/** How long a key may take to open the box and an item to be listed before another try, in ms. */
const RETRY_AFTER_MS = 3000;
/** The time limit of a step in an open box, in ms; a longer step means that the box has closed. */
const STEP_TIMEOUT_MS = 5000;

/** Drives VS Code's quick input: the palette, input boxes and pick lists. */
export class QuickInput {
  readonly #page: () => Page;

  constructor(page: () => Page) {
    this.#page = page;
  }

  get #widget() {
    return this.#page().locator(dom.widget);
  }

  get #input() {
    return this.#widget.locator('input:visible').first();
  }

  /** Types into the open box and presses Enter. */
  async type(text: string): Promise<void> {
    await this.#input.fill(text);
    await this.#pressEnter();
  }

  /** Moves to the item with exactly this label with the arrow keys and presses Enter. */
  async pick(label: string): Promise<void> {
    await this.#item(label).waitFor();
    await this.#acceptItem(label);
  }

  /** Checks the items with these labels in a multi-select list and confirms. */
  async pickMany(labels: readonly string[]): Promise<void> {
    for (const label of labels) await this.#item(label).locator(dom.checkbox).click();
    await this.#pressEnter();
  }

  /** Returns the labels that are listed, once there are any. */
  async getLabels(): Promise<string[]> {
    await this.#widget.locator(dom.label).first().waitFor();
    return await this.#widget.locator(dom.label).allTextContents();
  }

  /** Returns the box's title, its message (a validation error, for example) and its value. */
  async getState(): Promise<{ title: string; message: string; value: string; password: boolean }> {
    return {
      title: await this.#widget.locator(dom.title).innerText(),
      message: await this.#widget.locator(dom.message).innerText(),
      value: await this.#input.inputValue(),
      password: (await this.#input.getAttribute('type')) === 'password',
    };
  }

  /** Waits until the box is open, or until its title or message contains `text`. */
  async waitFor(text = '', timeoutMs?: number): Promise<void> {
    const box = text === '' ? this.#widget : this.#widget.filter({ hasText: text });
    await box.waitFor(timeoutMs === undefined ? {} : { timeout: timeoutMs });
  }

  /**
   * Enters a path in VS Code's own file dialog (`files.simpleDialog.enable`), once it suggests a path with this ending:
   * it does so shortly after it opens.
   */
  async enterPath(title: string, suggested: string, file: string): Promise<void> {
    do await this.waitFor(title);
    while (!(await this.getState()).value.endsWith(suggested));
    await this.type(file);
  }

  async cancel(): Promise<void> {
    await this.#input.press('Escape');
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** Closes the box if it is open. */
  async dismiss(): Promise<void> {
    if (await this.#input.isVisible()) await this.#input.press('Escape');
  }

  /** Runs a command from the palette by its full title. */
  async runCommand(title: string): Promise<void> {
    await this.openAndPick('F1', `>${title}`, title);
  }

  /** Opens a box with its key, types `text` and picks the item with exactly this label. */
  async openAndPick(key: string, text: string, label: string): Promise<void> {
    // Retries: the window may not listen to keys yet, the list is created when the box opens and may lack
    // items that are added later, and a webview that takes the focus closes the box.
    await retryOnTimeout((patience) => this.#tryToPick(key, text, label, patience));
  }

  /** Throws a TimeoutError if the box didn't open or doesn't list the item; the box is closed then. */
  async #tryToPick(key: string, text: string, label: string, patience: number): Promise<void> {
    if (!(await this.#widget.isVisible())) {
      await this.#page().keyboard.press(key);
      await this.#input.waitFor({ timeout: patience * RETRY_AFTER_MS });
    }
    await this.#input.fill(text, { timeout: patience * STEP_TIMEOUT_MS });
    try {
      await this.#item(label).waitFor({ timeout: patience * RETRY_AFTER_MS });
    } catch (error) {
      // Not with the page's keyboard: Escape in Parley's panel stops a reply.
      if (await this.#widget.isVisible())
        await this.#input.press('Escape', { timeout: patience * STEP_TIMEOUT_MS });
      throw error;
    }
    await this.#acceptItem(label, patience);
  }

  /**
   * Moves to the item, presses Enter, and waits until the box has closed or lists something else. Throws a TimeoutError if
   * the box closed before that.
   */
  async #acceptItem(label: string, patience = MAX_PATIENCE): Promise<void> {
    const timeout = patience * STEP_TIMEOUT_MS;
    await this.#focusItem(label, timeout);
    await this.#pressEnter(timeout);
    // Otherwise the next keys would go to the box that is closing.
    await this.#item(label).waitFor({ state: 'hidden' });
  }

  /**
   * Presses Enter in the box, again if a page took the focus just before. Throws a TimeoutError if the box is closed and
   * doesn't open within `timeout` ms.
   */
  async #pressEnter(timeout = MAX_PATIENCE * STEP_TIMEOUT_MS): Promise<void> {
    for (let hasArrived = false; !hasArrived; ) {
      const key = await this.#input.evaluateHandle(
        (input: HTMLElement) => {
          const key = { hasArrived: false };
          input.addEventListener(
            'keydown',
            () => {
              key.hasArrived = true;
            },
            { once: true, capture: true },
          );
          input.focus();
          return key;
        },
        undefined,
        { timeout },
      );
      // Without a limit, which could end after VS Code has taken the key: a retry would run the command again.
      await this.#page().keyboard.press('Enter');
      // A command that reloads the window has taken the key.
      hasArrived = await key.evaluate((key) => key.hasArrived).catch(() => true);
    }
  }

  #item(label: string) {
    const name = this.#page()
      .locator('.label-name')
      .filter({ hasText: new RegExp(`^${escapeRegExp(label)}$`) });
    return this.#widget.locator(dom.row).filter({ has: name });
  }

  async #focusItem(label: string, timeout: number): Promise<void> {
    const item = this.#item(label);
    for (let presses = 0; presses < 200; presses++) {
      const classes = await item.getAttribute('class', { timeout });
      if (/\bfocused\b/.test(classes ?? '')) return;
      await this.#input.press('ArrowDown', { timeout });
    }
    throw new Error(`The arrow keys don't reach ${label}.`);
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
