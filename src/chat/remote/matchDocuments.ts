import type { Document } from '../../client/models';
import type { DocumentTurn, Turn } from '../model/conversation';

/** The status of a document that was accepted, and that the service doesn't list yet: it is being converted. */
export const PENDING = 'pending';

/** ms. The service's times are whole seconds, and the answer that told its time was under way for a while. */
const CLOCK_TOLERANCE_MS = 5000;

/** Whether the service may have accepted a document without this side having heard so. */
export function isLost({ state, acceptedAt, documentId }: DocumentTurn): boolean {
  return (
    (state === 'failed' || state === 'cancelled') && acceptedAt !== undefined && documentId === undefined
  );
}

/**
 * Finds the documents, by the ids of their turns, that the service accepted without telling their ids, or whose answer was
 * lost: by name, and no older than their registration. Several of one name are taken in the order of their times, those that
 * the service is known to have before those that may never have arrived.
 */
export function matchDocuments(
  turns: readonly Turn[],
  documents: readonly Document[],
): Map<string, Document> {
  const own = turns.filter((turn) => turn.kind === 'document');
  const known = new Set(own.map(({ documentId }) => documentId));
  const waiting = own
    .filter((turn) => isLost(turn) || (turn.state === 'attached' && turn.documentId === undefined))
    .sort(
      (one, other) =>
        Number(isLost(one)) - Number(isLost(other)) || getAcceptedTime(one) - getAcceptedTime(other),
    );
  const unknown = documents
    .filter(({ id }) => !known.has(id))
    .sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0));
  const matches = new Map<string, Document>();
  for (const document of unknown) {
    const turn = waiting.find(
      (each) =>
        !matches.has(each.id) &&
        // Where the service tells no name, the time alone has to do.
        (document.name === '' || each.name.normalize() === document.name.normalize()) &&
        (document.createdAt === undefined ||
          document.createdAt * 1000 >= getAcceptedTime(each) - CLOCK_TOLERANCE_MS),
    );
    if (turn) matches.set(turn.id, document);
  }
  return matches;
}

function getAcceptedTime({ acceptedAt, at }: DocumentTurn): number {
  return acceptedAt ?? at;
}

/** The turn of a document that the service has. */
export function attach(turn: DocumentTurn, { id, status }: Document): DocumentTurn {
  const { failure: _failure, failedAt: _failedAt, status: _status, ...rest } = turn;
  return { ...rest, state: 'attached', documentId: id, ...(status !== undefined && { status }) };
}
