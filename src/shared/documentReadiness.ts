import { getStatusKind } from './conversionStatus';
import type { DocumentTurn } from './viewModel';

type Document = Pick<DocumentTurn, 'kind' | 'id' | 'state' | 'status' | 'replaces'>;

/** Returns whether a bot can use a document: `pending` while it is being uploaded or converted. */
export function getReadiness({
  state,
  status,
}: Pick<Document, 'state' | 'status'>): 'pending' | 'ready' | 'failed' {
  if (state === 'failed' || state === 'cancelled') return 'failed';
  if (state !== 'attached') return 'pending';
  switch (status === undefined ? 'done' : getStatusKind(status)) {
    case 'underWay':
      return 'pending';
    case 'failed':
      return 'failed';
    default:
      return 'ready';
  }
}

/** Finds the ids of documents that a bot can't use yet, leaving out older versions. */
export function findPendingDocuments(
  turns: readonly (Document | { readonly kind: 'message' | 'reply' })[],
): string[] {
  const documents = turns.filter((turn) => turn.kind === 'document');
  const replaced = new Set(
    documents.flatMap((document) => (getReadiness(document) === 'failed' ? [] : [document.replaces])),
  );
  return documents.flatMap((document) =>
    getReadiness(document) === 'pending' && !replaced.has(document.id) ? [document.id] : [],
  );
}
