import { getStatusKind } from './conversionStatus';
import type { DocumentTurn } from './viewModel';

type Document = Pick<DocumentTurn, 'kind' | 'id' | 'state' | 'status' | 'replaces'>;

/** Whether a bot can answer from a document: `pending` while it is uploaded or converted. */
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

/** Ids of the documents that a question asked now would be answered without; older versions don't count. */
export function findPendingDocuments(
  turns: readonly (Document | { readonly kind: 'message' | 'reply' })[],
): string[] {
  const documents = turns.filter((turn) => turn.kind === 'document');
  const replaced = new Set(
    documents.flatMap((each) => (getReadiness(each) === 'failed' ? [] : [each.replaces])),
  );
  return documents.flatMap((each) =>
    getReadiness(each) === 'pending' && !replaced.has(each.id) ? [each.id] : [],
  );
}
