/** Names that the code shares with package.json. */

export const EXTENSION_ID = 'parley.parley';

export const Command = {
  setApiKey: 'parley.setApiKey',
  clearApiKey: 'parley.clearApiKey',
  setBaseUrl: 'parley.setBaseUrl',
  chooseBot: 'parley.chooseBot',
  open: 'parley.open',
  newConversation: 'parley.newConversation',
  newConversationWith: 'parley.newConversationWith',
  askTwoBots: 'parley.askTwoBots',
  openConversation: 'parley.openConversation',
  searchConversations: 'parley.searchConversations',
  openInEditor: 'parley.openInEditor',
  renameConversation: 'parley.renameConversation',
  changeBot: 'parley.changeBot',
  forkConversation: 'parley.forkConversation',
  deleteConversation: 'parley.deleteConversation',
  exportConversation: 'parley.exportConversation',
  importConversation: 'parley.importConversation',
  openAsDocument: 'parley.openAsDocument',
  copyConversation: 'parley.copyConversation',
  copyLink: 'parley.copyLink',
  stop: 'parley.stop',
  uploadFile: 'parley.uploadFile',
  showDocuments: 'parley.showDocuments',
  askAboutSelection: 'parley.askAboutSelection',
  explain: 'parley.explain',
  findProblems: 'parley.findProblems',
  writeTests: 'parley.writeTests',
  askAboutProblem: 'parley.askAboutProblem',
  askWithPrompt: 'parley.askWithPrompt',
  savePrompt: 'parley.savePrompt',
  managePrompts: 'parley.managePrompts',
  applyChange: 'parley.applyChange',
  copySelectionAsMarkdown: 'parley.copySelectionAsMarkdown',
  connectAgent: 'parley.connectAgent',
  copyCode: 'parley.copyCode',
  insertCode: 'parley.insertCode',
  replaceWithCode: 'parley.replaceWithCode',
  newFileFromCode: 'parley.newFileFromCode',
  runCodeInTerminal: 'parley.runCodeInTerminal',
  reviewCode: 'parley.reviewCode',
  toggleCodeWrap: 'parley.toggleCodeWrap',
  find: 'parley.find',
  showTimeline: 'parley.showTimeline',
  focusMessage: 'parley.focusMessage',
  focusTranscript: 'parley.focusTranscript',
  previousTurn: 'parley.previousTurn',
  nextTurn: 'parley.nextTurn',
  copyLastReply: 'parley.copyLastReply',
  recordAnswers: 'parley.recordAnswers',
  showLog: 'parley.showLog',
} as const;

/**
 * The commands in the view's title bar and its menus. They have ids of their own there, because VS Code doesn't say where
 * a command was run, and the conversation shown last may be in an editor tab.
 */
export const viewTitleCommands = [
  'newConversation',
  'searchConversations',
  'newConversationWith',
  'askTwoBots',
  'openConversation',
  'openInEditor',
  'openAsDocument',
  'showTimeline',
  'renameConversation',
  'deleteConversation',
  'exportConversation',
  'importConversation',
  'copyConversation',
  'copyLastReply',
  'copyLink',
] as const satisfies readonly (keyof typeof Command)[];

export function getViewTitleCommand(name: (typeof viewTitleCommands)[number]): string {
  return `parley.view.${name}`;
}

/** The names registered with VS Code's Chat. */
export const Agent = {
  tool: 'parley_askBot',
  participant: 'parley.bot',
  mcpProvider: 'parley.mcp',
  mcpServer: 'parley',
} as const;

export const View = {
  /** The webview view in the secondary side bar. */
  chat: 'parley.chat',
  /** View type of the editor tab. */
  editor: 'parley.editor',
  /** View type of the tab that shows a diagram. */
  diagram: 'parley.diagram',
} as const;

/** In the global state: whether agents of other programs may ask a window as soon as it is open. */
export const AGENTS_CONNECTED = 'parley.agentsConnected';

/** Virtual documents with a file's content after the change that a reply proposes. */
export const PROPOSAL_SCHEME = 'parley-proposal';

/** The language id for Markdown written by bots. */
export const CONVERSATION_LANGUAGE = 'parley-conversation';

/** Virtual documents that show a whole conversation. */
export const CONVERSATION_SCHEME = 'parley';

export const Setting = {
  section: 'parley',
  baseUrl: 'baseUrl',
  botId: 'botId',
  folderId: 'folderId',
  sendWith: 'sendWith',
  uploadAsText: 'upload.asText',
  overflow: 'overflow',
  prompts: 'prompts',
  notifyWhenDone: 'notifyWhenDone',
  /** Only read by a `when` clause. */
  showInEditorTitle: 'showInEditorTitle',
  agentsAsk: 'agents.ask',
  agentsDailyMessages: 'agents.dailyMessages',
} as const;

/** Context keys for `when` clauses. */
export const Context = {
  /** One of the pages has the keyboard focus; VS Code has no context key for that. */
  focused: 'parley.focused',
  /** The conversation shown last has turns. */
  hasTurns: 'parley.hasTurns',
  /** The conversation in the view has turns. */
  viewHasTurns: 'parley.viewHasTurns',
  hasDocuments: 'parley.hasDocuments',
  /** A reply is streaming in the conversation shown last. */
  streaming: 'parley.streaming',
  hasApiKey: 'parley.hasApiKey',
} as const;
