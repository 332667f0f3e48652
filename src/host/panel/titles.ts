import type * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { toInertText } from '../base/inertText';
import { setTabTitle, setViewTitle } from '../base/inertUi';
import type { HostPage } from './page/hostPage';

/** Sets the titles of the editor tabs to the names of the conversations that they show. */
export function updateTabTitles(
  chat: Pick<Chat, 'findConversation'>,
  tabs: ReadonlyMap<HostPage, vscode.WebviewPanel>,
): void {
  for (const [page, tab] of tabs) {
    const name = toInertText(chat.findConversation(page.conversationId)?.name ?? '');
    setTabTitle(tab, name || toInertText('Parley'));
  }
}

/** Sets the view's title and description to the name of the conversation that it shows, and to its bot. */
export function updateViewTitle(
  chat: Pick<Chat, 'findConversation'>,
  view: vscode.WebviewView,
  { conversationId }: HostPage,
): void {
  const { name = '', bot } = chat.findConversation(conversationId) ?? {};
  // VS Code shows them if the view isn't alone with its tab in the title bar. Undefined restores its own title.
  const description = toInertText(bot?.name ?? '') || undefined;
  setViewTitle(view, toInertText(name) || undefined, description);
}
