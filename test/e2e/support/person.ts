import type { Locator } from 'playwright-core';
import type { LocalService } from '../../service/localService';
import { waitUntil } from '../../support/waitUntil';
import { vscodeDom } from './vscodeDom';
import { testKeys } from './vscodeWindow';
import type { Workbench } from './workbench';

type Driven = Pick<Workbench, 'page' | 'panel' | 'quickInput' | 'runCommand'>;

/** Drives Parley's panel as a user does. */
export class Person {
  readonly #workbench: Driven;
  readonly #where: 'view' | 'editor';

  constructor(workbench: Driven, where: 'view' | 'editor' = 'view') {
    this.#workbench = workbench;
    this.#where = where;
  }

  /** Starts an empty conversation with the bot; sets the key and the bot first if they are missing. */
  async setUp(service: LocalService, bot: string): Promise<void> {
    const { quickInput } = this.#workbench;
    await this.#workbench.runCommand('Parley: New Conversation');
    await this.waitForFocus();
    const panel = await this.#workbench.panel(this.#where);
    const composer = await this.composer();
    const setKey = panel.getByRole('button', { name: 'Set API Key', exact: true });
    const chooseBot = panel.getByRole('button', { name: 'Choose Bot', exact: true });
    await composer.or(setKey).or(chooseBot).first().waitFor();
    if (await setKey.isVisible()) {
      await setKey.click();
      await quickInput.waitFor('API key');
      await this.untilFocusMoved(() => quickInput.type(service.key));
      await composer.or(chooseBot).first().waitFor();
    }
    if (await chooseBot.isVisible()) {
      await chooseBot.click();
      await this.untilFocusMoved(() => quickInput.pick(bot));
    }
    await composer.waitFor();
    await this.#waitForComposerFocus();
  }

  /** Starts an empty conversation with a key, which a window handles some time after it has opened. */
  async newConversation(): Promise<void> {
    // The command's last step, after the composer is empty.
    await this.untilFocusMoved(() => this.#workbench.page.keyboard.press(testKeys.newConversation.key));
    await this.seesNoTurns();
    await this.#waitForComposerFocus();
  }

  /** Runs a function, and waits until the host has moved the focus to the composer; keys pressed before that could be lost. */
  async untilFocusMoved(run: () => Promise<void>): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.evaluate(() => {
      document.documentElement.removeAttribute('data-focus-moved');
      window.addEventListener('message', ({ data }) => {
        if (data.type === 'focusComposer') document.documentElement.setAttribute('data-focus-moved', '');
      });
    });
    await run();
    await panel.locator('html[data-focus-moved]').waitFor({ state: 'attached' });
  }

  /** A command that opens the composer moves the focus there at its end; an action before that would lose it. */
  async #waitForComposerFocus(): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.waitForFunction(() => document.activeElement?.localName === 'textarea');
  }

  /**
   * Waits until a command that opens the panel has moved the focus to the composer, or to the button of the next step of the
   * set-up. Before that, VS Code would close a palette, and keys for a box would be lost.
   */
  async waitForFocus(): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.waitForFunction(
      () => document.hasFocus() && document.activeElement?.matches('#message, .setup .primary'),
    );
  }

  /** Waits until a composer has the focus; when a view is shown again, its frame no longer says that it belongs to a view. */
  async waitForFocusInAnyFrame(): Promise<void> {
    const { page } = this.#workbench;
    const countFocused = () =>
      page.frames().map((frame) =>
        // The frame may be replaced in the meantime.
        frame
          .locator('#message:focus')
          .count()
          .catch(() => 0),
      );
    while (!(await Promise.all(countFocused())).includes(1)) await page.waitForTimeout(50);
  }

  async seesNoTurns(): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.locator('article, .document').first().waitFor({ state: 'detached' });
  }

  async composer(): Promise<Locator> {
    const panel = await this.#workbench.panel(this.#where);
    return panel.getByRole('textbox', { name: 'Message' });
  }

  /** Clicks the composer; commands are for the page that was focused last. */
  async focusComposer(): Promise<Locator> {
    const composer = await this.composer();
    await composer.click();
    return composer;
  }

  /**
   * Focuses the composer, and waits until Parley's keys work: they have no effect until VS Code knows that the page has the
   * focus, which the host says afterwards.
   */
  async waitUntilKeysWork(): Promise<void> {
    const { keyboard } = this.#workbench.page;
    await this.focusComposer();
    const panel = await this.#workbench.panel(this.#where);
    while ((await panel.locator('.transcript:focus').count()) === 0) {
      await keyboard.press('Alt+PageUp');
      await this.#workbench.page.waitForTimeout(50);
    }
    // Keys take effect in their order, so none of those above is left when this one has.
    await keyboard.press('Alt+PageDown');
    await panel.locator('#message:focus').waitFor();
  }

  async press(button: string): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.getByRole('button', { name: button, exact: true }).last().click();
  }

  /** Types into the composer with the keyboard. */
  async type(text: string): Promise<void> {
    const composer = await this.focusComposer();
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) await composer.press('Shift+Enter');
      await composer.pressSequentially(line);
    }
  }

  async say(text: string): Promise<void> {
    await this.type(text);
    await (await this.composer()).press('Enter');
  }

  /** Returns the latest article with this name: "You" or a bot's name. */
  async lastTurn(name: string): Promise<Locator> {
    const panel = await this.#workbench.panel(this.#where);
    return panel.getByRole('article', { name, exact: true }).last();
  }

  /** Waits until the given reply has ended; resolves to its text. */
  async reply(bot: string, turns = 1): Promise<string> {
    const panel = await this.#workbench.panel(this.#where);
    const articles = panel.getByRole('article', { name: bot, exact: true });
    await articles.nth(turns - 1).waitFor();
    const last = articles.nth(turns - 1);
    await panel.waitForFunction(
      (article) => article?.getAttribute('aria-busy') !== 'true',
      await last.elementHandle(),
    );
    // Not `innerText`, which leaves out what is out of view.
    return (await last.textContent()) ?? '';
  }

  /** Returns the text of each turn, without time and buttons, from top to bottom. */
  async turns(): Promise<string[]> {
    const panel = await this.#workbench.panel(this.#where);
    // Not `innerText`, which is empty for elements out of view.
    return await panel.getByRole('article').locator('.bubble, .markdown').allTextContents();
  }

  /** Opens the list of conversations, unless it is open. */
  async list(): Promise<Locator> {
    const panel = await this.#workbench.panel(this.#where);
    const list = panel.getByRole('dialog', { name: 'Conversations' });
    if (!(await list.isVisible())) {
      await this.focusComposer();
      // Not in the palette, which sometimes focuses the editor when it closes, instead of what had the focus before.
      const part = this.#workbench.page.locator(
        this.#where === 'view' ? vscodeDom.sideBar.secondary : vscodeDom.editor.part,
      );
      await part.getByRole('button', { name: 'Search Conversations…', exact: true }).click();
    }
    await list.waitFor();
    return list;
  }

  /** Returns the names in the list of conversations, once it has so many. */
  async readListedNames(count: number): Promise<string[]> {
    const list = await this.list();
    const listed = list.locator('.list-name');
    await waitUntil(`the list has ${count} conversations`, async () => (await listed.count()) === count);
    const names = await listed.allTextContents();
    // VS Code may still be giving the focus back to the panel, after a dialog.
    const search = list.getByRole('combobox', { name: 'Search conversations' });
    await search.focus();
    const panel = await this.#workbench.panel(this.#where);
    await panel.waitForFunction(
      () => document.hasFocus() && document.activeElement?.getAttribute('role') === 'combobox',
    );
    await search.press('Escape');
    await list.waitFor({ state: 'detached' });
    return names;
  }

  /** Opens a conversation from the panel's list. */
  async open(name: string): Promise<void> {
    await (await this.list()).getByRole('row').filter({ hasText: name }).first().click();
    await this.seesTitle(name);
  }

  /** Presses a button in a conversation's row of the list. */
  async pressInList(name: string, button: string): Promise<void> {
    const row = (await this.list()).getByRole('row').filter({ hasText: name });
    await row.hover();
    await row.getByRole('button', { name: button, exact: true }).click();
  }

  /** Waits until the panel's heading is this title; in a tab it is for screen readers only. */
  async seesTitle(name: string): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.locator('h1').getByText(name, { exact: true }).waitFor();
  }

  /** Waits until a turn or a document shows this text. */
  async sees(text: string): Promise<void> {
    const panel = await this.#workbench.panel(this.#where);
    await panel.locator('[role=log], [role=grid]').getByText(text).last().waitFor();
  }

  async alert(): Promise<string> {
    const panel = await this.#workbench.panel(this.#where);
    const alert = panel.getByRole('alert').last();
    await alert.waitFor();
    return await alert.innerText();
  }
}
