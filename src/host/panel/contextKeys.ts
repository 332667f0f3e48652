import * as vscode from 'vscode';
import { type Conversation, isStreaming } from '../../chat/model/conversation';
import { Context } from '../base/names';

/** Sets the context keys that depend on the pages, when their values change. */
export class ContextKeys {
  readonly #values = new Map<string, boolean>();

  /**
   * `conversation` is the one that commands apply to, `inView` the one in the view; `focused` means that a page has the
   * keyboard focus.
   */
  update(conversation: Conversation | undefined, inView: Conversation | undefined, focused: boolean): void {
    const { turns = [] } = conversation ?? {};
    const keys = {
      [Context.focused]: focused,
      [Context.hasTurns]: turns.length > 0,
      [Context.viewHasTurns]: inView !== undefined && inView.turns.length > 0,
      [Context.hasDocuments]: turns.some(({ kind }) => kind === 'document'),
      [Context.streaming]: conversation !== undefined && isStreaming(conversation),
    };
    for (const [key, value] of Object.entries(keys)) {
      if (this.#values.get(key) === value) continue;
      this.#values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
