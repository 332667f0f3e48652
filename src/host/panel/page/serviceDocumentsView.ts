import { findServiceDocuments } from '../../../chat/documents/serviceDocuments';
import { type Conversation, getFocusState } from '../../../chat/model/conversation';
import { getReadiness } from '../../../shared/view/documentReadiness';
import type { ServiceDocumentView } from '../../../shared/view/viewModel';

/** Returns the documents that only the service has, as the page shows them. Their URLs stay in the host. */
export function toServiceDocumentViews(conversation: Conversation): ServiceDocumentView[] {
  return findServiceDocuments(conversation).map(({ document: { id, name, status, contentUrl }, origin }) => {
    const isReady = getReadiness({ state: 'attached', ...(status !== undefined && { status }) }) === 'ready';
    const focus = isReady ? getFocusState(conversation, id) : undefined;
    return {
      id,
      name,
      ...(status !== undefined && { status }),
      origin,
      ...(contentUrl !== undefined && { opens: true }),
      ...(origin === 'older' && conversation.listed?.canRemove && { removable: true }),
      ...(focus && { focus }),
    };
  });
}
