import * as v from 'valibot';
import {
  type Infer,
  type InferTurn,
  id,
  documentProperties as shownDocumentProperties,
  messageProperties as shownMessageProperties,
  replyProperties as shownReplyProperties,
  time,
} from '../../shared/conversation/conversationSchemas';
import { failureSchema } from './failure';

/**
 * The turns as the host stores them: what the page shows of them (shared/conversation/conversationSchemas.ts)
 * and what only the host knows. An exported file has the `exported` properties.
 */

/**
 * Set if it wasn't sent from Parley's panel but to `@parley` in VS Code's Chat, or by an agent. An unknown value
 * from a newer Parley must not count as an agent's, which could continue the conversation.
 */
const via = v.exactOptional(v.fallback(v.picklist(['chat', 'tool']), 'chat'));

export const messageProperties = {
  exported: shownMessageProperties.exported,
  local: {
    ...shownMessageProperties.local,
    /** The service's ID for it, if known. */
    remoteId: v.exactOptional(v.string()),
    via,
  },
};

/** A document that a reply is based on, as the service names it. */
export const sourceSchema = v.object({
  id: v.exactOptional(v.string()),
  name: v.string(),
  /** Untrusted: must be checked before opening it. */
  url: v.exactOptional(v.string()),
});

/** The file that a source of a reply was uploaded from. */
export const sourceFileSchema = v.object({
  /** The service's ID of the document. */
  id: v.string(),
  uri: v.string(),
  /** Hex digest of the bytes that were uploaded. */
  sha256: v.string(),
});

export const replyProperties = {
  exported: {
    ...shownReplyProperties.exported,
    /** The message that it answers; empty if that was lost together with the start of the reply. */
    messageId: v.union([id, v.literal('')]),
    failure: v.exactOptional(failureSchema),
    sources: v.exactOptional(v.array(sourceSchema)),
  },
  local: {
    ...shownReplyProperties.local,
    /** The service's ID for it, if known. */
    remoteId: v.exactOptional(v.string()),
    /** Whether the service listed only one of its sources: the single message may have more. */
    moreSources: v.exactOptional(v.literal(true)),
    /** The files of its sources, as they were when it was made. */
    sourceFiles: v.exactOptional(v.array(sourceFileSchema)),
    /** The complete reply from the service, if the connection was lost while it streamed. */
    whole: v.exactOptional(v.string()),
  },
};

const uploadStepSchema = v.picklist(['signing', 'uploading', 'registering']);

export const documentProperties = {
  exported: {
    ...shownDocumentProperties.exported,
    failure: v.exactOptional(failureSchema),
    /** The step that failed, where a retry continues. */
    failedAt: v.exactOptional(uploadStepSchema),
    /** The service's ID for it, once it is attached. */
    documentId: v.exactOptional(v.string()),
  },
  local: {
    ...shownDocumentProperties.local,
    /** URI of the user's own file. */
    uri: v.exactOptional(v.string()),
    /** Hex digest of the bytes that were sent, to detect whether the file has changed since. */
    sha256: v.exactOptional(v.string()),
    /** Time just before registration on the service's clock: a match found by name must not be older. */
    acceptedAt: v.exactOptional(time),
    /** IDs of documents with a similar name that the service listed before. */
    listedBefore: v.exactOptional(v.array(v.string())),
    via,
  },
};

export type MessageTurn = InferTurn<typeof messageProperties>;
export type ReplyTurn = InferTurn<typeof replyProperties>;
export type DocumentTurn = InferTurn<typeof documentProperties>;
export type TextTurn = MessageTurn | ReplyTurn;
export type Turn = TextTurn | DocumentTurn;

export type ReplySource = Infer<typeof sourceSchema>;
export type SourceFile = Infer<typeof sourceFileSchema>;
export type UploadStep = Infer<typeof uploadStepSchema>;

/** Loose, so that properties added by a newer Parley are preserved when the turn is stored again. */
const storedFailure = { failure: v.exactOptional(v.looseObject(failureSchema.entries)) };
const storedReplyProperties = {
  ...replyProperties.exported,
  ...replyProperties.local,
  ...storedFailure,
  sources: v.exactOptional(v.array(v.looseObject(sourceSchema.entries))),
};
const { text: _, ...endedReplyProperties } = storedReplyProperties;

/** The schema of a stored turn. */
export const turnSchema: v.GenericSchema<unknown, Turn> = v.variant('kind', [
  v.looseObject({ ...messageProperties.exported, ...messageProperties.local }),
  v.looseObject(storedReplyProperties),
  v.looseObject({ ...documentProperties.exported, ...documentProperties.local, ...storedFailure }),
]);

/** The schema of a stored reply that has ended, without its text. */
export const endedReplySchema: v.GenericSchema<unknown, Omit<ReplyTurn, 'text'>> = v.looseObject(
  endedReplyProperties,
);

/** Ends a turn that nothing is working on: an open reply was interrupted, an open upload was canceled. */
export function interruptTurn(turn: Turn): Turn {
  if (turn.kind === 'reply' && turn.ending === undefined) {
    return { ...turn, ending: 'interrupted', failure: { code: 'interrupted', maySend: false } };
  }
  return turn.kind === 'document' && isUploading(turn) ? { ...turn, state: 'cancelled' } : turn;
}

/** Returns whether the document is being uploaded, or waits for that. */
export function isUploading({ state }: DocumentTurn): boolean {
  return state !== 'attached' && state !== 'failed' && state !== 'cancelled';
}
