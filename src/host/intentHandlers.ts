import * as vscode from 'vscode';
import { findBaseUrl } from '../chat/model/conversation';
import type { ToHost } from '../shared/protocol/toHost';
import { openLink } from './base/externalLink';
import { setOverflow } from './base/settings';
import { searchMessages } from './conversations/searchMessages';
import { openSource } from './documents/openSource';
import { insertIntoTerminal, openNewFile } from './editor/editor';
import { filterExistingFiles, openWorkspaceFile } from './editor/workspaceFiles';
import type { Services } from './hostServices';
import type { IntentHandlers } from './panel/intentDispatcher';
import type { HostPage } from './panel/page/hostPage';
import { showQueueNotSaved } from './queue/queueActions';

/** Creates a handler for each intent of a page. Every id in an intent is looked up, never trusted. */
export function createIntentHandlers({
  chat,
  messageSender,
  queue,
  getContextActions,
  getMentionActions,
  getPromptActions,
  uploads,
  setup,
  getServiceActions,
  conversations,
  forks,
  getExportActions,
  getUploadActions,
  getIncomingFiles,
  files,
  serviceDocumentActions,
  documentStatus,
  sources,
  getFolderPicker,
  diagramTabs,
  panel,
  review,
  editorFocus,
  codeInsertion,
  log,
}: Pick<
  Services,
  | 'chat'
  | 'messageSender'
  | 'queue'
  | 'getContextActions'
  | 'getMentionActions'
  | 'getPromptActions'
  | 'uploads'
  | 'setup'
  | 'getServiceActions'
  | 'conversations'
  | 'forks'
  | 'getExportActions'
  | 'getUploadActions'
  | 'getIncomingFiles'
  | 'files'
  | 'serviceDocumentActions'
  | 'documentStatus'
  | 'sources'
  | 'getFolderPicker'
  | 'diagramTabs'
  | 'panel'
  | 'review'
  | 'editorFocus'
  | 'codeInsertion'
  | 'log'
>): IntentHandlers {
  return {
    focused: ({ on }, page) => panel.setFocused(page, on),
    send: (intent, page) => send(intent, page),
    sendQueued: ({ conversationId, messageId }) => queue.sendNow(conversationId, messageId),
    editQueued: ({ conversationId, messageId }) => queue.edit(conversationId, messageId),
    draftQueued: ({ conversationId, messageId, text }) => queue.setDraft(conversationId, messageId, text),
    changeQueued: ({ conversationId, messageId, text }) => queue.changeText(conversationId, messageId, text),
    removeQueued: ({ conversationId, messageId }) => queue.remove(conversationId, messageId),
    moveQueued: ({ conversationId, messageId, step }) => queue.move(conversationId, messageId, step),
    resumeQueue: ({ conversationId }) => queue.resume(conversationId),
    stop: ({ conversationId }) => conversations.stop(conversationId),
    retry: async ({ conversationId, turnId }) => {
      if (!(await files.retryOrphaned(conversationId, turnId))) {
        await conversations.retry(conversationId, turnId);
      }
    },
    cancelUpload: ({ turnId }) => uploads.cancel(turnId),
    draft: ({ conversationId, text }) => chat.composers.setDraft(conversationId, text),
    listPrompts: async () => (await getPromptActions()).listSummaries(),
    usePrompt: async ({ conversationId, promptId }, page) =>
      (await getPromptActions()).use(conversationId, promptId, page),
    savePrompt: async ({ conversationId, turnId }) => (await getPromptActions()).save(conversationId, turnId),
    managePrompts: async () => (await getPromptActions()).manage(),
    async *findMentions(search, page, signal) {
      yield* (await getMentionActions()).find(search, page, signal);
    },
    useMention: async ({ conversationId, mentionId, remainingCharacters }, page) =>
      (await getMentionActions()).use(conversationId, mentionId, remainingCharacters, page),
    addContext: async ({ conversationId }, page) => {
      await (await getContextActions()).pick(conversationId);
      await panel.returnTo(page);
    },
    removeContext: ({ conversationId, chipId }) => chat.composers.removeContext(conversationId, [chipId]),
    setWebSearch: ({ conversationId, on }) => chat.composers.setState(conversationId, { webSearch: on }),
    setOverflow: ({ overflow }) => setOverflow(overflow),
    openConversation: ({ conversationId }, page) => panel.show(page, conversationId).then(() => undefined),
    listService: ({ keyword }) => conversations.listFromServices(keyword),
    openFromService: ({ remoteId, baseUrl }, page) =>
      conversations.openFromService(remoteId, baseUrl, (id) => panel.show(page, id)),
    showWhole: ({ conversationId, turnId }) => conversations.showWhole(conversationId, turnId),
    renameConversation: async ({ conversationId }, page) => {
      if (await conversations.rename(conversationId)) await panel.returnTo(page);
    },
    changeBot: async ({ conversationId }, page) => {
      if (await conversations.changeBot(conversationId)) await panel.returnTo(page);
    },
    forkConversation: ({ conversationId, turnId, draft }, page) =>
      forks.fork(conversationId, { turnId, ...(draft !== undefined && { draft }) }, page),
    deleteConversations: ({ conversationIds }, page) => conversations.deleteFor(page, conversationIds),
    archiveConversations: ({ conversationIds, archived }) => conversations.archive(conversationIds, archived),
    exportConversations: async ({ conversationIds }) =>
      (await getExportActions()).exportConversations(conversationIds),
    pinConversation: ({ conversationId, pinned }) => conversations.pin(conversationId, pinned),
    search: ({ query }, _, signal) => searchMessages(chat.scan(signal, query), query, signal),
    openTurn: async ({ conversationId, turnId }, page) => {
      if (await panel.show(page, conversationId)) page.revealTurn(turnId);
    },
    noticeAction: async ({ action }, page) => {
      if (action === 'continueHere') panel.continueWith(page);
      else if (action === 'addService') {
        await (await getServiceActions()).addServiceOf(chat.find(page.conversationId));
        await panel.returnTo(page);
      } else await conversations.actOnNotice(page.conversationId, action);
    },
    attach: async (_, page) => (await getUploadActions()).pick(page),
    retryAsText: ({ turnId }) => uploads.retryAsText(turnId),
    removeDocument: ({ conversationId, turnId }) => files.remove(conversationId, turnId),
    openDocument: ({ conversationId, turnId }) =>
      editorFocus.openForPage(() => files.open(conversationId, turnId)),
    openServiceDocument: ({ conversationId, documentId }) =>
      serviceDocumentActions.open(conversationId, documentId),
    removeServiceDocument: ({ conversationId, documentId }) =>
      serviceDocumentActions.remove(conversationId, documentId),
    chooseUploadFolder: async (_, page) => {
      await (await getFolderPicker()).changeFolder(getBaseUrl(page));
      await panel.returnTo(page);
    },
    updateDocument: ({ conversationId, turnId }) => files.update(conversationId, turnId),
    updateOnSave: ({ conversationId, turnId, on }) => files.setUpdateOnSave(conversationId, turnId, on),
    includeDocument: ({ conversationId, turnId, on }) =>
      serviceDocumentActions.setOwnIncluded(conversationId, turnId, on),
    includeServiceDocument: ({ conversationId, documentId, on }) =>
      serviceDocumentActions.setIncluded(conversationId, documentId, on),
    dropUris: async ({ conversationId, uris }, page) =>
      (await getIncomingFiles()).drop(conversationId, uris, page),
    uploadBegin: async (begin, page) => (await getIncomingFiles()).begin(begin, page),
    uploadChunk: async ({ uploadId, bytes }, page) => (await getIncomingFiles()).chunk(uploadId, bytes, page),
    uploadEnd: async ({ uploadId }, page) => (await getIncomingFiles()).end(uploadId, page),
    setBaseUrl: (_, page) => setup.askBaseUrl().then(() => panel.returnTo(page)),
    setApiKey: (_, page) => setup.askApiKey(getBaseUrl(page)).then(() => panel.returnTo(page)),
    manageServices: async (_, page) => {
      await (await getServiceActions()).manage();
      await panel.returnTo(page);
    },
    chooseBot: (_, page) => conversations.chooseDefaultBot().then(() => panel.returnTo(page)),
    showLog: () => log.show(),
    openLink: ({ href }) => openLink(href),
    listDocuments: ({ conversationId }) => documentStatus.refresh([conversationId]),
    openSource: ({ conversationId, turnId, index }) => {
      sources.complete(conversationId, turnId);
      return editorFocus.openForPage(() => openSource(chat.find(conversationId), turnId, index));
    },
    copy: async ({ text }) => vscode.env.clipboard.writeText(text),
    insertAtCursor: ({ text }, { conversationId }) =>
      codeInsertion.insertAtCursor(chat.find(conversationId), text),
    replaceSelection: ({ text }, { conversationId }) =>
      codeInsertion.replaceSelection(chat.find(conversationId), text),
    runInTerminal: ({ text }) => insertIntoTerminal(text),
    reviewChange: ({ path, text, lines }) => review.show(path, text, lines),
    checkPaths: ({ paths }) => filterExistingFiles(paths),
    openFile: ({ path, line }) => editorFocus.openForPage(() => openWorkspaceFile(path, line)),
    openDiagram: ({ text }) => diagramTabs.open(text),
    newFile: ({ text, language }) => openNewFile(text, language),
  };

  /** Returns the base URL of the service of the conversation that a page shows. */
  function getBaseUrl({ conversationId }: HostPage): string | undefined {
    return findBaseUrl(chat.find(conversationId));
  }

  async function send(
    { conversationId, text, context: chips = [], overflow, time }: Extract<ToHost, { type: 'send' }>,
    page: HostPage,
  ): Promise<void> {
    const { step } = await setup.refresh(chat.find(conversationId));
    if (step !== 'done') return page.postNotSent();
    const outgoing = { text, context: chips, ...(overflow && { overflow }), ...(time && { time }) };
    const result = await messageSender.send(conversationId, outgoing);
    if (result === 'unsaved') showQueueNotSaved();
    // The page may show another conversation's composer by now.
    if (page.conversationId !== conversationId) return;
    if (result === 'sent' || result === 'queued') page.postSent(text, result === 'queued');
    else page.postNotSent();
  }
}
