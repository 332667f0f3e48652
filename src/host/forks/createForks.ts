import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import type { ConfirmedFile } from '../../chat/documents/fileToUpload';
import { Forks } from '../../chat/forks/forks';
import type { Conversation } from '../../chat/model/conversation';
import { toFileName } from '../../chat/text/fileName';
import { formatConversation } from '../export/markdown/formatConversation';
import { createConfirmedMarkdown } from '../files/confirmedMarkdown';

const { t } = vscode.l10n;

export function createForks(services: ChatServices): Forks {
  return new Forks(services, createForkDocument, t('Fork'));
}

function createForkDocument(conversation: Conversation): ConfirmedFile {
  const stem = toFileName(conversation.name.replace(/\.md$/i, ''), t('Conversation'));
  return createConfirmedMarkdown(`${stem}.md`, formatConversation(conversation));
}
