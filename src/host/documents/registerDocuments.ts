import { findBaseUrl } from '../../chat/model/conversation';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { findSourceDocument, openSource } from './openSource';

export function registerDocuments({
  chat,
  uploads,
  files,
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
        editorFocus.openForPage(() => files.openDocument(conversationId, turnId)),
      removeDocument: ({ conversationId, turnId }) => files.removeDocument(conversationId, turnId),
      updateDocument: ({ conversationId, turnId }) => files.updateDocument(conversationId, turnId),
      updateOnSave: ({ conversationId, turnId, on }) => files.setUpdateOnSave(conversationId, turnId, on),
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
        if (document) await files.updateDocument(conversationId, document.id);
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
