import type * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { plural } from '../base/plural';
import type { Activity } from './activity';

/** Counts on the view the conversations with replies that nobody has seen, until the view is disposed of. */
export function showBadge(view: vscode.WebviewView, chat: Chat, activity: Activity): void {
  let shown = 0;
  const update = () => {
    const { unseen } = activity;
    if (unseen === shown) return;
    shown = unseen;
    view.badge = unseen === 0 ? undefined : { value: unseen, tooltip: newReplies(unseen) };
  };
  const listening = activity.onDidChange(update);
  view.onDidDispose(() => listening.dispose());
  // The page reads the list as well, and says where it can't be read.
  void chat.load().then(update, () => undefined);
}

/** How many conversations have replies that nobody has seen. */
export function newReplies(unseen: number): string {
  return plural(unseen, 'One conversation has a new reply.', '{0} conversations have new replies.');
}
