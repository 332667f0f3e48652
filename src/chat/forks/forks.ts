import type { Bot } from '../../shared/view/viewModel';
import type { Chat } from '../conversations/chat';
import type { ConfirmedFile } from '../documents/fileToUpload';
import type { UploadQueue } from '../documents/uploadQueue';
import { type Conversation, createForkName, getBotName } from '../model/conversation';
import type { Turn } from '../model/turn';

/** Maximum number of conversations before a fork that its transcript includes, and of characters from them. */
const MAX_ANCESTORS = 20;
const MAX_EARLIER_CHARACTERS = 1_000_000;

export interface ForkOptions {
  /** The last turn of the transcript; by default the conversation's last one that has ended. */
  readonly turnId?: string;
  /** The fork's bot; by default the conversation's. */
  readonly bot?: Bot;
  /** A text for the fork's composer. It replaces the message `turnId`, so the transcript ends before that. */
  readonly draft?: string;
}

/**
 * Creates conversations that start with the transcript of another one, uploaded as their document, because the service
 * can neither go back to an earlier turn nor change a conversation's bot.
 */
export class Forks {
  readonly #chat: Chat;
  readonly #uploads: UploadQueue;
  readonly #createForkDocument: (conversation: Conversation) => ConfirmedFile;
  readonly #label: string;

  /**
   * `createForkDocument` creates a document with the text of a conversation. `label`: the word for a fork in VS Code's language.
   */
  constructor(
    services: { readonly chat: Chat; readonly uploads: UploadQueue },
    createForkDocument: (conversation: Conversation) => ConfirmedFile,
    label: string,
  ) {
    this.#chat = services.chat;
    this.#uploads = services.uploads;
    this.#createForkDocument = createForkDocument;
    this.#label = label;
  }

  /**
   * Creates the fork, links it with the original, and starts the upload; resolves to its ID, or to undefined if
   * there is nothing to fork. A draft for the first message becomes a conversation without a transcript. Throws file
   * system errors.
   */
  async create(id: string, { turnId, bot, draft }: ForkOptions): Promise<string | undefined> {
    const original = await this.#chat.openWhole(id);
    if (!original) return undefined;
    const turns = getTurnsUpTo(original, turnId, draft !== undefined);
    if (!turns) return undefined;
    const last = turns.findLast(({ kind }) => kind !== 'document');
    if (!last && draft === undefined) return undefined;
    const fork = this.#chat.createConversation(bot ?? original.bot);
    if (draft !== undefined) this.#chat.composers.setDraft(fork.id, draft);
    if (!last) return fork.id;
    const { name } = original;
    const earlier = await this.#readEarlierTurns(original);
    // The fork keeps this name until its first message. If the original has no name, the document's is used.
    const forkName = name === '' ? undefined : createForkName(name, this.#label);
    this.#chat.update(fork.id, {
      forkedFrom: { id, name, turnId: last.id, ...(forkName && { forkName }) },
      ...(forkName && { name: forkName }),
    });
    const [first, ...others] = turns;
    // The document that the original itself started with has the same as the earlier turns.
    const own = earlier.length > 0 && first?.kind === 'document' ? others : turns;
    this.#uploads.add(fork.id, this.#createForkDocument({ ...original, turns: [...earlier, ...own] }));
    const link = { id: fork.id, name: this.#chat.findConversation(fork.id)?.name ?? '', turnId: last.id };
    this.#chat.update(id, { forks: [...(original.forks ?? []), link] });
    return fork.id;
  }

  /** Returns what was said before a fork started: in its original, in the original of that, and so on. */
  async #readEarlierTurns(fork: Conversation): Promise<readonly Turn[]> {
    const newestFirst: Turn[] = [];
    const ids = new Set([fork.id]);
    let remainingCharacters = MAX_EARLIER_CHARACTERS;
    let from = fork.forkedFrom;
    // Links in an imported file may lead anywhere.
    while (from && !ids.has(from.id) && ids.size <= MAX_ANCESTORS) {
      ids.add(from.id);
      const original = await this.#chat.readConversation(from.id);
      const turns = original && getTurnsUpTo(original, from.turnId, false);
      if (!turns) break;
      const isFork = original.forkedFrom !== undefined;
      for (const turn of turns.slice(isFork && turns[0]?.kind === 'document' ? 1 : 0).reverse()) {
        remainingCharacters -= 'text' in turn ? turn.text.length : 0;
        if (remainingCharacters < 0) return newestFirst.reverse();
        newestFirst.push(addBotName(original, turn));
      }
      from = original.forkedFrom;
    }
    return newestFirst.reverse();
  }
}

/** Replaces the ID of a reply's bot with its name: the fork may have another bot. */
function addBotName(conversation: Conversation, turn: Turn): Turn {
  return turn.kind === 'reply' ? { ...turn, bot: getBotName(conversation, turn) } : turn;
}

/** Returns the turns up to one that has ended, or before it; undefined if there is no such turn. */
function getTurnsUpTo(
  { turns }: Conversation,
  turnId: string | undefined,
  before: boolean,
): readonly Turn[] | undefined {
  const at = turns.findLastIndex((turn) => (turnId === undefined ? hasEnded(turn) : turn.id === turnId));
  return at < 0 ? undefined : turns.slice(0, before ? at : at + 1);
}

function hasEnded(turn: Turn): boolean {
  return turn.kind !== 'reply' || turn.ending !== undefined;
}
