import { findBaseUrl } from '../../chat/model/conversation';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { findSourceDocument, openSource } from './openSource';

export function registerDocuments({
  chat,
  uploads,
  getDocumentFiles,
  documentStatus,
  getServiceDocumentActions,
  sources,
  panel,
  editorFocus,
  getUploadActions,
  getIncomingFiles,
  getFolderPicker,
  getDocumentSync,
  getSourceChanges,
}: Services) {
  return {
    commands: {
      uploadFile: async (clicked, selected) => (await getUploadActions()).uploadCommand(clicked, selected),
    },
    intents: {
      attach: async (_, page) => (await getUploadActions()).pick(page),
      cancelUpload: ({ turnId }) => uploads.cancel(turnId),
      retryAsText: ({ turnId }) => uploads.retryAsText(turnId),
      listDocuments: ({ conversationId }) => documentStatus.pollNow([conversationId]),
      openDocument: ({ conversationId, turnId }) =>
        editorFocus.openForPage(async () => (await getDocumentFiles()).openDocument(conversationId, turnId)),
      removeDocument: async ({ conversationId, turnId }) =>
        (await getDocumentFiles()).removeDocument(conversationId, turnId),
      updateDocument: async ({ conversationId, turnId }) =>
        (await getDocumentFiles()).updateDocument(conversationId, turnId),
      updateOnSave: async ({ conversationId, turnId, on }) =>
        (await getDocumentFiles()).setUpdateOnSave(conversationId, turnId, on),
      includeDocument: async ({ conversationId, turnId, on }) =>
        (await getServiceDocumentActions()).setOwnIncluded(conversationId, turnId, on),
      openServiceDocument: async ({ conversationId, documentId }) =>
        (await getServiceDocumentActions()).openDocument(conversationId, documentId),
      removeServiceDocument: async ({ conversationId, documentId }) =>
        (await getServiceDocumentActions()).remove(conversationId, documentId),
      includeServiceDocument: async ({ conversationId, documentId, on }) =>
        (await getServiceDocumentActions()).setIncluded(conversationId, documentId, on),
      openSource: ({ conversationId, turnId, index }) => {
        sources.complete(conversationId, turnId);
        return editorFocus.openForPage(() =>
          openSource(chat.findConversation(conversationId), turnId, index),
        );
      },
      showSourceChanges: ({ conversationId, turnId, index }) =>
        editorFocus.openForPage(async () =>
          (await getSourceChanges()).keptVersions.showChanges(conversationId, turnId, index),
        ),
      updateSource: async ({ conversationId, turnId, index }, page) => {
        const document = findSourceDocument(chat.findConversation(conversationId), turnId, index);
        if (document) await (await getDocumentFiles()).updateDocument(conversationId, document.id);
        else await (await getDocumentSync()).actions.sync(page);
      },
      chooseUploadFolder: async (_, page) => {
        await (await getFolderPicker()).changeFolder(findBaseUrl(chat.findConversation(page.conversationId)));
        await panel.returnTo(page);
      },
      dropUris: async ({ conversationId, uris }, page) =>
        (await getIncomingFiles()).drop(conversationId, uris, page),
      uploadBegin: async (begin, page) => (await getIncomingFiles()).begin(begin, page),
      uploadChunk: async ({ uploadId, bytes }, page) =>
        (await getIncomingFiles()).chunk(uploadId, bytes, page),
      uploadEnd: async ({ uploadId }, page) => (await getIncomingFiles()).end(uploadId, page),
    },
  } satisfies Feature;
}
