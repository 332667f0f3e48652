import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { conversationId } from '../../shared/conversation/conversationSchemas';
import type { HostPage } from './page/hostPage';

/** Memento key of the pairs of conversations that were asked the same question, newest first. */
const COMPARED_KEY = 'parley.compared';
const MAX_PAIRS = 20;

const pairsSchema = v.fallback(v.array(v.tuple([conversationId, conversationId])), []);

/**
 * The conversations with the answers of two bots to one question, each in an editor tab. While both tabs are open, each
 * offers to continue with its conversation.
 */
export class Comparisons {
  readonly #memory: vscode.Memento;
  readonly #chat: Pick<Chat, 'findConversation'>;
  readonly #tabs: ReadonlyMap<HostPage, vscode.WebviewPanel>;
  #pairs: readonly (readonly [string, string])[];

  /** `memory`: the workspace's memento, like the open tabs. `tabs`: those that are open. */
  constructor(
    memory: vscode.Memento,
    chat: Pick<Chat, 'findConversation'>,
    tabs: ReadonlyMap<HostPage, vscode.WebviewPanel>,
  ) {
    this.#memory = memory;
    this.#chat = chat;
    this.#tabs = tabs;
    this.#pairs = v.parse(pairsSchema, memory.get(COMPARED_KEY));
  }

  add(pair: readonly [string, string]): void {
    this.#store([pair, ...this.#pairs].slice(0, MAX_PAIRS));
  }

  /** Shows in each tab whether it is one of two. */
  updateComparisons(): void {
    for (const page of this.#tabs.keys()) {
      const other = this.#findOther(page);
      page.setComparedWith(other && (this.#chat.findConversation(other.conversationId)?.bot?.name ?? ''));
    }
  }

  /** Closes the other tab; its conversation stays in the list. */
  continueWith(page: HostPage): void {
    const other = this.#findOther(page);
    if (!other) return;
    this.#store(this.#pairs.filter((pair) => !pair.includes(page.conversationId)));
    this.#tabs.get(other)?.dispose();
    this.#tabs.get(page)?.reveal();
    page.focusComposer();
  }

  #findOther(page: HostPage): HostPage | undefined {
    const pair = this.#pairs.find((ids) => ids.includes(page.conversationId));
    const otherId = pair?.find((id) => id !== page.conversationId);
    return [...this.#tabs.keys()].find((tab) => tab.conversationId === otherId);
  }

  #store(pairs: readonly (readonly [string, string])[]): void {
    this.#pairs = pairs;
    void this.#memory.update(COMPARED_KEY, pairs);
    this.updateComparisons();
  }
}
