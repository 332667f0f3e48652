import * as vscode from 'vscode';
import { getServiceReadiness } from '../../../chat/documents/serviceDocuments';
import { type Conversation, findDocument } from '../../../chat/model/conversation';
import type { PauseReason, Queue } from '../../../chat/model/queuedMessage';
import { getReadiness } from '../../../shared/view/documentReadiness';
import type { QueueView } from '../../../shared/view/viewModel';

const { t } = vscode.l10n;

/** Why nothing is sent; the "Resume" button follows it. */
const PAUSE_TEXTS: Readonly<Record<PauseReason, () => string>> = {
  stopped: () => t('Paused because you stopped the reply.'),
  interrupted: () => t('Paused because the reply was interrupted.'),
  failed: () => t('Paused because the reply failed.'),
  quotaReached: () => t('Paused because you’ve reached your plan’s message limit.'),
  refused: () => t('Paused because the service didn’t accept the first message.'),
  documentFailed: () => t('Paused because a document couldn’t be added or converted.'),
  documentLate: () =>
    t('Paused because a document wasn’t ready within an hour. Resume to send without waiting for it.'),
  reopened: () => t('Paused because the window was closed or reloaded.'),
  maybeSent: () =>
    t('Paused because the first message may have been sent already. Send it now, or remove it.'),
  unsaved: () => t('Paused because the queue can’t be saved to disk.'),
};

/** Returns the queue as the page shows it. */
export function toQueueView(conversation: Conversation, { messages, paused, editing }: Queue): QueueView {
  const { documents = [], serviceDocuments = [] } = messages[0] ?? {};
  const names = documents.flatMap((turnId) => {
    const turn = findDocument(conversation, turnId);
    return turn && getReadiness(turn) === 'pending' ? [turn.name] : [];
  });
  const awaited = new Set(serviceDocuments);
  const onService = (conversation.listed?.documents ?? []).find(
    ({ id }) => awaited.has(id) && getServiceReadiness(conversation, id) === 'pending',
  );
  const waitsFor = names[0] ?? onService?.name;
  const { heldByOtherWindow, composing } = conversation;
  const { queuedEdit } = composing ?? {};
  const edit = messages.some(({ id }) => id === queuedEdit?.messageId) ? queuedEdit : undefined;
  return {
    messages: messages.map(({ id, text, context, webSearch, sending }) => ({
      id,
      text,
      context,
      ...(webSearch && { webSearch }),
      // Another window that writes may be sending it now.
      ...(sending && !heldByOtherWindow && { maybeSent: true }),
    })),
    ...(paused && { paused: PAUSE_TEXTS[paused]() }),
    ...(waitsFor !== undefined && { waitsFor }),
    ...(editing !== undefined && { editing }),
    ...(edit && { edit }),
  };
}
