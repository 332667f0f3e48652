import type { Conversation } from '../../chat/model/conversation';
import { findServiceDocuments } from '../../chat/remote/serviceDocuments';
import type { ServiceDocument } from '../../shared/viewModel';

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
