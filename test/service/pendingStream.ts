import type { Message } from './records';
import type { Script } from './scriptedReply';

/** A stream that a client was given the URL of. It is read once. */
export interface PendingStream {
  readonly question: Message;
  readonly script: Script | undefined;
  read: boolean;
}
