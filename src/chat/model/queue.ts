import { type ContextChip, composeMessage } from '../../shared/message';

/** A message that waits for its turn to be sent. */
export interface QueuedMessage {
  /** The message keeps it as a turn: a queued message whose turn exists was sent. */
  readonly id: string;
  readonly text: string;
  readonly context: readonly ContextChip[];
  readonly webSearch?: true;
  /** Ids of the document turns that must be ready first. */
  readonly documents?: readonly string[];
  /** The service's ids of documents that were added elsewhere and must be ready first. */
  readonly serviceDocuments?: readonly string[];
  /** Stored before the request leaves. Whoever reads it back after a crash can't know whether the service has the message. */
  readonly sending?: true;
}

/** Why nothing is sent until the person resumes the queue. */
export type PauseReason =
  | 'stopped'
  | 'interrupted'
  | 'failed'
  | 'quotaReached'
  | 'refused'
  | 'documentFailed'
  /** The window was closed, reloaded or killed in between. */
  | 'reopened'
  /** The first message may have been sent already. */
  | 'maybeSent'
  /** The disk doesn't take the mark that a message is being sent. */
  | 'unsaved';

/** The messages of a conversation that wait, in the order in which they are sent. Never empty. */
export interface Queue {
  readonly messages: readonly QueuedMessage[];
  readonly paused?: PauseReason;
  /** Id of the message that the person is editing: it isn't sent meanwhile. */
  readonly editing?: string;
}

/** The whole text that is sent, context included. */
export function composeQueued({ text, context }: QueuedMessage): string {
  return composeMessage(text, context);
}

/** The messages with one of them moved up (-1) or down (1) by one place. */
export function moveQueued(
  messages: readonly QueuedMessage[],
  messageId: string,
  step: -1 | 1,
): readonly QueuedMessage[] {
  const from = messages.findIndex(({ id }) => id === messageId);
  const to = from + step;
  const [moved, other] = [messages[from], messages[to]];
  return moved && other ? messages.with(from, other).with(to, moved) : messages;
}
