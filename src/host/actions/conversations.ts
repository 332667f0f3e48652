import * as vscode from 'vscode';
import type { Chat } from '../../chat/chat';
import { type Conversation, lastReply } from '../../chat/conversation';
import { toFailure } from '../../chat/failure';
import type { Uploads } from '../../chat/uploads';
import { sentenceOf } from '../failureText';
import type { Panel } from '../panel';
import type { SetupGuide } from '../setup';

const { t } = vscode.l10n;

/** What a person does with whole conversations, from the palette or the page. */
export class ConversationActions {
  readonly #chat: Chat;
  readonly #uploads: Uploads;
  readonly #setup: SetupGuide;
  readonly #panel: Panel;

  constructor(services: { chat: Chat; uploads: Uploads; setup: SetupGuide; panel: Panel }) {
    this.#chat = services.chat;
    this.#uploads = services.uploads;
    this.#setup = services.setup;
    this.#panel = services.panel;
  }

  /** Opens an empty conversation; asks for a bot only where there is none. */
  async openNew(): Promise<void> {
    const setup = await this.#setup.refresh();
    if (setup.step === 'bot') await this.chooseDefaultBot();
    await this.#panel.openNew();
  }

  async chooseDefaultBot(): Promise<void> {
    if (await this.#setup.askDefaultBot()) await this.#panel.adoptDefaultBot();
  }

  /** Lets the person pick one of the conversations. */
  async pick(): Promise<void> {
    const items = this.#chat.list().map((conversation) => ({
      label: conversation.name,
      description: conversation.bot?.name ?? '',
      detail: new Date(conversation.turns.at(-1)?.at ?? conversation.createdAt).toLocaleString(
        vscode.env.language,
      ),
      conversation,
    }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage(t('There is no conversation yet: send a first message.'));
      return this.#panel.focus();
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: t('Open Conversation'),
      placeHolder: t('Type to filter by name or bot'),
      matchOnDescription: true,
    });
    if (picked) await this.#panel.open(picked.conversation.id);
  }

  async rename(id: string): Promise<void> {
    const conversation = this.#chat.find(id);
    if (!conversation) return;
    const name = await vscode.window.showInputBox({
      title: t('Rename Conversation'),
      value: conversation.name,
      validateInput: (text) => (text.trim() === '' ? t('A conversation needs a name.') : undefined),
    });
    if (name?.trim() && name.trim() !== conversation.name) {
      await this.#report(t('The conversation is not renamed.'), () => this.#chat.rename(id, name.trim()));
    }
  }

  async changeBot(id: string): Promise<void> {
    const conversation = this.#chat.find(id);
    if (!conversation) return;
    const bot = await this.#setup.askBot(t('Change Bot'));
    if (bot && bot.id !== conversation.bot?.id) {
      await this.#report(t('The bot is not changed.'), () => this.#chat.changeBot(id, bot));
    }
  }

  async delete(id: string): Promise<void> {
    const conversation = this.#chat.find(id);
    if (!conversation || conversation.turns.length === 0) return;
    const remove = t('Delete');
    const choice = await vscode.window.showWarningMessage(
      t('Delete “{0}”?', conversation.name),
      { modal: true, detail: detailOfDeletion(conversation) },
      remove,
    );
    if (choice !== remove) return;
    await this.#report(t('The conversation is not deleted.'), () => this.#chat.delete(id));
  }

  /** Repeats what failed; asks first where the service may have the message already. */
  async retry(id: string, turnId: string): Promise<void> {
    if (this.#uploads.find(turnId)) return this.#uploads.retry(turnId);
    const conversation = this.#chat.find(id);
    const reply = conversation && lastReply(conversation);
    if (reply?.id !== turnId || !reply.failure) return;
    if (!reply.failure.maySend) {
      const send = t('Send Again');
      const choice = await vscode.window.showWarningMessage(
        t('Send the message again?'),
        {
          modal: true,
          detail: t('The service may have it already: it may count twice and be answered twice.'),
        },
        send,
      );
      if (choice !== send) return;
    }
    this.#chat.retry(id, turnId);
  }

  /** Runs what asks the service; a failure becomes a sentence with Retry. */
  async #report(what: string, run: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        const again = t('Retry');
        const choice = await vscode.window.showErrorMessage(
          `${what} ${sentenceOf(toFailure(error, Date.now()))}`,
          again,
        );
        if (choice !== again) return;
      }
    }
  }
}

function detailOfDeletion(conversation: Conversation): string {
  return conversation.remote
    ? t('It is deleted here and on the service. This can’t be undone.')
    : t('This can’t be undone.');
}
