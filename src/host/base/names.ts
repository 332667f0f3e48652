/** Names that the code shares with package.json. */

export const EXTENSION_ID = 'parley.parley';

/** The commands that the code itself runs or offers. The manifest has them all, and the features handle them. */
export const Command = {
  setApiKey: 'parley.setApiKey',
  setBaseUrl: 'parley.setBaseUrl',
  addService: 'parley.addService',
  manageServices: 'parley.manageServices',
  copySetUpLink: 'parley.copySetUpLink',
  chooseBot: 'parley.chooseBot',
  openConversation: 'parley.openConversation',
  askAboutProblem: 'parley.askAboutProblem',
  askWithPrompt: 'parley.askWithPrompt',
  applyChange: 'parley.applyChange',
  focusMessage: 'parley.focusMessage',
  recordAnswers: 'parley.recordAnswers',
  showLog: 'parley.showLog',
} as const;

/** The names registered with VS Code's Chat. */
export const Agent = {
  tool: 'parley_askBot',
  participant: 'parley.bot',
  mcpProvider: 'parley.mcp',
  mcpServer: 'parley',
} as const;

export const BotTest = {
  controller: 'parley.botTests',
  extension: '.bot-test.md',
  glob: '**/*.bot-test.md',
  /** Where none are looked for, besides what `files.exclude` names. */
  excluded: '**/node_modules/**',
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

/** In the workspace's state: the reviews whose findings are shown as comments. */
export const REVIEWS_KEY = 'parley.reviews';

/** Virtual documents with a file's content after the change that a reply proposes. */
export const PROPOSAL_SCHEME = 'parley-proposal';

/** The path of set-up links. */
export const SET_UP_PATH = '/connect';

/** Path in a workspace folder of the file that proposes a service and bots. */
export const PARLEY_JSON_PATH = ['.vscode', 'parley.json'] as const;

/** Virtual documents with the results of a comparison of bot tests. */
export const BOT_TEST_SCHEME = 'parley-bot-tests';

/** The language ID for Markdown written by bots. */
export const CONVERSATION_LANGUAGE = 'parley-conversation';

/** Virtual documents that show a whole conversation. */
export const CONVERSATION_SCHEME = 'parley';

export const Setting = {
  section: 'parley',
  baseUrl: 'baseUrl',
  services: 'services',
  botId: 'botId',
  folderId: 'folderId',
  sendWith: 'sendWith',
  uploadAsText: 'upload.asText',
  overflow: 'overflow',
  prompts: 'prompts',
  notifyWhenDone: 'notifyWhenDone',
  /** Only read by a `when` clause. */
  showInEditorTitle: 'showInEditorTitle',
  agentsBots: 'agents.bots',
  agentsAsk: 'agents.ask',
  agentsDailyMessages: 'agents.dailyMessages',
  suggestEarlierAnswers: 'suggestEarlierAnswers',
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
  /** Findings of a review are shown as comments. */
  hasFindings: 'parley.hasFindings',
  /** The workspace has bot tests. */
  hasBotTests: 'parley.hasBotTests',
} as const;
