import * as vscode from 'vscode';
import type { ChatServices } from '../../chat/createChat';
import { findBaseUrl, findLastReply, isStreaming } from '../../chat/model/conversation';
import type { Bot, NoticeAction, ServiceConversation } from '../../shared/view/viewModel';
import { confirmAddAgain, confirmSendingAgain } from '../base/confirmAgain';
import { showError, showInputBox, showWarning, withProgress } from '../base/dialogs';
import { logError } from '../base/log';
import type { ForkActions } from '../forks/forkActions';
import type { HostPage } from '../panel/page/hostPage';
import type { Panel } from '../panel/panel';
import type { WorkspaceProposal } from '../parleyJson/workspaceProposal';
import type { BotPickerOptions } from '../service/botPicker';
import { type Bots, isSameBot } from '../service/bots';
import type { SetupGuide } from '../service/setupGuide';
import { DeletionActions } from './deletionActions';
import { reportFailures } from './reportFailures';

const { t } = vscode.l10n;

type ConversationServices = ChatServices & {
  readonly setup: SetupGuide;
  readonly bots: Bots;
  readonly panel: Panel;
  readonly forks: ForkActions;
  readonly workspaceProposal: WorkspaceProposal;
  readonly log: vscode.LogOutputChannel;
};

/** Implements the commands and intents that apply to whole conversations. */
export class ConversationActions {
  readonly #services: ConversationServices;
  readonly #deletions: DeletionActions;

  /** `undoMs` is how long a deletion can be undone. */
  constructor(services: ConversationServices, undoMs?: number) {
    this.#services = services;
    this.#deletions = new DeletionActions(services, (id) => this.stop(id), undoMs);
  }

  /** Opens an empty conversation; asks for a bot only if none is set. */
  async openNew(): Promise<void> {
    const setup = await this.#services.setup.checkSetup();
    if (setup.step === 'bot') await this.chooseDefaultBot();
    await this.#services.panel.openNew();
  }

  async chooseDefaultBot(): Promise<void> {
    const recent = await this.getRecentBots();
    if (await this.#services.setup.askDefaultBot(recent)) await this.#services.panel.adoptDefaultBot();
  }

  /** Returns the bots of the stored conversations, most recent first. */
  async getRecentBots(): Promise<Bot[]> {
    await this.#services.chat.load();
    return this.#services.chat
      .listConversations()
      .toSorted((a, b) => b.at - a.at)
      .map(({ bot }) => bot);
  }

  /** Asks for a bot and opens an empty conversation with it. Without a default bot, asks for that instead. */
  async openNewWith(): Promise<void> {
    await this.#services.setup.checkSetup();
    if (!this.#services.setup.hasReadyService) return this.openNew();
    const recent = await this.getRecentBots();
    const { pickBot } = await import('../service/botPicker');
    const options = { title: t('New Conversation With…'), recent, ...(await this.#suggestBot()) };
    const choice = await pickBot(this.#services.bots, options);
    if (choice) await this.#services.panel.openNew(choice.bot);
  }

  /**
   * Proposes the bot that the workspace names for a file, if the conversation has nothing yet and another bot. Resolves to
   * false if the user canceled.
   */
  async proposeBot(id: string, uri: vscode.Uri): Promise<boolean> {
    const conversation = this.#services.chat.findConversation(id);
    const { suggested } = conversation ? await this.#suggestBot(uri) : {};
    if (!conversation || !suggested) return true;
    const { proposeBot } = await import('../service/botPicker');
    return proposeBot(this.#services, conversation, suggested, () => this.getRecentBots());
  }

  /** Resolves to the bot that the workspace names for a file, by default the active one, if its service is set up. */
  async #suggestBot(file?: vscode.Uri): Promise<Pick<BotPickerOptions, 'suggested'>> {
    const { bots, workspaceProposal } = this.#services;
    const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
    const uri = file ?? editor?.document.uri;
    const found = uri && (await workspaceProposal.findBotForFile(uri));
    const service = found && bots.serviceList.find(found.baseUrl);
    if (!found || !service) return {};
    const { id, name } = found.bot;
    const known = bots.named(id, service.baseUrl);
    // The service's own name counts, once it is known.
    const bot = { ...known, ...(known.name === id && name !== undefined && { name }) };
    return { suggested: { bot, glob: found.glob } };
  }

  /** Opens the conversation with the ID; without an ID, shows a picker. */
  async pick(id?: unknown): Promise<void> {
    if (typeof id === 'string') await this.#services.chat.load();
    if (typeof id === 'string' && this.#services.chat.getSummary(id))
      return this.#services.panel.showConversation(id);
    const services = this.#services.bots.serviceList.all;
    const { pickConversation } = await import('./conversationPicker');
    await pickConversation(this.#services.chat, services, {
      list: (keyword) => this.listFromServices(keyword),
      open: (id) => this.#services.panel.showConversation(id),
      openFromService: (remoteId, baseUrl) =>
        this.openFromService(remoteId, baseUrl, (id) => this.#services.panel.showConversation(id)),
      pin: (id, pinned) => this.pin(id, pinned),
      delete: (id) => this.delete(id),
    });
  }

  /** Returns the conversations of all services that match a keyword and aren't here. */
  listFromServices(keyword: string): Promise<ServiceConversation[]> {
    const { fromService, bots } = this.#services;
    return fromService.list(
      keyword,
      bots.serviceList.all.map(({ baseUrl }) => baseUrl),
    );
  }

  /** Loads a conversation from a service, by default the first, and shows it. */
  async openFromService(
    remoteId: string,
    baseUrl: string | undefined,
    show: (id: string) => Promise<unknown>,
  ): Promise<void> {
    await reportFailures(
      () => t('Couldn’t open the conversation.'),
      async () => {
        const progress = { location: vscode.ProgressLocation.Window, title: t('Opening the conversation') };
        await show(
          await withProgress(progress, () => this.#services.fromService.openFromService(remoteId, baseUrl)),
        );
      },
    );
  }

  /** Replaces the partial reply with the whole one from the service. */
  async showWhole(id: string, turnId: string): Promise<void> {
    await this.#services.messageSync.showCompleteReply(id, turnId);
  }

  /** Asks for a name for the conversation; resolves to false without asking if it doesn't exist. */
  async rename(id: string): Promise<boolean> {
    const conversation = await this.#services.chat.openConversation(id);
    if (!conversation) return false;
    const name = await showInputBox({ title: t('Rename Conversation'), value: conversation.name }, (text) =>
      text.trim() === '' ? t('Enter a name for the conversation.') : undefined,
    );
    if (name?.trim() && name.trim() !== conversation.name) {
      await reportFailures(
        () => t('Couldn’t rename the conversation.'),
        () => this.#services.remote.rename(id, name.trim()),
      );
    }
    return true;
  }

  /** Asks for a bot for the conversation, a new one or a fork; resolves to false without asking if it doesn't exist. */
  async changeBot(id: string): Promise<boolean> {
    const conversation = await this.#services.chat.openConversation(id);
    if (!conversation) return false;
    const baseUrl = findBaseUrl(conversation);
    const current = conversation.bot && { ...conversation.bot, ...(baseUrl !== undefined && { baseUrl }) };
    // What was said stays on its service; a fork may have a bot of any.
    const isBound = conversation.remote !== undefined || conversation.turns.length > 0;
    const { pickBot } = await import('../service/botPicker');
    const choice = await pickBot(this.#services.bots, {
      title: t('Change Bot'),
      placeholder: t('Select a bot for this conversation'),
      recent: await this.getRecentBots(),
      ...(await this.#suggestBot()),
      ...(current && { current }),
      ...(isBound && { baseUrl }),
      offersNew: true,
      offersFork: conversation.turns.some(({ kind }) => kind !== 'document'),
    });
    const { bot, isNew, isFork } = choice ?? {};
    if (bot && isNew) await this.#services.panel.openNew(bot);
    else if (bot && isFork) await this.#services.forks.fork(id, { bot });
    else if (bot && !(current && isSameBot(bot, current))) {
      await reportFailures(
        () => t('Couldn’t change the bot.'),
        () => this.#services.remote.changeBot(id, bot),
      );
    }
    return true;
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    if (await this.#services.chat.openConversation(id)) this.#services.chat.setPinned(id, pinned);
  }

  /** Stops the reply, whichever window it is streaming in. */
  async stop(id: string): Promise<void> {
    const conversation = this.#services.chat.findConversation(id);
    if (!this.#services.queueRunner.stop(id) && conversation && isStreaming(conversation))
      await this.#services.replies.takeOver(id);
  }

  async actOnNotice(id: string, action: Exclude<NoticeAction, 'continueHere' | 'addService'>): Promise<void> {
    if (action === 'takeOver') await this.#services.replies.takeOver(id);
    else if (action === 'showLog') this.#services.log.show();
    else if (action === 'startAnew') {
      await reportFailures(
        () => t('Couldn’t start a new conversation.'),
        () => this.#services.remote.recreate(id),
      );
    }
    // The notice shows whether saving works now.
    else await this.#services.chat.whenSaved(id).catch(() => undefined);
  }

  /** Deletes conversations here and on the service, after a confirmation; it can be undone for some seconds. */
  delete(...ids: readonly string[]): Promise<void> {
    return this.#deletions.delete(ids);
  }

  /** Deletes conversations for a page, which gets the focus back after the confirmation. */
  deleteFor(page: HostPage, ids: readonly string[]): Promise<void> {
    return this.#deletions.delete(ids, () => void this.#services.panel.returnTo(page));
  }

  /** Archives conversations, or lists them again. */
  async archive(ids: readonly string[], archived: boolean): Promise<void> {
    const { chat, log } = this.#services;
    await chat.load();
    try {
      for (const id of ids) await chat.setArchived(id, archived);
    } catch (error) {
      logError(log, error);
      void showError(t('Couldn’t save the change.'));
    }
  }

  /** Ends the time for undoing deletions when the window closes; resolves when they are done. */
  dispose(): Promise<void> {
    return this.#deletions.dispose();
  }

  /** Repeats a failed upload or message; asks first if the service may already have the message. */
  async retry(id: string, turnId: string): Promise<void> {
    if (this.#services.uploads.find(turnId)) return this.#services.uploads.retry(turnId, confirmAddAgain);
    const conversation = this.#services.chat.findConversation(id);
    if (!conversation || findLastReply(conversation)?.id !== turnId) return;
    const progress = { location: vscode.ProgressLocation.Window, title: t('Looking for the reply') };
    const retry = () => this.#services.replies.retry(id, turnId, confirmSendingAgain);
    if ((await withProgress(progress, retry)) === 'otherWindow') {
      void showWarning(t('Another window is writing to this conversation.'));
    }
  }
}
