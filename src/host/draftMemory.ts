import type { Disposable, Memento } from 'vscode';
import type { Chat } from '../chat/chat';

const KEY = 'parley.draft';

interface Draft {
  /** Of the conversation: the page keeps what it typed last under the same id. */
  readonly id: string;
  readonly draft: string;
}

/** Keeps what was typed last across a reload of the window, where conversations do not live on yet. */
export class DraftMemory implements Disposable {
  readonly #memory: Memento;
  readonly #listening: Disposable;
  #restored: Draft | undefined;

  constructor(memory: Memento, chat: Chat) {
    this.#memory = memory;
    this.#restored = memory.get<Draft>(KEY);
    this.#listening = chat.onEvent((event) => {
      if (event.type !== 'draft' && event.type !== 'created') return;
      const draft = chat.find(event.conversationId)?.draft ?? '';
      void this.#memory.update(KEY, { id: event.conversationId, draft } satisfies Draft);
    });
  }

  /** The draft of the session before, once: for the first conversation of this one. */
  take(): Draft | undefined {
    const restored = this.#restored;
    this.#restored = undefined;
    return restored;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}
