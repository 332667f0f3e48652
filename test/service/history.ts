import type { Message } from './records';
import type { ServiceState } from './state';

/** Lets a test decide when a late reply is in the history, if `historyDelayMs` is Infinity or too long. */
export interface History {
  /** The replies that the history doesn't have yet, oldest first, whole or not. */
  readonly pending: readonly Message[];
  /** Adds them to the history. Throws if there are none. */
  publish(): void;
}

export function isPublished(state: ServiceState, { publishedAt }: Message): boolean {
  return state.now() >= publishedAt;
}

export function createHistory(state: ServiceState): History {
  return {
    get pending() {
      return findPending(state);
    },
    publish() {
      const replies = findPending(state);
      if (replies.length === 0) throw new Error('The history has all replies.');
      for (const reply of replies) reply.publishedAt = 0;
    },
  };
}

function findPending(state: ServiceState): Message[] {
  return [...state.messages.values()].filter((message) => !isPublished(state, message));
}
