import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { composeQueuedMessage, moveQueuedMessage, type QueuedMessage } from '../../chat/model/queue';
import type { QueueRunner } from '../../chat/replies/queueRunner';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/message';
import { showError, showWarning } from '../base/dialogs';
import { confirmSendingAgain } from './confirmSendingAgain';

const { t } = vscode.l10n;

/** What a person does with queued messages. */
export class QueueActions {
  readonly #chat: Chat;
  readonly #runner: QueueRunner;

  constructor({ chat, queueRunner }: { chat: Chat; queueRunner: QueueRunner }) {
    this.#chat = chat;
    this.#runner = queueRunner;
  }

  /** Sends a queued message at once; asks first where the service may have it already. */
  async sendNow(id: string, messageId: string): Promise<void> {
    const message = this.#find(id, messageId);
    if (!message || (message.sending && !(await confirmSendingAgain()))) return;
    const result = await this.#runner.sendNow(id, messageId);
    if (result === 'elsewhere') {
      void showWarning(t('Another window is writing this conversation.'));
    }
  }

  edit(id: string, messageId: string | undefined): void {
    this.#chat.queues.setEditing(id, messageId);
  }

  /** Gives a queued message another text, unless that is none, or too long. */
  async changeText(id: string, messageId: string, text: string): Promise<void> {
    const message = this.#find(id, messageId);
    const content = message && composeQueuedMessage({ ...message, text });
    if (!content || content.trim() === '' || countCodePoints(content) > MESSAGE_LIMIT) return;
    const changed = await this.#change(id, (messages) =>
      messages.map((each) => (each.id === messageId ? { ...each, text } : each)),
    );
    if (changed) this.#chat.queues.setEditing(id, undefined);
  }

  async remove(id: string, messageId: string): Promise<void> {
    await this.#change(id, (messages) => messages.filter((each) => each.id !== messageId));
  }

  async move(id: string, messageId: string, step: -1 | 1): Promise<void> {
    await this.#change(id, (messages) => moveQueuedMessage(messages, messageId, step));
  }

  async resume(id: string): Promise<void> {
    await this.#runner.resume(id);
  }

  async #change(
    id: string,
    change: (messages: readonly QueuedMessage[]) => readonly QueuedMessage[],
  ): Promise<boolean> {
    const changed = await this.#chat.queues.change(id, change);
    if (!changed) showQueueNotSaved();
    return changed;
  }

  #find(id: string, messageId: string): QueuedMessage | undefined {
    return this.#chat.find(id)?.queue?.messages.find((each) => each.id === messageId);
  }
}

/** Says that the disk took no change of a queue. */
export function showQueueNotSaved(): void {
  void showError(t('Couldn’t change the queue because it can’t be saved to disk.'));
}
