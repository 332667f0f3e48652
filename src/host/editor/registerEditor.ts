import type { Services } from '../hostServices';
import type { Feature } from '../panel/feature';
import { insertIntoTerminal, openNewFile } from './editor';
import { filterExistingFiles, showWorkspaceFile } from './workspaceFiles';

/** What a page asks of editors, files and the terminal, for a reply's code and paths. */
export function registerEditor({ chat, codeInsertion, editorFocus, review }: Services) {
  return {
    commands: { applyChange: (proposal) => review.apply(proposal) },
    intents: {
      insertAtCursor: ({ text }, { conversationId }) =>
        codeInsertion.insertAtCursor(chat.findConversation(conversationId), text),
      replaceSelection: ({ text }, { conversationId }) =>
        codeInsertion.replaceSelection(chat.findConversation(conversationId), text),
      runInTerminal: ({ text }) => insertIntoTerminal(text),
      reviewChange: ({ path, text, lines }) => review.reviewChange(path, text, lines),
      checkPaths: ({ paths }) => filterExistingFiles(paths),
      openFile: ({ path, line }) => editorFocus.openForPage(() => showWorkspaceFile(path, line)),
      newFile: ({ text, language }) => openNewFile(text, language),
    },
  } satisfies Feature;
}
