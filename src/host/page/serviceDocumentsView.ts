import type { Conversation } from '../../chat/conversation';
import { findServiceDocuments } from '../../chat/serviceDocuments';
import type { ServiceDocument } from '../../shared/conversation';

/** The documents that only the service has, as the page shows them. What opens one stays here. */
export function serviceDocumentsView(conversation: Conversation): ServiceDocument[] {
  return findServiceDocuments(conversation).map(({ document: { id, name, status, contentUrl }, origin }) => ({
    id,
    name,
    ...(status !== undefined && { status }),
    origin,
    ...(contentUrl !== undefined && { opens: true }),
    ...(origin === 'older' && conversation.listed?.canRemove && { removable: true }),
  }));
}
