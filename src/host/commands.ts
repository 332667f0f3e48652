import type * as vscode from 'vscode';
import type { Command } from './base/names';
import type { ContextActions } from './context/contextActions';
import type { ConversationActions } from './conversations/conversationActions';
import type { ExportActions } from './conversations/export';
import type { ConversationDocuments } from './conversations/markdownDocuments';
import type { UploadActions } from './documents/uploadActions';
import type { ChangeReview } from './editor/changeReview';
import type { Panel } from './panel/panel';
import type { SetupGuide } from './service/setupGuide';

/**
 * Creates a handler for each command of the manifest. Commands for a conversation apply to the one shown
 * last.
 */
export function createCommandHandlers(services: {
  composing: ContextActions;
  setup: SetupGuide;
  panel: Panel;
  conversations: ConversationActions;
  uploading: UploadActions;
  exporting: ExportActions;
  documents: ConversationDocuments;
  review: ChangeReview;
  log: vscode.LogOutputChannel;
}): { readonly [K in keyof typeof Command]: (...args: unknown[]) => unknown } {
  const { composing, setup, panel, conversations, uploading, exporting, documents, review, log } = services;
  const current = () => panel.getCurrentConversationId();
  return {
    setApiKey: () => setup.askApiKey(),
    clearApiKey: () => setup.clearApiKey(),
    setBaseUrl: () => setup.askBaseUrl(),
    chooseBot: () => conversations.chooseDefaultBot(),
    newConversation: () => conversations.openNew(),
    openConversation: (id) => conversations.pick(id),
    searchConversations: () => panel.moveFocus('showList'),
    openInEditor: () => panel.openInEditor(),
    renameConversation: async () => conversations.rename(await current()),
    changeBot: async () => conversations.changeBot(await current()),
    deleteConversation: async () => conversations.delete(await current()),
    exportConversation: async () => exporting.exportConversation(await current()),
    importConversation: () => exporting.importConversation(),
    openAsDocument: async () => documents.show(await current()),
    copyConversation: async () => exporting.copy(await current()),
    copyLink: async () => exporting.copyLink(await current()),
    copyLastReply: async () => exporting.copyLastReply(await current()),
    stop: async () => conversations.stop(await current()),
    showDocuments: () => panel.moveFocus('showDocuments'),
    focusMessage: () => panel.moveFocus('focusComposer'),
    focusTranscript: () => panel.moveFocus('focusTranscript'),
    previousTurn: () => panel.moveFocus('previousTurn'),
    nextTurn: () => panel.moveFocus('nextTurn'),
    uploadFile: (clicked, selected) => uploading.uploadCommand(clicked, selected),
    askAboutSelection: () => composing.askAboutSelection(),
    explain: () => composing.askAboutSelection('explain'),
    findProblems: () => composing.askAboutSelection('findProblems'),
    writeTests: () => composing.askAboutSelection('writeTests'),
    askAboutProblem: (uri, problems) => composing.askAboutProblem(uri, problems),
    applyChange: (proposal) => review.apply(proposal),
    copySelectionAsMarkdown: () => panel.copySelection(),
    copyCode: () => panel.runCodeAction('copy'),
    insertCode: () => panel.runCodeAction('insertAtCursor'),
    replaceWithCode: () => panel.runCodeAction('replaceSelection'),
    newFileFromCode: () => panel.runCodeAction('newFile'),
    runCodeInTerminal: () => panel.runCodeAction('runInTerminal'),
    reviewCode: () => panel.runCodeAction('reviewChange'),
    toggleCodeWrap: () => panel.runCodeAction('toggleWrap'),
    showLog: () => log.show(),
  };
}
