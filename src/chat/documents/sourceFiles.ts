import type { Chat } from '../conversations/chat';
import type { ChatEvent } from '../model/chatEvent';
import { type Conversation, findBaseUrl, findReply } from '../model/conversation';
import type { ReplyTurn, SourceFile } from '../model/turn';

/** Finds the file that a document of a service was synced from. */
export type FindSyncedFile = (
  baseUrl: string,
  documentId: string,
) => Promise<Omit<SourceFile, 'id'> | undefined>;

/**
 * Stores with a reply, once its sources are known, which files they were uploaded from, and the digests of what was uploaded: later
 * versions of a file are other documents.
 */
export class SourceFiles {
  readonly #chat: Chat;
  readonly #subscription: { dispose(): void };
  #findSyncedFile: FindSyncedFile | undefined;

  constructor(chat: Chat) {
    this.#chat = chat;
    this.#subscription = chat.onChatEvent((event) => this.#handleEvent(event));
  }

  setFindSyncedFile(find: FindSyncedFile): void {
    this.#findSyncedFile = find;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #handleEvent(event: ChatEvent): void {
    if (event.type !== 'turn') return;
    const { conversationId, turn } = event;
    if (turn.kind === 'reply') this.#addMissing(conversationId, turn);
    else if (turn.kind === 'document' && turn.documentId !== undefined) {
      // Its ID may have become known after replies that it is a source of.
      for (const reply of this.#chat.findConversation(conversationId)?.turns ?? []) {
        if (reply.kind === 'reply') this.#addMissing(conversationId, reply, turn.documentId);
      }
    }
  }

  /** Adds the files of a reply's sources that aren't known yet. `documentId`: of that source only. */
  #addMissing(conversationId: string, reply: ReplyTurn, documentId?: string): void {
    const { id, sources = [], sourceFiles = [] } = reply;
    const known = new Set(sourceFiles.map((file) => file.id));
    const unknown = sources.flatMap((source) => {
      const isWanted = documentId === undefined || source.id === documentId;
      return source.id === undefined || known.has(source.id) || !isWanted ? [] : [source.id];
    });
    if (unknown.length === 0) return;
    void this.#addFiles(conversationId, id, unknown).catch(this.#chat.reportError);
  }

  async #addFiles(conversationId: string, replyId: string, documentIds: readonly string[]): Promise<void> {
    const conversation = this.#chat.findConversation(conversationId);
    if (!conversation) return;
    const found: SourceFile[] = [];
    for (const id of documentIds) {
      const file =
        findUploadedFile(conversation, id) ??
        (await this.#findSyncedFile?.(findBaseUrl(conversation) ?? '', id));
      if (file) found.push({ id, ...file });
    }
    const reply = findReply(this.#chat.findConversation(conversationId), replyId);
    const added = found.filter(({ id }) => !reply?.sourceFiles?.some((file) => file.id === id));
    if (!reply || added.length === 0) return;
    const sourceFiles = [...(reply.sourceFiles ?? []), ...added];
    this.#chat.writer.putReplyDetails(conversationId, { ...reply, sourceFiles });
  }
}

function findUploadedFile({ turns }: Conversation, documentId: string): Omit<SourceFile, 'id'> | undefined {
  for (const turn of turns) {
    if (turn.kind !== 'document' || turn.documentId !== documentId) continue;
    const { uri, sha256 } = turn;
    if (uri !== undefined && sha256 !== undefined && !uri.startsWith('untitled:')) return { uri, sha256 };
  }
  return undefined;
}

/**
 * Returns what became of the file of a source since the reply: `changed` or `gone`, or `updated` if the service has a newer version by
 * now. Undefined if it is as it was, or isn't known.
 */
export function getSourceChange(
  { turns, sourceStates }: Pick<Conversation, 'turns' | 'sourceStates'>,
  { uri, sha256 }: SourceFile,
): 'changed' | 'gone' | 'updated' | undefined {
  const { sha256: now, synced } = sourceStates?.get(uri) ?? {};
  const isNewer = (version: string | undefined) =>
    version !== undefined && version !== sha256 && (now === undefined || version === now);
  const hasNewer =
    isNewer(synced) ||
    turns.some(
      (turn) =>
        turn.kind === 'document' && turn.state === 'attached' && turn.uri === uri && isNewer(turn.sha256),
    );
  if (hasNewer) return 'updated';
  if (now === undefined || now === sha256) return undefined;
  return now === '' ? 'gone' : 'changed';
}

/** Returns the files of the sources of a conversation's replies, the newest first, each once. */
export function findSourceFiles({ turns }: Pick<Conversation, 'turns'>): readonly SourceFile[] {
  const replies = turns.filter((turn): turn is ReplyTurn => turn.kind === 'reply').reverse();
  const files = replies.flatMap(({ sourceFiles = [] }) => sourceFiles);
  return [...new Map(files.map((file) => [file.uri, file])).values()];
}

/** Returns the digests of the versions of a file that a conversation's replies were made from. */
export function findSourceVersions({ turns }: Pick<Conversation, 'turns'>, uri: string): readonly string[] {
  const files = turns.flatMap((turn) => (turn.kind === 'reply' ? (turn.sourceFiles ?? []) : []));
  return [...new Set(files.flatMap((file) => (file.uri === uri ? [file.sha256] : [])))];
}
