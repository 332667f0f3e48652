import type { QuotaEstimate, Usage } from '../../shared/view/viewModel';
import { formatCount, plural, t } from './l10n';

/** The page's own strings; text from the host is already localized. */
export const strings = {
  conversation: t('Conversation'),
  you: t('You'),
  agent: (name: string) => t('{0} (agent)', name),
  bot: t('Bot'),
  newConversation: t('New Conversation'),
  conversations: t('Conversations'),
  rename: t('Rename…'),
  deleteConversation: t('Delete'),

  message: t('Message'),
  placeholder: (bot: string) => t('Message {0}', bot),
  send: t('Send'),
  sendTitle: ({ messages, credits }: QuotaEstimate = { messages: 0 }) => {
    if (messages === 0) return t('Send');
    if (credits !== undefined) return t('Send (about {0} credits in the last 30 days)', formatCount(credits));
    return plural(
      messages,
      'Send (about {0} message in the last 30 days)',
      'Send (about {0} messages in the last 30 days)',
    );
  },
  usage: ({ tokens, credits }: Usage) =>
    [
      credits === undefined ? '' : t('Credits: {0}', formatCount(credits)),
      tokens === undefined ? '' : t('Tokens: {0}', formatCount(tokens)),
    ]
      .filter((part) => part !== '')
      .join(' · '),
  sendLater: t('Send (after the reply)'),
  sendWhenReady: t('Send When Ready'),
  sendWhenReadyTitle: t('Send when the service has processed the documents'),
  sendNow: t('Send Now'),
  sendNowTitle: t('Send now, without documents that are still being processed'),
  stop: t('Stop'),
  attach: t('Attach Files…'),
  counter: (count: string, limit: string) => `${count} / ${limit}`,
  counterLabel: (count: string, limit: string) => t('{0} of {1} characters', count, limit),

  earlier: t('Loading earlier messages…'),
  showMore: t('Show More'),
  showLess: t('Show Less'),
  editAndAsk: t('Edit and Ask Again'),
  savePrompt: t('Save as Prompt…'),
  fork: t('Fork from Here'),
  forkTitle: t('Fork from Here (starts a new conversation with the transcript so far as a document)'),
  forkedFrom: (name: string) => t('Forked from {0}', name),
  forkedTo: (name: string) => t('Forked to {0}', name),
  editing: t('This will be sent as a new message. The bot still remembers the conversation so far.'),
  cancelEdit: t('Cancel'),
  askAgain: t('Ask Again'),
  askAgainTitle: t(
    'Ask Again (sends a new message, which counts toward your limit; the bot remembers this reply)',
  ),
  noticeActions: {
    takeOver: t('Take Over'),
    startAnew: t('Continue in New Conversation'),
    tryAgain: t('Try Again'),
    showLog: t('Show Log'),
    continueHere: t('Continue with This Bot'),
  },

  jumpToEnd: t('Scroll to Bottom'),
  newLines: (count: number) => plural(count, '{0} new line', '{0} new lines'),
  waiting: t('Waiting for the reply'),
  stillWaiting: t(
    'Still waiting for the service. If you stop, the part of the reply that has arrived is kept.',
  ),
  searchingWeb: t('Searching the web…'),
  searchedWeb: t('Searched the web'),
  stopped: t('Stopped'),
  interrupted: t('The reply was interrupted. The part that arrived is kept.'),
  failed: t('The reply failed.'),
  sources: t('Sources'),
  openSource: (name: string) => t('Open {0}', name),
  skipped: t('Parts of this reply couldn’t be read and were left out.'),
  announce: {
    complete: t('Reply complete'),
    stopped: t('Reply stopped'),
    interrupted: t('Reply interrupted'),
  },

  retry: t('Retry'),
  showWhole: t('Show Full Reply'),
  retryIn: (seconds: number) => t('Retry in {0} s', seconds),
  setApiKey: t('Set API Key'),
  setBaseUrl: t('Set Service URL'),
  chooseBot: t('Choose Bot'),
  changeBotAction: t('Change Bot'),
  showLog: t('Show Log'),
  close: t('Close'),

  noDocuments: t('This conversation has no documents.'),

  copy: t('Copy'),
  copied: t('Copied'),
  insertAtCursor: t('Insert at Cursor'),
  replaceSelection: t('Replace Selection'),
  newFile: t('New File'),
  openDiagram: t('Open Diagram'),
  runInTerminal: t('Run in Terminal'),
  apply: t('Apply'),
  applyTo: (path: string) => t('Review and apply to {0}', path),
  wrapLines: t('Wrap Lines'),
  copyMessage: t('Copy Message'),
  copyReply: t('Copy Reply'),
  copyAsMarkdown: t('Copy as Markdown'),
  plainText: t('text'),

  setupTitle: 'Parley',
  setupIntro: t('Chat with your company’s bots without leaving VS Code.'),
  setupSteps: {
    baseUrl: {
      title: t('Service URL'),
      text: t('The address of your conversational-AI service, including the version path.'),
    },
    apiKey: {
      title: t('API key'),
      text: t('Stored in VS Code’s secret storage and only sent to the service.'),
    },
    bot: { title: t('Bot'), text: t('The default bot for new conversations.') },
  },
  stepDone: t('Done'),
  change: t('Change'),
  changeBaseUrl: t('Change Service URL'),
  changeApiKey: t('Change API Key'),
  setupStrip: {
    baseUrl: t('Set the service URL to continue.'),
    apiKey: t('Set the API key to continue.'),
    bot: t('Choose a bot to continue.'),
  },

  emptyText: t('Ask a question or add a document.'),
  hints: {
    upload: t('Right-click a file in the Explorer and choose “Upload to Conversation” to ask about it.'),
    selection: t('Select code and run “Ask About Selection” to ask about it.'),
    lists: t('Type @ to mention files and more, or / to use a prompt.'),
    keys: {
      enter: t('Enter sends the message; Shift+Enter inserts a line break.'),
      ctrlEnter: t('Ctrl+Enter sends the message; Enter inserts a line break.'),
    },
  },
} as const;
