import * as vscode from 'vscode';
import { openLink } from '../base/externalLink';
import type { Services } from '../hostServices';
import type { Feature } from './feature';

/** What applies to the panel itself, wherever it is shown, and to what has the focus in it. */
export function registerPanel({ panel }: Services) {
  return {
    commands: {
      open: () => panel.moveFocus('focusComposer'),
      openInEditor: () => panel.openInEditor(),
      searchConversations: () => panel.moveFocus('showList'),
      showDocuments: () => panel.moveFocus('showDocuments'),
      find: () => panel.moveFocus('find'),
      showTimeline: () => panel.moveFocus('showTimeline'),
      focusMessage: () => panel.moveFocus('focusComposer'),
      focusTranscript: () => panel.moveFocus('focusTranscript'),
      previousTurn: () => panel.moveFocus('previousTurn'),
      nextTurn: () => panel.moveFocus('nextTurn'),
      copySelectionAsMarkdown: () => panel.copySelection(),
      copyCode: () => panel.runCodeAction('copy'),
      insertCode: () => panel.runCodeAction('insertAtCursor'),
      replaceWithCode: () => panel.runCodeAction('replaceSelection'),
      newFileFromCode: () => panel.runCodeAction('newFile'),
      runCodeInTerminal: () => panel.runCodeAction('runInTerminal'),
      reviewCode: () => panel.runCodeAction('reviewChange'),
      toggleCodeWrap: () => panel.runCodeAction('toggleWrap'),
    },
    intents: {
      focused: ({ on }, page) => panel.setFocused(page, on),
      openConversation: ({ conversationId }, page) =>
        panel.showInPage(page, conversationId).then(() => undefined),
      openTurn: async ({ conversationId, turnId }, page) => {
        if (await panel.showInPage(page, conversationId)) page.revealTurn(turnId);
      },
      openLink: ({ href }) => openLink(href),
      copy: async ({ text }) => vscode.env.clipboard.writeText(text),
    },
  } satisfies Feature;
}
