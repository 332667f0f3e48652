import type * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { toInertText } from '../base/inertText';
import { setTabTitle, setViewTitle } from '../base/inertUi';
import type { HostPage } from './page/hostPage';

/** Sets the titles of the editor tabs to the names of the conversations that they show. */
export function updateTabTitles(
  chat: Pick<Chat, 'find'>,
  tabs: ReadonlyMap<HostPage, vscode.WebviewPanel>,
): void {
  for (const [page, tab] of tabs) {
    const name = toInertText(chat.find(page.conversationId)?.name ?? '');
    setTabTitle(tab, name || toInertText('Parley'));
  }
}

/** Sets the view's title and description to the name of the conversation that it shows, and to its bot. */
export function updateViewTitle(
  chat: Pick<Chat, 'find'>,
  view: vscode.WebviewView,
  { conversationId }: HostPage,
): void {
  const { name = '', bot } = chat.find(conversationId) ?? {};
  // VS Code shows them if the view isn't alone with its tab in the title bar. Undefined restores its own title.
  const description = toInertText(bot?.name ?? '') || undefined;
  setViewTitle(view, toInertText(name) || undefined, description);
}
