import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { MessageSender } from '../../chat/replies/messageSender';
import { confirmAddAgain } from '../base/confirmAgain';
import { createConfirmedMarkdown } from '../files/confirmedMarkdown';

const { t } = vscode.l10n;

/** Creates the message sender, with the localized text and the files for messages that are too long. */
export function createMessageSender(
  services: Pick<ChatServices, 'chat' | 'remote' | 'replies' | 'uploads'>,
): MessageSender {
  return new MessageSender(services, {
    formatReference: (name, beginning) =>
      t('My message is in the document “{0}”: read and answer it. It begins: {1}', name, beginning),
    formatContextNote: (name) => t('(The context is in the document “{0}”.)', name),
    createFile: createConfirmedMarkdown,
    confirmAddAgain,
  });
}
