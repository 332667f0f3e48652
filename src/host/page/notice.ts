import * as vscode from 'vscode';
import type { Conversation } from '../../chat/conversation';
import type { Notice } from '../../shared/conversation';

const { t } = vscode.l10n;

/** What the person should know about a conversation, for as long as it holds. */
export function noticeOf({ unsaved, heldElsewhere }: Conversation): Notice | undefined {
  if (unsaved) {
    return {
      kind: 'storage',
      text: t(
        'This conversation can’t be saved to disk. You can go on; it is saved as soon as there is room.',
      ),
      actions: ['tryAgain', 'showLog'],
    };
  }
  if (heldElsewhere) {
    return {
      kind: 'elsewhere',
      text: t('Another window is writing this conversation.'),
      actions: ['takeOver'],
    };
  }
  return undefined;
}
