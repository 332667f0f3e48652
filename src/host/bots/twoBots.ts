import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { ComposedMessage } from '../../chat/model/composerState';
import { createWithQuestion, type Question, sendQuestion } from '../../chat/replies/askBots';
import { createLeadIn } from '../../chat/replies/longMessage';
import type { MessageSender } from '../../chat/replies/messageSender';
import { composeMessage, countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { Bot } from '../../shared/view/viewModel';
import { confirm, showInformation, showInputBox, showWarning } from '../base/dialogs';
import { formatCount } from '../base/localizedText';
import type { ConversationActions } from '../conversations/conversationActions';
import type { Panel } from '../panel/panel';
import { showQueueNotSaved } from '../queue/queueNotSaved';
import { pickTwoBots } from '../service/botPicker';
import type { Bots } from '../service/bots';
import type { SetupGuide } from '../service/setupGuide';

const { t } = vscode.l10n;

interface Services {
  readonly chat: Chat;
  readonly messageSender: MessageSender;
  readonly conversations: ConversationActions;
  readonly bots: Bots;
  readonly setup: SetupGuide;
  readonly panel: Panel;
}

/** Asks two bots the same question, each in a conversation of its own, in tabs side by side. */
export class TwoBots {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Asks what is in the composer shown last, or else for a question. Nothing is sent before the confirmation. */
  async ask(): Promise<void> {
    const { bots, chat, conversations, messageSender, setup, panel } = this.#services;
    await setup.checkSetup();
    if (!setup.hasReadyService) {
      void showInformation(t('Finish setting up Parley in its panel, then ask again.'));
      return;
    }
    const currentId = await panel.getCurrentConversationId();
    const question = await this.#getQuestion(currentId);
    const pair =
      question && (await pickTwoBots(bots, t('Ask Two Bots'), await conversations.getRecentBots()));
    if (!pair) return;
    for (const { baseUrl } of pair) {
      const service = bots.serviceList.find(baseUrl);
      if (service && !setup.hasKey(service) && !(await setup.askApiKey(baseUrl))) return;
    }
    if (!(await confirmAsking(pair, question))) return;
    const ids = createWithQuestion(chat, pair, question);
    panel.openSideBySide(ids);
    const results = await sendQuestion(messageSender, ids, question);
    if (results.includes('unsaved')) showQueueNotSaved();
    // What couldn't be sent is in the composers of the tabs.
    chat.composers.removeSent(currentId, question);
  }

  async #getQuestion(id: string): Promise<Question | undefined> {
    const { draft = '', composing } = this.#services.chat.findConversation(id) ?? {};
    const { context = [], webSearch = false } = composing ?? {};
    const typed =
      draft.trim() === ''
        ? await showInputBox({
            title: t('Ask Two Bots'),
            prompt: t('Enter the question for both bots'),
            ignoreFocusOut: true,
          })
        : draft;
    if (!typed?.trim()) return undefined;
    const count = countCodePoints(composeMessage(typed, context));
    if (count <= MESSAGE_LIMIT) return { text: typed, context, webSearch };
    void showWarning(
      t(
        'The question is {0} characters long; the limit is {1}. Nothing was sent.',
        formatCount(count),
        formatCount(MESSAGE_LIMIT),
      ),
    );
    return undefined;
  }
}

async function confirmAsking(
  [first, second]: readonly [Bot, Bot],
  question: ComposedMessage,
): Promise<boolean> {
  const ask = t('Ask Both');
  const details = [
    createLeadIn(composeMessage(question.text, question.context)),
    t('Two messages will be sent. Both count toward your limit.'),
  ];
  return (await confirm(t('Ask {0} and {1}?', first.name, second.name), details, ask)) === ask;
}
