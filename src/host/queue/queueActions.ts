import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { composeQueuedMessage, moveQueuedMessage, type QueuedMessage } from '../../chat/model/queuedMessage';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import { confirmSendingAgain } from '../base/confirmAgain';
import { showWarning } from '../base/dialogs';
import { showQueueNotSaved } from './queueNotSaved';

const { t } = vscode.l10n;

/** Implements the intents that apply to queued messages. */
export class QueueActions {
  readonly #services: Pick<ChatServices, 'chat' | 'queueRunner'>;

  constructor(services: Pick<ChatServices, 'chat' | 'queueRunner'>) {
    this.#services = services;
  }

  /** Sends a queued message at once; asks first if the service may already have it. */
  async sendNow(id: string, messageId: string): Promise<void> {
    const message = this.#find(id, messageId);
    if (!message || (message.sending && !(await confirmSendingAgain()))) return;
    const result = await this.#services.queueRunner.sendNow(id, messageId);
    if (result === 'otherWindow') {
      void showWarning(t('Another window is writing to this conversation.'));
    }
  }

  edit(id: string, messageId: string | undefined): void {
    this.#services.chat.queues.setEditing(id, messageId);
  }

  /** Stores the text in the editor of a queued message. */
  setDraft(id: string, messageId: string, text: string): void {
    const message = this.#find(id, messageId);
    if (message)
      this.#services.chat.composers.setQueuedEdit(
        id,
        text === message.text ? undefined : { messageId, text },
      );
  }

  /** Changes the text of a queued message, unless the new text is empty or too long. */
  async changeText(id: string, messageId: string, text: string): Promise<void> {
    const message = this.#find(id, messageId);
    const content = message && composeQueuedMessage({ ...message, text });
    if (!content || content.trim() === '' || countCodePoints(content) > MESSAGE_LIMIT) return;
    const { composers, queues } = this.#services.chat;
    composers.setQueuedEdit(id, { messageId, text });
    let isInTime = false;
    const changed = await this.#change(id, (messages) =>
      messages.map((queued) => {
        if (queued.id !== messageId) return queued;
        // Otherwise it may be sent with the old text now; then the new one returns to the draft.
        isInTime = !queued.sending;
        return { ...queued, text };
      }),
    );
    if (!changed) return;
    if (isInTime) composers.setQueuedEdit(id, undefined);
    queues.setEditing(id, undefined);
  }

  async remove(id: string, messageId: string): Promise<void> {
    await this.#change(id, (messages) => messages.filter((queued) => queued.id !== messageId));
  }

  async move(id: string, messageId: string, step: -1 | 1): Promise<void> {
    await this.#change(id, (messages) => moveQueuedMessage(messages, messageId, step));
  }

  async #change(
    id: string,
    change: (messages: readonly QueuedMessage[]) => readonly QueuedMessage[],
  ): Promise<boolean> {
    const changed = await this.#services.chat.queues.change(id, change);
    if (!changed) showQueueNotSaved();
    return changed;
  }

  #find(id: string, messageId: string): QueuedMessage | undefined {
    return this.#services.chat
      .findConversation(id)
      ?.queue?.messages.find((queued) => queued.id === messageId);
  }
}
