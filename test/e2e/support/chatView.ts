import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repositoryRoot } from '../../vscode/cacheDir';
import { chatRow, vscodeDom } from './vscodeDom';
import type { WorkbenchOptions } from './workbench';

/** What makes VS Code's Chat work here: a model and an agent of our own in place of an account, and no questions before it goes back. */
export const withChat = {
  extensions: [path.join(repositoryRoot, 'test/vscode/chatModel')],
  settings: {
    'chat.disableAIFeatures': false,
    'chat.editing.confirmEditRequestRemoval': false,
    'chat.editing.confirmEditRequestRetry': false,
  },
} satisfies WorkbenchOptions;

/** VS Code's own Chat, as a person uses it. */
export class ChatView {
  readonly #page: () => Page;
  readonly #runCommand: (title: string) => Promise<void>;

  constructor(workbench: { readonly page: Page; runCommand(title: string): Promise<void> }) {
    this.#page = () => workbench.page;
    this.#runCommand = (title) => workbench.runCommand(title);
  }

  /** Shows an empty session; resolves when its model is there. */
  async startSession(): Promise<void> {
    await this.#runCommand('Chat: Open Chat');
    await this.#page()
      .getByRole('button', { name: /^New Chat \(/ })
      .first()
      .click();
    await this.#responses.first().waitFor({ state: 'detached' });
    await this.waitForModel();
    await this.clearInput();
  }

  async waitForModel(): Promise<void> {
    await this.#page().locator(vscodeDom.chat.session).getByText('Obedient').first().waitFor();
  }

  /** The box that a message is typed into. */
  get input(): Locator {
    return this.#page().locator(vscodeDom.chat.input).first();
  }

  /** What is attached to the next message. */
  get attachments(): Locator {
    return this.#page().locator(vscodeDom.chat.attachment);
  }

  async clearInput(): Promise<void> {
    await this.input.click();
    await this.#page().keyboard.press('ControlOrMeta+A');
    await this.#page().keyboard.press('Delete');
  }

  /** Types a message and sends it; resolves to its response, which may still be under way. */
  async say(text: string): Promise<Locator> {
    const { keyboard } = this.#page();
    const before = await this.#responses.evaluateAll((all) =>
      Math.max(-1, ...all.map((each) => Number(each.closest('[data-index]')?.getAttribute('data-index')))),
    );
    await this.input.click();
    // As a paste: while one types, Chat suggests other words, and Enter may take them.
    await keyboard.insertText(text);
    await keyboard.press('Enter');
    // Its request stands between the two. Rows out of sight are not in the page.
    const row = this.#page().locator(chatRow(before + 2));
    const response = row.locator(vscodeDom.chat.response);
    await response.waitFor();
    return response;
  }

  /** Types a message, sends it, and resolves to the whole response. */
  async ask(text: string): Promise<string> {
    return await this.whole(await this.say(text));
  }

  /** The text of a response, once it ended. */
  async whole(response: Locator): Promise<string> {
    // What can be done with it is offered at its end.
    await response.getByRole('button', { name: 'Retry' }).waitFor();
    await response.and(this.#page().locator(vscodeDom.chat.notLoading)).waitFor();
    return (await response.innerText()).replaceAll('\u00a0', ' ');
  }

  get lastResponse(): Locator {
    return this.#responses.last();
  }

  get lastRequest(): Locator {
    return this.#page().locator(vscodeDom.chat.request).last();
  }

  /** Presses a button of the latest response, or of what asks to be confirmed. */
  async press(name: string | RegExp): Promise<void> {
    await this.#page().locator(vscodeDom.chat.session).getByRole('button', { name }).last().click();
  }

  /** Goes back to before the latest request. */
  async restoreCheckpoint(): Promise<void> {
    const restore = { name: 'Restores workspace and chat to this point' };
    const request = await this.lastRequest.elementHandle();
    await this.#page().getByRole('button', restore).last().press('Enter');
    await request?.waitForElementState('hidden');
    await this.clearInput();
  }

  /** Puts words behind the latest request and sends it again. */
  async editLastRequest(words: string): Promise<void> {
    const { keyboard } = this.#page();
    await this.lastRequest.locator('.rendered-markdown').click();
    await this.lastRequest.locator(vscodeDom.editor.focused).waitFor();
    await keyboard.press('ControlOrMeta+End');
    await keyboard.insertText(words);
    await keyboard.press('Enter');
  }

  /** What is asked before a tool runs. */
  async confirmation(): Promise<string> {
    const box = this.#page().getByRole('group', { name: 'Tool confirmation carousel' });
    await box.waitFor();
    return (await box.innerText()).replaceAll('\u00a0', ' ');
  }

  get #responses(): Locator {
    return this.#page().locator(vscodeDom.chat.listedResponse);
  }
}
