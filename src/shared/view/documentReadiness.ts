import type { DocumentTurn } from './viewModel';

type Document = Pick<DocumentTurn, 'kind' | 'id' | 'state' | 'status' | 'replaces'>;

/** The kind of a document's status (docs/service.md: Documents). */
type StatusKind = 'underWay' | 'failed' | 'done';

/** Classifies the service's word for a status. The words are undocumented: an unknown one counts as done. */
export function getStatusKind(status: string): StatusKind {
  if (/ing$|^(new|created|queued|scheduled|started|in[ _-]?progress)$/i.test(status)) return 'underWay';
  return /fail|error|reject|refus|invalid|unsupported|abort/i.test(status) ? 'failed' : 'done';
}

/** A document's readiness for the bot: `pending` while it is being uploaded or converted. */
export type Readiness = 'pending' | 'ready' | 'failed';

/** Returns whether a bot can use a document. */
export function getReadiness({ state, status }: Pick<Document, 'state' | 'status'>): Readiness {
  if (state === 'failed' || state === 'cancelled') return 'failed';
  return state === 'attached' ? getStatusReadiness(status) : 'pending';
}

/** Returns whether a bot can use a document that the service has, by the service's own word for its status. */
export function getStatusReadiness(status: string | undefined): Readiness {
  switch (status === undefined ? 'done' : getStatusKind(status)) {
    case 'underWay':
      return 'pending';
    case 'failed':
      return 'failed';
    default:
      return 'ready';
  }
}

/** Finds the IDs of documents that a bot can't use yet, leaving out older versions. */
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
