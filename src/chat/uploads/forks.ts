import type { Bot } from '../../shared/view/viewModel';
import type { Chat } from '../conversations/chat';
import type { Conversation } from '../model/conversation';
import type { Turn } from '../model/turn';
import type { FileToUpload } from './fileToUpload';
import type { UploadQueue } from './uploadQueue';

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
  readonly #createFile: (conversation: Conversation) => FileToUpload;

  /** `createFile` creates a document with the text of a conversation. */
  constructor(
    services: { readonly chat: Chat; readonly uploads: UploadQueue },
    createFile: (conversation: Conversation) => FileToUpload,
  ) {
    this.#chat = services.chat;
    this.#uploads = services.uploads;
    this.#createFile = createFile;
  }

  /**
   * Creates the fork, links it with the original, and starts the upload; resolves to its id, or to undefined if
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
    const fork = this.#chat.create(bot ?? original.bot);
    if (draft !== undefined) this.#chat.composers.setDraft(fork.id, draft, true);
    if (!last) return fork.id;
    const { name } = original;
    this.#chat.update(fork.id, { forkedFrom: { id, name, turnId: last.id } });
    this.#uploads.add(fork.id, this.#createFile({ ...original, turns }));
    const link = { id: fork.id, name: this.#chat.find(fork.id)?.name ?? '', turnId: last.id };
    this.#chat.update(id, { forks: [...(original.forks ?? []), link] });
    return fork.id;
  }
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
