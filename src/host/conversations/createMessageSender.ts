import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { RemoteConversations } from '../../chat/remote/remoteConversations';
import { MessageSender } from '../../chat/replies/messageSender';
import type { Replies } from '../../chat/replies/replies';
import { uploadName } from '../../chat/uploads/uploadName';
import type { UploadQueue } from '../../chat/uploads/uploadQueue';
import { uploadAsText } from '../base/settings';
import { openBytes } from '../platform/openBytes';

const { t } = vscode.l10n;

/** Sending, with the words and the files that stand for texts too long for a message. */
export function createMessageSender(services: {
  chat: Chat;
  remote: RemoteConversations;
  replies: Replies;
  uploads: UploadQueue;
}): MessageSender {
  return new MessageSender(services, {
    formatReference: (name, beginning) =>
      t('My message is in the document “{0}”: read and answer it. It begins: {1}', name, beginning),
    formatContextNote: (name) => t('(What this is about is in the document “{0}”.)', name),
    createFile: (name, text) => {
      const open = () => openBytes(new TextEncoder().encode(text));
      return { ...uploadName(name, uploadAsText()), opened: open(), reopen: async () => open() };
    },
  });
}
