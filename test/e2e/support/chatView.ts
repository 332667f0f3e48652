import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repositoryRoot } from '../../vscode/cacheDir';
import { getChatRowSelector, vscodeDom } from './vscodeDom';
import { testKeys } from './vscodeWindow';
import type { WorkbenchOptions } from './workbench';

/**
 * Makes VS Code's Chat work without an account: uses a model and an agent from an extension in this
 * repository, and turns off the confirmations before going back.
 */
export const withChat = {
  extensions: [path.join(repositoryRoot, 'test/vscode/chatModel')],
  settings: {
    'chat.disableAIFeatures': false,
    'chat.editing.confirmEditRequestRemoval': false,
    'chat.editing.confirmEditRequestRetry': false,
  },
} satisfies WorkbenchOptions;

/** Drives VS Code's own Chat as a user does. */
export class ChatView {
  readonly #page: () => Page;

  constructor(workbench: { readonly page: Page }) {
    this.#page = () => workbench.page;
  }

  /** Shows an empty session; resolves when its model is available. */
  async startSession(): Promise<void> {
    await this.open();
    await this.waitForModel();
    // In an empty session, nothing would show when the button has taken effect, and a message that is sent
    // before that is lost.
    if ((await this.#responses.count()) > 0) {
      await this.#page()
        .getByRole('button', { name: /^New Chat \(/ })
        .first()
        .click();
      await this.#responses.first().waitFor({ state: 'detached' });
      await this.waitForModel();
    }
    await this.clearInput();
  }

  /** Opens Chat; VS Code's own key would close it if it is open. */
  async open(): Promise<void> {
    await this.#page().keyboard.press(testKeys.openChat.key);
  }

  async waitForModel(): Promise<void> {
    await this.#page().locator(vscodeDom.chat.session).getByText('Obedient').first().waitFor();
  }

  /** The input box for messages. */
  get input(): Locator {
    return this.#page().locator(vscodeDom.chat.input).first();
  }

  /** The attachments of the next message. */
  get attachments(): Locator {
    return this.#page().locator(vscodeDom.chat.attachment);
  }

  async clearInput(): Promise<void> {
    await this.input.click();
    await this.#page().keyboard.press('ControlOrMeta+A');
    await this.#page().keyboard.press('Delete');
  }

  /** Types a message and sends it; resolves to its response, which may still be streaming. */
  async say(text: string): Promise<Locator> {
    const { keyboard } = this.#page();
    const before = await this.#responses.evaluateAll((all) =>
      Math.max(-1, ...all.map((row) => Number(row.closest('[data-index]')?.getAttribute('data-index')))),
    );
    await this.input.click();
    // Inserted like a paste: Chat shows suggestions while the user types, and Enter may accept one.
    await keyboard.insertText(text);
    await this.input.getByText(text.slice(0, 10)).waitFor();
    await keyboard.press('Enter');
    // The request's row is between the two. Rows out of view aren't in the DOM.
    const row = this.#page().locator(getChatRowSelector(before + 2));
    const response = row.locator(vscodeDom.chat.response);
    await response.waitFor();
    return response;
  }

  /** Types a message, sends it, and resolves to the whole response. */
  async ask(text: string): Promise<string> {
    return await this.waitForText(await this.say(text));
  }

  /** Waits until a response has ended; resolves to its text. */
  async waitForText(response: Locator): Promise<string> {
    // A response gets its actions when it ends.
    await response.getByRole('button', { name: 'Retry' }).waitFor();
    await response.and(this.#page().locator(vscodeDom.chat.notLoading)).waitFor();
    return (await response.innerText()).replaceAll('\u00a0', ' ');
  }

  get lastResponse(): Locator {
    return this.#responses.last();
  }

  /** Presses a button of the latest response or of a confirmation. */
  async press(name: string | RegExp): Promise<void> {
    await this.#page().locator(vscodeDom.chat.session).getByRole('button', { name }).last().click();
  }

  /** Waits for the confirmation before a tool runs; resolves to its text. */
  async waitForConfirmation(): Promise<string> {
    const box = this.#page().getByRole('group', { name: 'Tool confirmation carousel' });
    await box.waitFor();
    return (await box.innerText()).replaceAll('\u00a0', ' ');
  }

  get #responses(): Locator {
    return this.#page().locator(vscodeDom.chat.listedResponse);
  }
}
