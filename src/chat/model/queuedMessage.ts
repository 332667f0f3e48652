import * as v from 'valibot';
import {
  chipSchema,
  flag,
  type Infer,
  id,
  queuedMessageProperties,
} from '../../shared/conversation/conversationSchemas';
import { composeMessage } from '../../shared/conversation/message';

/** A message waiting to be sent. Its ID becomes that of its turn: one with an existing turn was sent. */
const queuedMessageSchema = v.object({
  ...queuedMessageProperties,
  /** IDs of the document turns that must be ready first. */
  documents: v.exactOptional(v.array(id)),
  /** The service's IDs of documents that were added elsewhere and must be ready first. */
  serviceDocuments: v.exactOptional(v.array(v.string())),
  /**
   * Stored before the request is sent. After a crash it means that the service may or may not have the
   * message.
   */
  sending: flag,
});

export type QueuedMessage = Infer<typeof queuedMessageSchema>;

/** Keeps properties of a newer version, which has to find them again. */
export const storedMessageSchema: v.GenericSchema<unknown, QueuedMessage> = v.looseObject({
  ...queuedMessageSchema.entries,
  context: v.array(v.looseObject(chipSchema.entries)),
});

/** Why nothing is sent until the user resumes the queue. */
export type PauseReason =
  | 'stopped'
  | 'interrupted'
  | 'failed'
  | 'quotaReached'
  | 'refused'
  | 'documentFailed'
  /** A document that a message waited for wasn't ready in time. The message no longer waits for it. */
  | 'documentLate'
  /** The window was closed, reloaded or killed. */
  | 'reopened'
  /** The first message may have been sent already. */
  | 'maybeSent'
  /** The mark that a message is being sent couldn't be saved. */
  | 'unsaved';

/** The waiting messages of a conversation in sending order. Never empty. */
export interface Queue {
  readonly messages: readonly QueuedMessage[];
  readonly paused?: PauseReason;
  /** ID of the message being edited, which isn't sent in the meantime. */
  readonly editing?: string;
}

/** Returns the full text to send, including context. */
export function composeQueuedMessage({ text, context }: QueuedMessage): string {
  return composeMessage(text, context);
}

/** Returns the message without the documents for which a predicate returns false. */
export function filterAwaitedDocuments(
  { documents = [], serviceDocuments = [], ...message }: QueuedMessage,
  keeps: (turnId: string) => boolean,
  keepsOnService: (documentId: string) => boolean,
): QueuedMessage {
  const own = documents.filter(keeps);
  const onService = serviceDocuments.filter(keepsOnService);
  return {
    ...message,
    ...(own.length > 0 && { documents: own }),
    ...(onService.length > 0 && { serviceDocuments: onService }),
  };
}

/** Moves one message up (-1) or down (1) by one place. */
export function moveQueuedMessage(
  messages: readonly QueuedMessage[],
  messageId: string,
  step: -1 | 1,
): readonly QueuedMessage[] {
  const from = messages.findIndex(({ id }) => id === messageId);
  const to = from + step;
  const [moved, other] = [messages[from], messages[to]];
  return moved && other ? messages.with(from, other).with(to, moved) : messages;
}
