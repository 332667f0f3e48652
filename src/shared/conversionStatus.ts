/** What a service's word for a document's state comes to (docs/service.md: Documents). */
export type StatusKind = 'underWay' | 'failed' | 'done';

/** Nobody promises these words: one that isn't known is taken for the end. */
export function getStatusKind(status: string): StatusKind {
  if (/ing$|^(new|created|queued|scheduled|started|in[ _-]?progress)$/i.test(status)) return 'underWay';
  return /fail|error|reject|refus|invalid|unsupported|abort/i.test(status) ? 'failed' : 'done';
}
