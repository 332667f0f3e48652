import type { Message } from '../records';
import type { Script } from './scriptedReply';

/** A stream that was promised to a client. It can be read once. */
export interface PendingStream {
  readonly question: Message;
  readonly script: Script | undefined;
  read: boolean;
}
