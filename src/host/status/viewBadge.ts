import type * as vscode from 'vscode';
import { plural } from '../base/localizedText';
import type { Activity } from './activity';

/** Shows the number of conversations with unseen replies as the view's badge, until the view is disposed. */
export function showBadge(view: vscode.WebviewView, activity: Activity): void {
  let shown = 0;
  const update = () => {
    const { unseen } = activity;
    if (unseen === shown) return;
    shown = unseen;
    view.badge = unseen === 0 ? undefined : { value: unseen, tooltip: formatNewReplies(unseen) };
  };
  const listening = activity.onDidChange(update);
  view.onDidDispose(() => listening.dispose());
  update();
}

/** Formats the number of conversations with unseen replies. */
export function formatNewReplies(unseen: number): string {
  return plural(unseen, 'One conversation has a new reply.', '{0} conversations have new replies.');
}
