import * as vscode from 'vscode';
import { createLazily } from '../../chat/base/lazy';
import type { ChatServices } from '../../chat/createChat';
import type { ForkOptions } from '../../chat/forks/forks';
import { showInformation } from '../base/dialogs';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import type { SetupGuide } from '../service/setupGuide';

const { t } = vscode.l10n;

type ForkServices = ChatServices & { readonly setup: SetupGuide; readonly panel: Panel };

/** Forks conversations: the transcript up to a turn becomes the document of a new conversation. */
export class ForkActions {
  readonly #services: ForkServices;
  readonly #getForks = createLazily(async () => {
    const { createForks } = await import('./createForks');
    return createForks(this.#services);
  });
  /** IDs of the conversations that are being forked: a second click creates no second fork. */
  readonly #forking = new Set<string>();

  constructor(services: ForkServices) {
    this.#services = services;
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
      const id = await (await this.#getForks()).create(conversationId, options);
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
