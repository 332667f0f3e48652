import { type Conversation, getFocusState } from '../../chat/model/conversation';
import { findServiceDocuments } from '../../chat/remote/serviceDocuments';
import { getReadiness } from '../../shared/documentReadiness';
import type { ServiceDocument } from '../../shared/viewModel';

/** The documents that only the service has, as the page shows them. What opens one stays here. */
export function serviceDocumentsView(conversation: Conversation): ServiceDocument[] {
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
