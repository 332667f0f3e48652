import type { MessageSource, Usage } from '../records';

/** `human`: word by word, about 60 words a second; `instant`: word by word without delay. */
export type Pace = 'human' | 'instant';

/** An uploaded document with its bytes. */
export interface BotDocument {
  readonly id: string;
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ReplyRequest {
  readonly question: string;
  /** The conversation before the question, oldest message first. */
  readonly history: readonly { readonly machine: boolean; readonly content: string }[];
  readonly documents: readonly BotDocument[];
  readonly webSearch: boolean;
  readonly pace: Pace;
  /** Aborted when the client no longer waits for the reply. */
  readonly signal: AbortSignal;
}

export interface ReplyEnd {
  /** The sources of the reply. */
  readonly sources?: readonly MessageSource[];
  /** The bot couldn't reply; the reply's text says why. */
  readonly failed?: boolean;
  /** The message violates the service's usage policy. */
  readonly flagged?: boolean;
  /** Defaults to an estimate of the text's tokens, and one credit. */
  readonly usage?: Usage;
}

export interface Bot {
  readonly id: string;
  readonly name: string;
  /** Yields the reply's chunks. Ends early, without an error, when the signal is aborted. */
  reply(request: ReplyRequest): AsyncGenerator<string, ReplyEnd, void>;
}
