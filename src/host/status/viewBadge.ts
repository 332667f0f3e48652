import * as vscode from 'vscode';
import type { Chat } from '../../chat/chat';
import type { Activity } from './activity';

const { t } = vscode.l10n;

/** Counts on the view the conversations with replies that nobody has seen, until the view is disposed of. */
export function badgeOf(view: vscode.WebviewView, chat: Chat, activity: Activity): void {
  let shown = 0;
  const update = () => {
    const { unseen } = activity;
    if (unseen === shown) return;
    shown = unseen;
    const tooltip =
      unseen === 1
        ? t('One conversation has a new reply.')
        : t('{0} conversations have new replies.', unseen);
    view.badge = unseen === 0 ? undefined : { value: unseen, tooltip };
  };
  const listening = activity.onDidChange(update);
  view.onDidDispose(() => listening.dispose());
  // The page reads the list as well, and says where it can't be read.
  void chat.load().then(update, () => undefined);
}
