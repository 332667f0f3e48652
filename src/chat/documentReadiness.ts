import { statusKind } from '../shared/documentStatus';
import { type Conversation, type DocumentTurn, isReplaced } from './conversation';

/** Whether a bot can answer from a document: `pending` while it is uploaded or converted. */
export function getReadiness({ state, status }: DocumentTurn): 'pending' | 'ready' | 'failed' {
  if (state === 'failed' || state === 'cancelled') return 'failed';
  if (state !== 'attached') return 'pending';
  switch (status === undefined ? 'done' : statusKind(status)) {
    case 'underWay':
      return 'pending';
    case 'failed':
      return 'failed';
    default:
      return 'ready';
  }
}

/** Ids of the documents that a question asked now would be answered without. */
export function findPendingDocuments(conversation: Conversation): string[] {
  return conversation.turns.flatMap((turn) =>
    turn.kind === 'document' && getReadiness(turn) === 'pending' && !isReplaced(conversation, turn.id)
      ? [turn.id]
      : [],
  );
}
