import type { Document } from '../../client/models';
import type {
  Bot,
  ConversationSummary,
  DocumentTurn as DocumentTurnView,
  FocusState,
  MessageTurn as MessageTurnView,
  ReplyTurn as ReplyTurnView,
} from '../../shared/viewModel';
import type { Composing } from './composerState';
import { type Failure, returnsText } from './failure';
import type { Queue } from './queue';

/** A document that a reply was made from, as the service names it. */
export interface ReplySource {
  readonly id?: string;
  readonly name: string;
  /** Untrusted: opened only after a look at it. */
  readonly url?: string;
}

export interface MessageTurn extends MessageTurnView {
  /** The service's id of it, where it was learnt. */
  readonly remoteId?: string;
  /** Not from Parley's panel: said to `@parley` in VS Code's Chat, or by an agent's tool. */
  readonly via?: 'chat' | 'tool';
}

export interface ReplyTurn extends Omit<ReplyTurnView, 'problem' | 'sources'> {
  /** The message it answers. */
  readonly messageId: string;
  readonly failure?: Failure;
  readonly sources?: readonly ReplySource[];
  /** The service's id of it, where it was learnt. */
  readonly remoteId?: string;
  /** The reply as the service has it, where it broke off on the way here. */
  readonly whole?: string;
}

export interface DocumentTurn extends Omit<DocumentTurnView, 'problem' | 'offersText' | 'opens' | 'focus'> {
  readonly failure?: Failure;
  /** The step that failed, and where Retry goes on. */
  readonly failedAt?: 'signing' | 'uploading' | 'registering';
  /** Of the person's own file. */
  readonly uri?: string;
  /** In hex, of the bytes that were sent: whether the file has changed since. */
  readonly sha256?: string;
  /** The service's id of it, once it is attached. */
  readonly documentId?: string;
  /** When it was about to be registered, by the service's clock, in ms: what is found by its name is no older. */
  readonly acceptedAt?: number;
}

export type Turn = MessageTurn | ReplyTurn | DocumentTurn;

/** Where a conversation is on a service; `gone`: that service said that it has it no longer. */
export interface RemotePlace {
  readonly baseUrl: string;
  readonly id: string;
  readonly gone?: true;
}

/** The documents of a conversation as its service listed them last. */
export interface ListedDocuments {
  readonly documents: readonly Document[];
  /** As far as is known. */
  readonly canRemove: boolean;
}

/** Which documents the bot may answer from, as the service said last (docs/service.md: Focus). */
export interface DocumentFocus {
  /** The known documents that are not in the focus. */
  readonly excluded: readonly Document[];
  /** Changes that the service hasn't confirmed yet, oldest first. */
  readonly changes: readonly FocusChange[];
}

export interface FocusChange {
  readonly document: Document;
  readonly included: boolean;
}

/** A conversation as the host knows it; the service knows it once a message or file needs it there. */
export interface Conversation {
  readonly id: string;
  /** Where the service has it: the id holds for one base URL only. */
  readonly remote?: RemotePlace;
  /** Empty until the first message (or file) names it. */
  readonly name: string;
  readonly bot?: Bot;
  readonly turns: readonly Turn[];
  /** Turns from before these are still being read. */
  readonly earlier?: boolean;
  /** Another window is writing it. */
  readonly heldElsewhere?: boolean;
  /** The disk takes nothing: what is new stands in memory only. */
  readonly unsaved?: boolean;
  readonly draft: string;
  /** What stands in the composer besides the draft, where there is anything. */
  readonly composing?: Composing;
  /** Messages that wait to be sent, where there are any. */
  readonly queue?: Queue;
  /** In this window only: each asks the service itself. */
  readonly listed?: ListedDocuments;
  /** In this window only, like `listed`. Missing if the service doesn't offer it. */
  readonly focus?: DocumentFocus;
  readonly unread: boolean;
  readonly pinned: boolean;
  /** ms since the epoch. */
  readonly createdAt: number;
}

export function lastReply(conversation: Conversation): ReplyTurn | undefined {
  return conversation.turns.findLast((turn) => turn.kind === 'reply');
}

/** What a reply's bot is called: what was kept with it may be its id, from before its name was known. */
export function getBotName({ bot }: Pick<Conversation, 'bot'>, reply: ReplyTurn): string {
  return bot && reply.bot === bot.id ? bot.name : reply.bot;
}

/** A conversation has at most one reply in flight, its last. */
export function isStreaming(conversation: Conversation): boolean {
  const reply = lastReply(conversation);
  return reply !== undefined && reply.ending === undefined;
}

/** Retry is honest for the last reply, when it failed or was cut off and its text did not go back to the composer. */
export function canRetry(conversation: Conversation, turnId: string): boolean {
  const reply = lastReply(conversation);
  const { failure } = reply ?? {};
  // What was flagged would be flagged again, and counted again.
  return reply?.id === turnId && failure !== undefined && failure.code !== 'flagged' && !returnsText(failure);
}

export function summarize(conversation: Conversation): ConversationSummary {
  return {
    id: conversation.id,
    name: conversation.name,
    bot: conversation.bot ?? { id: '', name: '' },
    at: conversation.turns.at(-1)?.at ?? conversation.createdAt,
    streaming: isStreaming(conversation),
    unread: conversation.unread,
    pinned: conversation.pinned,
  };
}

const NAME_LENGTH = 60;

/** A conversation's name from what is said first: its first line, at most 60 code points. */
export function nameFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? '';
  const points = Array.from(line);
  return points.length <= NAME_LENGTH
    ? line
    : `${points
        .slice(0, NAME_LENGTH - 1)
        .join('')
        .trimEnd()}…`;
}

/** Whether a conversation, in which nothing was said yet, has its name from one of its files. */
export function isNamedAfterDocument({ name, turns, earlier }: Conversation): boolean {
  if (earlier || turns.some(({ kind }) => kind !== 'document')) return false;
  // A file that went up as text was called otherwise at first: see UploadName.
  return turns.some(
    (turn) =>
      turn.kind === 'document' && [turn.name, turn.name.replace(/\.txt$/, '')].map(nameFrom).includes(name),
  );
}

/** Whether a newer version of a document is there or on its way. */
export function isReplaced({ turns }: Pick<Conversation, 'turns'>, turnId: string): boolean {
  return turns.some(
    (turn) =>
      turn.kind === 'document' &&
      turn.replaces === turnId &&
      turn.state !== 'failed' &&
      turn.state !== 'cancelled',
  );
}

/** The document's turn with this id, as it is now. */
export function findDocument(
  conversation: Conversation | undefined,
  turnId: string,
): DocumentTurn | undefined {
  const turn = conversation?.turns.findLast(({ id }) => id === turnId);
  return turn?.kind === 'document' ? turn : undefined;
}

/** Returns whether the bot answers from a document, or undefined if the service doesn't offer the choice. */
export function getFocusState(
  { focus }: Pick<Conversation, 'focus'>,
  documentId: string,
): FocusState | undefined {
  if (!focus) return undefined;
  const change = focus.changes.findLast(({ document }) => document.id === documentId);
  const included = change?.included ?? !focus.excluded.some(({ id }) => id === documentId);
  return included ? 'included' : 'excluded';
}
