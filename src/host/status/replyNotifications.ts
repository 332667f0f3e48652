import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { Ending } from '../../shared/view/viewModel';
import { showInformation } from '../base/dialogs';
import { shouldNotifyWhenDone } from '../base/settings';
import type { Panel } from '../panel/panel';
import type { Activity, EndedReply } from './activity';

const { t } = vscode.l10n;

/** Notifies of replies that end while the window isn't focused, if the setting is on. */
export function notifyOfReplies(
  activity: Activity,
  chat: Chat,
  panel: Panel,
  isWindowFocused = () => vscode.window.state.focused,
): { dispose(): void } {
  return activity.onDidEnd(({ conversationId, turn }: EndedReply) => {
    if (isWindowFocused() || !shouldNotifyWhenDone()) return;
    const text = formatNotification(turn.ending, turn.bot, chat.findConversation(conversationId)?.name ?? '');
    if (text !== undefined) void showReply(text, () => panel.showConversation(conversationId));
  });
}

async function showReply(text: string, open: () => Promise<void>): Promise<void> {
  const show = t('Show');
  if ((await showInformation(text, show)) === show) await open();
}

/** Returns undefined for a reply that the user stopped. */
function formatNotification(ending: Ending | undefined, bot: string, name: string): string | undefined {
  switch (ending) {
    case 'complete':
      return t('{0} replied in “{1}”.', bot, name);
    case 'interrupted':
      return t('The reply in “{0}” was interrupted.', name);
    case 'failed':
      return t('The reply in “{0}” failed.', name);
    default:
      return undefined;
  }
}
