import type { Disposable, Memento } from 'vscode';
import type { Chat } from '../chat/chat';

const KEY = 'parley.draft';

/** Keeps what was typed last across a reload of the window, where conversations do not live on yet. */
export class DraftMemory implements Disposable {
  readonly #memory: Memento;
  readonly #listening: Disposable;
  #restored: string;

  constructor(memory: Memento, chat: Chat) {
    this.#memory = memory;
    this.#restored = memory.get(KEY, '');
    this.#listening = chat.onEvent((event) => {
      if (event.type === 'draft') void this.#memory.update(KEY, event.text || undefined);
    });
  }

  /** The draft of the session before, once: for the first conversation of this one. */
  take(): string {
    const draft = this.#restored;
    this.#restored = '';
    return draft;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}
