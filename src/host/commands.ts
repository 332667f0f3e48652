import type { Command } from './base/names';
import type { Services } from './hostServices';

/**
 * Creates a handler for each command of the manifest. Commands for a conversation apply to the one shown
 * last.
 */
export function createCommandHandlers({
  getContextActions,
  getPromptActions,
  setup,
  panel,
  conversations,
  twoBots,
  forks,
  getUploadActions,
  getExportActions,
  documents,
  review,
  getRecordingActions,
  getAgentConnector,
  log,
}: Pick<
  Services,
  | 'getContextActions'
  | 'getPromptActions'
  | 'setup'
  | 'panel'
  | 'conversations'
  | 'forks'
  | 'twoBots'
  | 'getUploadActions'
  | 'getExportActions'
  | 'documents'
  | 'review'
  | 'getRecordingActions'
  | 'getAgentConnector'
  | 'log'
>): { readonly [K in keyof typeof Command]: (...args: unknown[]) => unknown } {
  const current = () => panel.getCurrentConversationId();
  return {
    setApiKey: () => setup.askApiKey(),
    clearApiKey: () => setup.clearApiKey(),
    setBaseUrl: () => setup.askBaseUrl(),
    chooseBot: () => conversations.chooseDefaultBot(),
    open: () => panel.moveFocus('focusComposer'),
    newConversation: () => conversations.openNew(),
    newConversationWith: () => conversations.openNewWith(),
    askTwoBots: () => twoBots.ask(),
    openConversation: (id) => conversations.pick(id),
    searchConversations: () => panel.moveFocus('showList'),
    openInEditor: () => panel.openInEditor(),
    renameConversation: async () => conversations.rename(await current()),
    changeBot: async () => conversations.changeBot(await current()),
    forkConversation: async () => forks.fork(await current()),
    deleteConversation: async () => conversations.delete(await current()),
    exportConversation: async () => (await getExportActions()).exportConversation(await current()),
    importConversation: async () => (await getExportActions()).importConversation(),
    openAsDocument: async () => documents.show(await current()),
    copyConversation: async () => (await getExportActions()).copy(await current()),
    copyLink: async () => (await getExportActions()).copyLink(await current()),
    copyLastReply: async () => (await getExportActions()).copyLastReply(await current()),
    stop: async () => conversations.stop(await current()),
    showDocuments: () => panel.moveFocus('showDocuments'),
    find: () => panel.moveFocus('find'),
    showTimeline: () => panel.moveFocus('showTimeline'),
    focusMessage: () => panel.moveFocus('focusComposer'),
    focusTranscript: () => panel.moveFocus('focusTranscript'),
    previousTurn: () => panel.moveFocus('previousTurn'),
    nextTurn: () => panel.moveFocus('nextTurn'),
    uploadFile: async (clicked, selected) => (await getUploadActions()).uploadCommand(clicked, selected),
    askAboutSelection: async () => (await getContextActions()).askAboutSelection(),
    explain: async () => (await getContextActions()).askAboutSelection('explain'),
    findProblems: async () => (await getContextActions()).askAboutSelection('findProblems'),
    writeTests: async () => (await getContextActions()).askAboutSelection('writeTests'),
    askAboutProblem: async (uri, problems) => (await getContextActions()).askAboutProblem(uri, problems),
    askWithPrompt: async (promptId) => (await getPromptActions()).askWithPrompt(promptId),
    savePrompt: async () => (await getPromptActions()).save(await current()),
    managePrompts: async () => (await getPromptActions()).manage(),
    applyChange: (proposal) => review.apply(proposal),
    copySelectionAsMarkdown: () => panel.copySelection(),
    copyCode: () => panel.runCodeAction('copy'),
    insertCode: () => panel.runCodeAction('insertAtCursor'),
    replaceWithCode: () => panel.runCodeAction('replaceSelection'),
    newFileFromCode: () => panel.runCodeAction('newFile'),
    runCodeInTerminal: () => panel.runCodeAction('runInTerminal'),
    reviewCode: () => panel.runCodeAction('reviewChange'),
    toggleCodeWrap: () => panel.runCodeAction('toggleWrap'),
    recordAnswers: async () => (await getRecordingActions()).record(),
    connectAgent: async () => (await getAgentConnector()).connect(),
    showLog: () => log.show(),
  };
}
