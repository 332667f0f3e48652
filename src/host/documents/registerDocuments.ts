import { findBaseUrl } from '../../chat/model/conversation';
import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { openSource } from './openSource';

export function registerDocuments({
  chat,
  uploads,
  files,
  documentStatus,
  serviceDocumentActions,
  sources,
  panel,
  editorFocus,
  getUploadActions,
  getIncomingFiles,
  getFolderPicker,
}: Services) {
  return {
    commands: {
      uploadFile: async (clicked, selected) => (await getUploadActions()).uploadCommand(clicked, selected),
    },
    intents: {
      attach: async (_, page) => (await getUploadActions()).pick(page),
      cancelUpload: ({ turnId }) => uploads.cancel(turnId),
      retryAsText: ({ turnId }) => uploads.retryAsText(turnId),
      listDocuments: ({ conversationId }) => documentStatus.refresh([conversationId]),
      openDocument: ({ conversationId, turnId }) =>
        editorFocus.openForPage(() => files.open(conversationId, turnId)),
      removeDocument: ({ conversationId, turnId }) => files.remove(conversationId, turnId),
      updateDocument: ({ conversationId, turnId }) => files.update(conversationId, turnId),
      updateOnSave: ({ conversationId, turnId, on }) => files.setUpdateOnSave(conversationId, turnId, on),
      includeDocument: ({ conversationId, turnId, on }) =>
        serviceDocumentActions.setOwnIncluded(conversationId, turnId, on),
      openServiceDocument: ({ conversationId, documentId }) =>
        serviceDocumentActions.open(conversationId, documentId),
      removeServiceDocument: ({ conversationId, documentId }) =>
        serviceDocumentActions.remove(conversationId, documentId),
      includeServiceDocument: ({ conversationId, documentId, on }) =>
        serviceDocumentActions.setIncluded(conversationId, documentId, on),
      openSource: ({ conversationId, turnId, index }) => {
        sources.complete(conversationId, turnId);
        return editorFocus.openForPage(() => openSource(chat.find(conversationId), turnId, index));
      },
      chooseUploadFolder: async (_, page) => {
        await (await getFolderPicker()).changeFolder(findBaseUrl(chat.find(page.conversationId)));
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
