import * as v from 'valibot';
import type { Document } from '../../client/models';
import {
  botSchema,
  flag,
  forkProperties,
  type Infer,
  type InferObject,
  workspaceSchema,
} from '../../shared/conversation/conversationSchemas';
import { getReadiness } from '../../shared/view/documentReadiness';
import type { Bot, ConversationSummary, FocusState } from '../../shared/view/viewModel';
import type { ComposerState } from './composerState';
import { returnsText } from './failure';
import { memoizeByList } from './memoizeByList';
import type { Queue } from './queuedMessage';
import type { DocumentTurn, ReplyTurn, Turn } from './turn';

/** A conversation's location on a service. `gone`: the service reported that it no longer exists. */
const remotePlaceSchema = v.object({ baseUrl: v.string(), id: v.string(), gone: flag });

export type RemotePlace = Infer<typeof remotePlaceSchema>;

/** A document of the service (client/models.ts), as it was when it was excluded from the focus. */
const excludedDocumentSchema = v.object({
  id: v.string(),
  name: v.string(),
  status: v.optional(v.string()),
  contentUrl: v.optional(v.string()),
  createdAt: v.optional(v.number()),
});

/** A conversation's properties other than its turns and its draft. */
export const aboutProperties = {
  /** Empty until the first message (or file) names it. */
  name: v.string(),
  bot: v.exactOptional(botSchema),
  /** Its place on the service; valid for one base URL only. */
  remote: v.exactOptional(remotePlaceSchema),
  /** The known documents that are not in the focus, because the service doesn't list them. */
  excluded: v.exactOptional(v.array(excludedDocumentSchema)),
  ...forkProperties,
  unread: v.boolean(),
  pinned: v.boolean(),
  archived: v.exactOptional(v.boolean()),
  /** The workspace of the window in which the first turn was added. */
  workspace: v.exactOptional(workspaceSchema),
};

export type About = InferObject<typeof aboutProperties>;

const ABOUT_KEYS = Object.keys(aboutProperties) as (keyof About)[];

/** Returns only the properties that `about` records store. */
export function pickAbout<T extends Partial<About>>(source: T): Pick<T, keyof T & keyof About> {
  const entries = ABOUT_KEYS.map((key) => [key, source[key]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/**
 * Returns a conversation's properties with those of a record. The forks, which are never removed, are those of all records:
 * two windows may have added one at the same time.
 */
export function mergeAbout<T extends Partial<About>>(before: T, record: Partial<About>): T {
  const { forks } = before;
  const merged = { ...before, ...record };
  if (!forks || !record.forks) return merged;
  const ids = new Set(record.forks.map(({ id }) => id));
  return { ...merged, forks: [...forks.filter(({ id }) => !ids.has(id)), ...record.forks] };
}

/** The documents of a conversation as the service last listed them. */
export interface ListedDocuments {
  readonly documents: readonly Document[];
  /** As far as known. */
  readonly canRemove: boolean;
}

/** The documents that the bot may answer from, as last reported by the service (docs/service.md: Focus). */
export interface DocumentFocus {
  /** The IDs of the documents in the focus. */
  readonly included: readonly string[];
  /** Changes that the service hasn't confirmed yet, oldest first. */
  readonly changes: readonly FocusChange[];
}

export interface FocusChange {
  readonly document: Document;
  readonly included: boolean;
}

/** A file that replies were made from, as it is now. */
export interface SourceState {
  /** Empty if the file is gone. */
  readonly sha256: string;
  /** The digests of its earlier versions whose texts are known. */
  readonly knownVersions: readonly string[];
  /** The digest of the version that the service has from a sync. */
  readonly synced?: string;
}

/** A conversation as the host stores it; it is created on the service when a message or file requires it. */
export interface Conversation extends About {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** Whether earlier turns are still being read. */
  readonly earlier?: boolean;
  /** Whether another window is writing it. */
  readonly heldByOtherWindow?: boolean;
  /** Whether the disk can't be written, so that new turns are in memory only. */
  readonly unsaved?: boolean;
  /** Set if its queue or composer contents couldn't be read in this window. */
  readonly hasDamagedFile?: boolean;
  readonly draft: string;
  /** The composer's contents other than the draft, if any. */
  readonly composing?: ComposerState;
  /** Messages waiting to be sent, if any. */
  readonly queue?: Queue;
  /** Not stored: each window asks the service itself. */
  readonly listed?: ListedDocuments;
  /** In this window only, like `listed`. Missing if the service doesn't offer it. */
  readonly focus?: DocumentFocus;
  /** In this window only: the files that replies were made from, as they are now, by URI. */
  readonly sourceStates?: ReadonlyMap<string, SourceState>;
  /** ms since the epoch. */
  readonly createdAt: number;
}

/** Returns the base URL of the service that a conversation belongs to; undefined for one without a bot, and for old ones. */
export function findBaseUrl(
  conversation: Partial<Pick<About, 'bot' | 'remote'>> | undefined,
): string | undefined {
  return conversation?.remote?.baseUrl ?? conversation?.bot?.baseUrl;
}

/** Returns whether a conversation can get a bot: once it is on a service, it stays there. */
export function canGetBot({ remote }: Pick<About, 'remote'>, bot: Bot | undefined): boolean {
  return !remote || bot?.baseUrl === undefined || bot.baseUrl === remote.baseUrl;
}

/** Returns whether two may be the same bot: an old one doesn't know its service. */
export function mayBeSameBot(one: Bot, other: Bot): boolean {
  return one.id === other.id && (one.baseUrl ?? other.baseUrl) === (other.baseUrl ?? one.baseUrl);
}

/** Returns whether nothing was sent yet. A conversation whose turns can't be read now counts as used. */
export function isUnusedConversation({ turns, remote }: Pick<Conversation, 'turns' | 'remote'>): boolean {
  return turns.length === 0 && !remote;
}

export function findLastReply(conversation: Conversation): ReplyTurn | undefined {
  return conversation.turns.findLast((turn) => turn.kind === 'reply');
}

/** Returns the name of a reply's bot; what was stored may be the bot's ID, from before its name was known. */
export function getBotName({ bot }: Pick<Conversation, 'bot'>, reply: ReplyTurn): string {
  return bot && reply.bot === bot.id ? bot.name : reply.bot;
}

/** Returns the reply with this ID. The newest turns are looked at first. */
export function findReply(conversation: Conversation | undefined, turnId: string): ReplyTurn | undefined {
  const turn = conversation?.turns.findLast(({ id }) => id === turnId);
  return turn?.kind === 'reply' ? turn : undefined;
}

/** Returns whether a reply is in flight; only the last one can be. */
export function isStreaming(conversation: Conversation): boolean {
  const reply = findLastReply(conversation);
  return reply !== undefined && reply.ending === undefined;
}

/**
 * Returns whether a reply can be retried: only the last one, if it failed or was cut off and its message did
 * not go back to the composer.
 */
export function canRetry(conversation: Conversation, turnId: string): boolean {
  const reply = findLastReply(conversation);
  const { failure } = reply ?? {};
  // A flagged message would be flagged and counted again.
  return reply?.id === turnId && failure !== undefined && failure.code !== 'flagged' && !returnsText(failure);
}

export function summarize(conversation: Conversation): ConversationSummary {
  const at = conversation.turns.at(-1)?.at ?? conversation.createdAt;
  return toSummary({ ...conversation, at }, isStreaming(conversation));
}

/** Creates the list entry of a conversation. `at`: the time of its last turn. */
export function toSummary(
  conversation: About & { readonly id: string; readonly at: number },
  streaming: boolean,
): ConversationSummary {
  const { id, name, bot = { id: '', name: '' }, at, unread, pinned, archived, workspace } = conversation;
  const baseUrl = findBaseUrl(conversation);
  return {
    ...{ id, name, at, unread, pinned, streaming },
    bot: baseUrl === bot.baseUrl || baseUrl === undefined ? bot : { ...bot, baseUrl },
    ...(archived && { archived }),
    ...(workspace && { workspace }),
  };
}

const MAX_NAME_CODE_POINTS = 60;
/** In UTF-16 code units. What follows in a line of megabytes is not read. */
const MAX_NAMING_LENGTH = 10_000;

/** Derives a conversation's name from its first text: the first line, at most 60 code points. */
export function deriveName(text: string): string {
  const start = text.trim().slice(0, MAX_NAMING_LENGTH);
  const line = start.split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? '';
  const points = Array.from(line);
  return points.length <= MAX_NAME_CODE_POINTS
    ? line
    : `${points
        .slice(0, MAX_NAME_CODE_POINTS - 1)
        .join('')
        .trimEnd()}…`;
}

/** Returns the name that the service gets, which requires one. It isn't translated, because it is stored. */
export function getServiceName({ name, turns }: Pick<Conversation, 'name' | 'turns'>): string {
  const question = turns.find((turn) => turn.kind === 'message');
  return name.trim() || deriveName(question?.text ?? '') || 'New Conversation';
}

/** Returns the name of a fork without messages. `label`: the word for a fork in VS Code's language. */
export function createForkName(originalName: string, label: string): string {
  return `${originalName} (${label})`;
}

/** Returns whether a conversation without messages is named after one of its files, or after its original. */
export function hasDerivedName({ name, turns, earlier, forkedFrom }: Conversation): boolean {
  if (earlier || turns.some(({ kind }) => kind !== 'document')) return false;
  if (name !== '' && name === forkedFrom?.forkName) return true;
  // A file that was uploaded as text had another name at first: see UploadName.
  return turns.some(
    (turn) =>
      turn.kind === 'document' && [turn.name, turn.name.replace(/\.txt$/, '')].map(deriveName).includes(name),
  );
}

/** Returns whether a newer version of a document is attached or on its way. */
export function isReplaced({ turns }: Pick<Conversation, 'turns'>, turnId: string): boolean {
  return findReplacedIds(turns).has(turnId);
}

const findReplacedIds = memoizeByList(
  (turns: readonly Turn[]): ReadonlySet<string> =>
    new Set(
      turns.flatMap((turn) =>
        turn.kind === 'document' &&
        turn.replaces !== undefined &&
        turn.state !== 'failed' &&
        turn.state !== 'cancelled'
          ? [turn.replaces]
          : [],
      ),
    ),
);

/** Returns the ID of the newest version of a document that hasn't failed. */
export function findNewestVersion(turns: readonly Turn[], turnId: string): string {
  const versions = new Set<string | undefined>([turnId]);
  let newest = turnId;
  for (const turn of turns) {
    if (turn.kind !== 'document' || !versions.has(turn.replaces)) continue;
    versions.add(turn.id);
    if (getReadiness(turn) !== 'failed') newest = turn.id;
  }
  return newest;
}

/** Returns the current document turn with this ID. */
export function findDocument(
  conversation: Conversation | undefined,
  turnId: string | undefined,
): DocumentTurn | undefined {
  const turn = conversation?.turns.findLast(({ id }) => id === turnId);
  return turn?.kind === 'document' ? turn : undefined;
}

/**
 * Returns whether the bot answers from a document; undefined if there is no choice: the service doesn't offer it, or
 * the document is the only one, which can't be excluded (docs/service.md: Focus).
 */
export function getFocusState(
  conversation: Pick<Conversation, 'focus' | 'excluded' | 'turns'>,
  documentId: string,
): FocusState | undefined {
  const { focus, excluded = [], turns } = conversation;
  if (!focus) return undefined;
  const excludedIds = new Set(excluded.map(({ id }) => id));
  for (const { document, included } of focus.changes) {
    if (included) excludedIds.delete(document.id);
    else excludedIds.add(document.id);
  }
  if (excludedIds.has(documentId)) return 'excluded';
  if (focus.included.length === 0) return undefined;
  const isOther = (id: string) => id !== documentId && !excludedIds.has(id);
  // Files that were uploaded here since are in the focus, too.
  const hasOther =
    focus.included.some(isOther) ||
    turns.some(
      (turn) =>
        turn.kind === 'document' &&
        turn.state === 'attached' &&
        turn.documentId !== undefined &&
        isOther(turn.documentId),
    );
  return hasOther ? 'included' : undefined;
}
