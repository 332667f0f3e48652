import * as vscode from 'vscode';
import type { Chat } from '../chat/chat';
import type { Remote } from '../chat/remote';
import type { Replies } from '../chat/replies';
import { Sending } from '../chat/sending';
import { uploadName } from '../chat/uploadName';
import type { Uploads } from '../chat/uploads';
import { openBytes } from './platform/openBytes';
import { uploadAsText } from './settings';

const { t } = vscode.l10n;

/** Sending, with the words and the files that stand for texts too long for a message. */
export function createSending(services: {
  chat: Chat;
  remote: Remote;
  replies: Replies;
  uploads: Uploads;
}): Sending {
  return new Sending(services, {
    refer: (name, beginning) =>
      t('My message is in the document “{0}”: read and answer it. It begins: {1}', name, beginning),
    contextIsIn: (name) => t('(What this is about is in the document “{0}”.)', name),
    toFile: (name, text) => {
      const open = () => openBytes(new TextEncoder().encode(text));
      return { ...uploadName(name, uploadAsText()), opened: open(), reopen: async () => open() };
    },
  });
}
