import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import type { ConfirmedFile } from '../../chat/documents/fileToUpload';
import { type ForkOptions, Forks } from '../../chat/forks/forks';
import type { Conversation } from '../../chat/model/conversation';
import { toFileName } from '../../chat/text/fileName';
import { showInformation } from '../base/dialogs';
import { formatConversation } from '../export/markdown/formatConversation';
import { createConfirmedMarkdown } from '../files/confirmedMarkdown';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import type { SetupGuide } from '../service/setupGuide';

const { t } = vscode.l10n;

type ForkServices = ChatServices & { readonly setup: SetupGuide; readonly panel: Panel };

/** Forks conversations: the transcript up to a turn becomes the document of a new conversation. */
export class ForkActions {
  readonly #services: ForkServices;
  readonly #forks: Forks;
  /** IDs of the conversations that are being forked: a second click creates no second fork. */
  readonly #forking = new Set<string>();

  constructor(services: ForkServices) {
    this.#services = services;
    this.#forks = new Forks(services, createForkDocument, t('Fork'));
  }

  /**
   * Forks a conversation and shows the fork: in the page that asked for it, or in the one shown last. Resolves to
   * whether it was created.
   */
  async fork(conversationId: string, options: ForkOptions = {}, page?: HostPage): Promise<boolean> {
    const { chat, setup, panel } = this.#services;
    if (this.#forking.has(conversationId)) return false;
    this.#forking.add(conversationId);
    try {
      if (!(await chat.openConversation(conversationId))) return false;
      const { bot } = options;
      if ((await setup.checkSetup(bot ? { bot } : chat.findConversation(conversationId))).step !== 'done') {
        void showInformation(t('Finish setting up Parley in its panel, then fork again.'));
        return false;
      }
      const id = await this.#forks.create(conversationId, options);
      if (id === undefined) void showInformation(t('There are no messages to fork yet.'));
      else if (page) {
        await panel.showInPage(page, id);
        await panel.returnTo(page);
      } else await panel.showConversation(id);
      return id !== undefined;
    } finally {
      this.#forking.delete(conversationId);
    }
  }
}

function createForkDocument(conversation: Conversation): ConfirmedFile {
  const stem = toFileName(conversation.name.replace(/\.md$/i, ''), t('Conversation'));
  return createConfirmedMarkdown(`${stem}.md`, formatConversation(conversation));
}
