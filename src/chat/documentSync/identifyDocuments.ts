import type { Document } from '../../client/models';
import { matchDocuments } from '../documents/matchDocuments';
import type { DocumentTurn } from '../model/turn';
import type { Registration, SyncState } from './syncState';

/**
 * Finds the IDs of documents that the service accepted without telling them, or whose responses were lost, by the keys of their
 * registrations (`matchDocuments`). A document that is listed without a name is nobody's: its content isn't known.
 */
export function identifyDocuments(
  state: SyncState,
  listed: readonly Document[],
): ReadonlyMap<string, string> {
  const turns = state.registrations.map(toTurn);
  if (turns.every(({ documentId }) => documentId !== undefined)) return new Map();
  const named = listed.filter(({ name }) => name !== '');
  return new Map([...matchDocuments(turns, named)].map(([key, { id }]) => [key, id]));
}

function toTurn({ key, name, size, at, state, id, listedBefore }: Registration): DocumentTurn {
  return {
    ...{ kind: 'document', id: key, name, size, sent: size, at, acceptedAt: at },
    // A lost response is matched after those that were certainly accepted.
    state: state === 'pending' ? 'failed' : 'attached',
    ...(id !== undefined && { documentId: id }),
    ...(listedBefore && { listedBefore }),
  };
}
