import type { Page } from 'playwright-core';
import { getExplorerRowSelector, vscodeDom } from './vscodeDom';

/** Drives the Explorer. */
export class Explorer {
  readonly #page: () => Page;

  constructor(page: () => Page) {
    this.#page = page;
  }

  /**
   * Selects the files (expanding their folders; names use `/`), right-clicks the last one and runs `item`
   * from the context menu.
   */
  async runFromContextMenu(files: readonly string[], item: string): Promise<void> {
    await this.openContextMenu(files);
    // A menu ignores clicks for a moment after it opens, but takes keys at once.
    await this.#menuItem(item).hover();
    await this.#page().keyboard.press('Enter');
    await this.#menuItem(item).waitFor({ state: 'hidden' });
  }

  /** Selects the files and opens their context menu; resolves to its labels. */
  async openContextMenu(files: readonly string[]): Promise<string[]> {
    for (const [index, file] of files.entries()) {
      await this.#reveal(file);
      await this.#row(file).click(index === 0 ? {} : { modifiers: ['ControlOrMeta'] });
      await this.#row(file).and(this.#page().locator('[aria-selected=true]')).waitFor();
    }
    await this.#row(files.at(-1) ?? '').click({ button: 'right' });
    const labels = this.#page().locator(vscodeDom.menu.label);
    await labels.first().waitFor();
    return (await labels.allTextContents()).filter((label) => label !== '');
  }

  #menuItem(item: string) {
    return this.#page().locator(vscodeDom.menu.item).filter({ hasText: item }).first();
  }

  #row(file: string) {
    const name = file.split('/').at(-1) ?? file;
    return this.#page().locator(getExplorerRowSelector(name)).first();
  }

  async #reveal(file: string): Promise<void> {
    const folders = file.split('/').slice(0, -1);
    for (const folder of folders) {
      const row = this.#row(folder);
      await row.waitFor();
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    }
  }
}
