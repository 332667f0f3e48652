import type * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { toInertText } from '../base/inertText';
import type { Page } from './page/hostPage';

/** Sets the titles of the editor tabs to the names of the conversations that they show. */
export function setTabTitles(chat: Pick<Chat, 'find'>, tabs: ReadonlyMap<Page, vscode.WebviewPanel>): void {
  for (const [page, tab] of tabs) {
    const title = toInertText(chat.find(page.conversationId)?.name ?? '') || 'Parley';
    if (tab.title !== title) tab.title = title;
  }
}

/** Sets the view's title and description to the name of the conversation that it shows, and to its bot. */
export function setViewTitle(
  chat: Pick<Chat, 'find'>,
  view: vscode.WebviewView,
  { conversationId }: Page,
): void {
  const { name = '', bot } = chat.find(conversationId) ?? {};
  // VS Code shows them if the view isn't alone with its tab in the title bar. Undefined restores its own title.
  Object.assign(view, {
    title: toInertText(name) || undefined,
    description: toInertText(bot?.name ?? '') || undefined,
  });
}
