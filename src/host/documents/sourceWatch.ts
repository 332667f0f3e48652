import type { Disposable, Uri } from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { SourceChanges } from './createSourceChanges';

/** Loads what follows the files of replies' sources once a file is uploaded, or a page shows a reply with such a source. */
export class SourceWatch implements Disposable {
  readonly #chat: Chat;
  readonly #load: () => Promise<SourceChanges>;
  readonly #onError: (error: unknown) => void;
  readonly #subscription: { dispose(): void };
  readonly #running = new Set<Promise<void>>();
  #shown: ReadonlySet<string> = new Set();
  #isLoaded = false;

  constructor(chat: Chat, load: () => Promise<SourceChanges>, onError: (error: unknown) => void) {
    this.#chat = chat;
    this.#load = load;
    this.#onError = onError;
    this.#subscription = chat.onChatEvent((event) => {
      if (event.type === 'turn' && event.turn.kind === 'document') {
        const { turn } = event;
        if (turn.state === 'attached' && turn.uri !== undefined)
          void this.#run(({ keptVersions }) => keptVersions.keepTurn(turn));
      } else if (event.type === 'earlierTurns' || event.type === 'turn') this.#update();
    });
  }

  /** Sets the conversations that are visible. */
  show(conversationIds: ReadonlySet<string>): void {
    this.#shown = conversationIds;
    this.#update();
  }

  /** Keeps the text of a file that was just uploaded. */
  keepVersion(uri: Uri, sha256: string): Promise<void> {
    return this.#run(({ keptVersions }) => keptVersions.keep(uri, sha256));
  }

  /** Resolves when the texts of all files that were uploaded are kept. */
  async close(): Promise<void> {
    this.dispose();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #update(): void {
    const hasFiles = [...this.#shown].some((id) =>
      this.#chat
        .findConversation(id)
        ?.turns.some((turn) => turn.kind === 'reply' && turn.sourceFiles !== undefined),
    );
    if (hasFiles || this.#isLoaded)
      void this.#run(async ({ changedSources }) => changedSources.show(this.#shown));
  }

  async #run(use: (changes: SourceChanges) => Promise<void>): Promise<void> {
    this.#isLoaded = true;
    const running = this.#load().then(use).catch(this.#onError);
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }
}
