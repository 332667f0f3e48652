/** The kind of a document's status (docs/service.md: Documents). */
export type StatusKind = 'underWay' | 'failed' | 'done';

/** Classifies the service's word for a status. The words are undocumented: an unknown one counts as done. */
export function getStatusKind(status: string): StatusKind {
  if (/ing$|^(new|created|queued|scheduled|started|in[ _-]?progress)$/i.test(status)) return 'underWay';
  return /fail|error|reject|refus|invalid|unsupported|abort/i.test(status) ? 'failed' : 'done';
}
