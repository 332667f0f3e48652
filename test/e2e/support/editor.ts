import type { Page } from 'playwright-core';
import type { QuickInput } from './quickInput';
import { getActiveTabSelector, vscodeDom } from './vscodeDom';

/** Drives VS Code's text editors. */
export class Editor {
  readonly #page: () => Page;
  readonly #quickInput: QuickInput;

  constructor(page: () => Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
  }

  /** Opens a file of the folder by name and waits until it can be edited. */
  async open(file: string): Promise<void> {
    const name = file.split('/').at(-1) ?? file;
    const page = this.#page();
    await this.#quickInput.openAndPick('ControlOrMeta+P', file, name);
    await page.locator(getActiveTabSelector(name)).waitFor();
    await page.locator(vscodeDom.editor.line).first().waitFor();
    await this.waitForFocus();
  }

  /** Waits until an editor has the focus, after its text is drawn. VS Code drops a key that is pressed as the focus moves. */
  async waitForFocus(): Promise<void> {
    await this.#page().locator(vscodeDom.editor.focused).waitFor();
  }

  /** Selects whole lines from `from` to `to`, inclusive, counted from 1. */
  async selectLines(from: number, to: number): Promise<void> {
    const { keyboard } = this.#page();
    await keyboard.press('Control+G');
    // The box takes line numbers after a colon; without one it searches for files.
    await this.#quickInput.type(`:${from}`);
    await this.#page().locator(vscodeDom.quickInput.widget).waitFor({ state: 'hidden' });
    await keyboard.press('Home');
    for (let line = from; line < to; line++) await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+End');
  }

  /** Returns the text of the visible lines. */
  async visibleText(): Promise<string> {
    const lines = this.#page().locator(vscodeDom.editor.lines).last();
    // DOM order differs from line order, and spaces are rendered as no-break spaces.
    const found = await lines.locator(vscodeDom.editor.anyLine).evaluateAll((all) =>
      all
        .map((line) => ({
          top: Number.parseFloat((line as HTMLElement).style.top),
          text: line.textContent ?? '',
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return found.join('\n').replaceAll('\u00a0', ' ');
  }

  /** Returns the labels of the tabs. */
  async getTabLabels(): Promise<string[]> {
    return await this.#page().locator(vscodeDom.editor.tabName).allTextContents();
  }
}
