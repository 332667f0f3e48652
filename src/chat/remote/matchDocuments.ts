import type { Document } from '../../client/models';
import type { DocumentTurn, Turn } from '../model/turn';

/** The status of an accepted document that the service doesn't list yet: it is being converted. */
export const PENDING = 'pending';

/** The service's times are whole seconds, and the response with its time took a while to arrive. */
const CLOCK_TOLERANCE_MS = 5000;

/** Returns whether the service may have accepted a document although its response was lost. */
export function isResponseLost({ state, acceptedAt, documentId }: DocumentTurn): boolean {
  return (
    (state === 'failed' || state === 'cancelled') && acceptedAt !== undefined && documentId === undefined
  );
}

/**
 * Finds the documents that the service accepted without returning their ids, or whose responses were lost, by
 * the ids of their turns. Matches by name, and only documents that are not older than their registration.
 * Documents with the same name are matched in the order of their times, first to turns that were certainly
 * accepted.
 */
export function matchDocuments(
  turns: readonly Turn[],
  documents: readonly Document[],
): Map<string, Document> {
  const ownTurns = turns.filter((turn) => turn.kind === 'document');
  const knownIds = new Set(ownTurns.map(({ documentId }) => documentId));
  const waiting = ownTurns
    .filter((turn) => isResponseLost(turn) || (turn.state === 'attached' && turn.documentId === undefined))
    .sort(
      (one, other) =>
        Number(isResponseLost(one)) - Number(isResponseLost(other)) ||
        getAcceptedTime(one) - getAcceptedTime(other),
    )
    .map((turn) => ({
      turn,
      name: turn.name.normalize(),
      notBefore: getAcceptedTime(turn) - CLOCK_TOLERANCE_MS,
    }));
  const unknown = documents
    .filter(({ id }) => !knownIds.has(id))
    .sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  const matches = new Map<string, Document>();
  for (const document of unknown) {
    const name = document.name.normalize();
    const index = waiting.findIndex(
      (turn) =>
        // If the service doesn't return the name, compare only the time.
        (name === '' || turn.name === name) &&
        (document.createdAt === undefined || document.createdAt * 1000 >= turn.notBefore),
    );
    const [match] = index < 0 ? [] : waiting.splice(index, 1);
    if (match) matches.set(match.turn.id, document);
  }
  return matches;
}

function getAcceptedTime({ acceptedAt, at }: DocumentTurn): number {
  return acceptedAt ?? at;
}

/** Returns a turn attached to the service's document. */
export function attach(turn: DocumentTurn, { id, status }: Document): DocumentTurn {
  const { failure: _failure, failedAt: _failedAt, status: _status, ...rest } = turn;
  return { ...rest, state: 'attached', documentId: id, ...(status !== undefined && { status }) };
}
