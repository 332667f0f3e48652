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
import { showQueueNotSaved } from '../queue/queueActions';
import { pickBot } from '../service/botPicker';
import { type Bots, isSameBot } from '../service/bots';
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
    const { chat, messageSender, setup, panel } = this.#services;
    await setup.refresh();
    if (!setup.hasReadyService) {
      void showInformation(t('Finish setting up Parley in its panel, then ask again.'));
      return;
    }
    const currentId = await panel.getCurrentConversationId();
    const question = await this.#getQuestion(currentId);
    const pair = question && (await this.#pickBots());
    if (!pair) return;
    for (const { baseUrl } of pair) {
      const service = this.#services.bots.serviceList.find(baseUrl);
      if (service && !setup.hasKey(service) && !(await setup.askApiKey(baseUrl))) return;
    }
    if (!(await confirmAsking(pair, question))) return;
    const ids = createWithQuestion(chat, pair, question);
    panel.openSideBySide(ids);
    const results = await sendQuestion(messageSender, ids, question);
    if (results.includes('unsaved')) showQueueNotSaved();
    // What couldn't be sent is in the composers of the tabs.
    chat.composers.removeSent(currentId, question, true);
  }

  async #getQuestion(id: string): Promise<Question | undefined> {
    const { draft = '', composing } = this.#services.chat.find(id) ?? {};
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

  async #pickBots(): Promise<readonly [Bot, Bot] | undefined> {
    const { bots, conversations } = this.#services;
    const recent = await conversations.getRecentBots();
    const title = t('Ask Two Bots');
    const first = await pickBot(bots, { title, placeholder: t('Select the first bot'), recent });
    if (!first) return undefined;
    const placeholder = t('Select the second bot');
    const second = await pickBot(bots, { title, placeholder, recent, excluded: first.bot });
    if (!second) return undefined;
    if (!isSameBot(first.bot, second.bot)) return [first.bot, second.bot];
    void showInformation(t('Select two different bots.'));
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
