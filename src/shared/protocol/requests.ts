import * as v from 'valibot';
import { type InferObject, size } from '../conversation/conversationSchemas';
import type { MentionView } from '../conversation/mention';
import { MESSAGE_LIMIT } from '../conversation/message';
import type { PromptPart, PromptSummary } from '../conversation/prompt';
import type { EarlierAnswerText, EarlierQuestion, SearchHit, ServiceConversation } from '../view/viewModel';
import {
  MAX_CHECKED_PATHS,
  MAX_CHUNK_BYTES,
  MAX_DRAFTED_QUESTION_LENGTH,
  MAX_MENTION_QUERY_LENGTH,
  MAX_PATH_LENGTH,
  MAX_UPLOADED_FILES,
} from './limits';

export const id = v.pipe(v.string(), v.maxLength(100));
/** In code units: far above what a user types, far below what the host can't handle. */
export const text = v.pipe(v.string(), v.maxLength(5_000_000));
export const path = v.pipe(v.string(), v.maxLength(MAX_PATH_LENGTH));
/** The words of a search. */
const words = v.pipe(v.string(), v.maxLength(1000));
export const ofConversation = { conversationId: id };
export const ofTurn = { conversationId: id, turnId: id };

const mentionQuery = v.pipe(v.string(), v.maxLength(MAX_MENTION_QUERY_LENGTH));
/** How long a chip may be, in code points. */
const remainingCharacters = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MESSAGE_LIMIT));
const files = v.pipe(v.array(v.strictObject({ name: path, size })), v.maxLength(MAX_UPLOADED_FILES));
const bytes = v.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.byteLength <= MAX_CHUNK_BYTES,
);

/** Carries the type of a response; the page doesn't check what the host says. */
interface ResponseType<T> {
  readonly response?: T;
}

function response<T>(): ResponseType<T> {
  return {};
}

/**
 * What the page requests of the host, with the schemas of its properties, and what the host responds. The types of the
 * host's handlers and of the page's `request` follow from it. The page imports types only, so that its bundle has no schemas.
 */
export const requests = {
  /** The service's conversations that match a keyword and aren't stored here, newest first. */
  listService: [{ keyword: words }, response<readonly ServiceConversation[]>()],
  /** The prompts that can be inserted into a message. */
  listPrompts: [{}, response<readonly PromptSummary[]>()],
  /** The parts of a prompt for the composer of a conversation; none if it can't be used, which the host has said. */
  usePrompt: [{ ...ofConversation, promptId: path }, response<readonly PromptPart[]>()],
  /**
   * Adds a mention that a `findMentions` found: as a chip, or as an upload if it has more than `remainingCharacters`. `none`: the
   * user declined or it can't be used, which the host has reported.
   */
  useMention: [
    { ...ofConversation, mentionId: id, remainingCharacters },
    response<'chip' | 'upload' | 'none'>(),
  ],
  /**
   * Creates a conversation with the transcript up to a turn. With a draft, which replaces the message of the turn, the
   * transcript ends before it. False if there is none, which the host has said.
   */
  forkConversation: [{ ...ofTurn, draft: v.exactOptional(text) }, response<boolean>()],
  /**
   * Starts an upload of files whose bytes follow, file by file: a chunk after each response, then `uploadEnd`. Ends an earlier
   * upload of the page. `folders`: folders were left out, because a page can't read them. False if the host refuses the rest.
   */
  uploadBegin: [{ ...ofConversation, uploadId: id, files, folders: v.boolean() }, response<boolean>()],
  uploadChunk: [{ uploadId: id, bytes }, response<boolean>()],
  /** The answer that a `findEarlierAnswer` found last; null if it was deleted. */
  readEarlierAnswer: [{ ...ofConversation }, response<EarlierAnswerText | null>()],
  /** Those of the paths that are files of the workspace. */
  checkPaths: [
    { paths: v.pipe(v.array(path), v.maxLength(MAX_CHECKED_PATHS)) },
    response<readonly string[]>(),
  ],
} as const;

/** The same for what has any number of responses, until the page unsubscribes. */
export const subscriptions = {
  /** Searches turns for words: what was found so far, newest conversation first. */
  search: [{ query: words }, response<{ readonly hits: readonly SearchHit[]; readonly done: boolean }>()],
  /**
   * Searches what can be mentioned in a message: all that was found so far. `listId`: a new ID each time that the list is
   * opened: the host then looks at the workspace again. `isSearching`: other files may come before these.
   */
  findMentions: [
    { ...ofConversation, listId: id, query: mentionQuery },
    response<{ readonly mentions: readonly MentionView[]; readonly isSearching: boolean }>(),
  ],
  /**
   * Searches for an earlier question that means the same as the draft, and follows whether it is still there; null if there is
   * none. `isNewDraft`: the composer was empty before, so what was dismissed for the draft before no longer counts.
   */
  findEarlierAnswer: [
    {
      ...ofConversation,
      text: v.pipe(v.string(), v.maxLength(MAX_DRAFTED_QUESTION_LENGTH)),
      isNewDraft: v.boolean(),
    },
    response<EarlierQuestion | null>(),
  ],
} as const;

export type RequestName = keyof typeof requests;
export type SubscriptionName = keyof typeof subscriptions;

type Exchanges = typeof requests & typeof subscriptions;

/** What the page says in a request or a subscription. */
export type RequestOf<K extends keyof Exchanges> = InferObject<Exchanges[K][0]>;

/** What the host responds to it. */
export type ResponseTo<K extends keyof Exchanges> = Exchanges[K][1] extends ResponseType<infer T> ? T : never;
