import type { MessageSource, Usage } from '../records';

/** `human`: word by word at about 60 words a second; `instant`: word by word without a wait. */
export type Pace = 'human' | 'instant';

/** An uploaded document with its bytes. */
export interface BotDocument {
  readonly id: string;
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ReplyRequest {
  readonly question: string;
  /** The conversation so far, oldest first, without the question. */
  readonly history: readonly { readonly machine: boolean; readonly content: string }[];
  readonly documents: readonly BotDocument[];
  readonly webSearch: boolean;
  readonly pace: Pace;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

export interface ReplyEnd {
  /** What the reply was made from. */
  readonly sources?: readonly MessageSource[];
  /** The bot couldn't reply; its text says why. */
  readonly failed?: boolean;
  /** The message is against the service's usage policy. */
  readonly flagged?: boolean;
  /** Default: as many tokens as the text has, and one credit. */
  readonly usage?: Usage;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
  /** The reply's chunks. Ends early, without an error, once the signal is aborted. */
  reply(request: ReplyRequest): AsyncGenerator<string, ReplyEnd, void>;
}
