import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { View } from '../base/names';
import type { HostPage } from './page/hostPage';
import { updateViewTitle } from './titles';

/** The view in the side bar, and its page while VS Code keeps the view. */
export class SideBarView {
  readonly #chat: Chat;
  #frame: vscode.WebviewView | undefined;
  #page: HostPage | undefined;
  #onFilled: ((page: HostPage) => void) | undefined;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** The view's page; undefined until the view is first shown. */
  get page(): HostPage | undefined {
    return this.#page;
  }

  /** Called with the view that VS Code has created, and its page. */
  fill(frame: vscode.WebviewView, page: HostPage): void {
    this.#frame = frame;
    this.#page = page;
    frame.onDidDispose(() => {
      this.#frame = undefined;
      this.#page = undefined;
    });
    this.#onFilled?.(page);
    this.#onFilled = undefined;
  }

  /** Shows the view and runs `then` once it has a page. */
  async reveal(then: (page: HostPage) => void): Promise<void> {
    this.#onFilled = this.#page === undefined ? then : undefined;
    await vscode.commands.executeCommand(`${View.chat}.focus`);
    if (this.#page) then(this.#page);
  }

  updateTitle(): void {
    if (this.#frame && this.#page) updateViewTitle(this.#chat, this.#frame, this.#page);
  }
}
