import type { Page } from 'playwright-core';
import type { QuickInput } from './quickInput';
import { activeTab, vscodeDom } from './vscodeDom';

/** The text editor in the middle. */
export class Editor {
  readonly #page: () => Page;
  readonly #quickInput: QuickInput;

  constructor(page: () => Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
  }

  /** Opens a file of the folder by its name and waits until its text can be edited. */
  async open(file: string): Promise<void> {
    const name = file.split('/').at(-1) ?? file;
    const page = this.#page();
    await this.#quickInput.openAndPick('ControlOrMeta+P', file, name);
    await page.locator(activeTab(name)).waitFor();
    await page.locator(vscodeDom.editor.line).first().waitFor();
  }

  /** Selects whole lines, `from` and `to` included, counted from 1. */
  async selectLines(from: number, to: number): Promise<void> {
    const { keyboard } = this.#page();
    await keyboard.press('Control+G');
    // The box takes line numbers behind a colon; without one it looks for files.
    await this.#quickInput.type(`:${from}`);
    await this.#page().locator(vscodeDom.quickInput.widget).waitFor({ state: 'hidden' });
    await keyboard.press('Home');
    for (let line = from; line < to; line++) await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+End');
  }

  /** The lines that are on screen, as text. */
  async visibleText(): Promise<string> {
    const lines = this.#page().locator(vscodeDom.editor.lines).last();
    // The DOM's order is not the document's, and its spaces are no-break ones.
    const found = await lines.locator(vscodeDom.editor.anyLine).evaluateAll((all) =>
      all
        .map((line) => ({
          top: Number.parseFloat((line as HTMLElement).style.top),
          text: line.textContent ?? '',
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return found.join('\n').replaceAll(' ', ' ');
  }

  /** The names on the tabs. */
  async tabs(): Promise<string[]> {
    return await this.#page().locator(vscodeDom.editor.tabName).allTextContents();
  }
}
