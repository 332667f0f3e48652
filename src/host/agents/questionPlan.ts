import * as vscode from 'vscode';
import type { Conversation } from '../../chat/model/conversation';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { Bot } from '../../shared/view/viewModel';
import { formatCount } from '../base/localizedText';
import type { AgentServices } from './ask';
import { AgentRefusal, createNoBotRefusal, requireKey } from './refusal';

const { t } = vscode.l10n;

/** What an agent wants to ask. An empty `bot` is the default one, an empty `conversationId` a new conversation. */
export interface AgentQuestion {
  readonly question: string;
  readonly bot: string;
  readonly conversationId: string;
}

export interface QuestionPlan {
  readonly question: string;
  readonly bot: Bot;
  /** The conversation to continue; without it, a new one is created. */
  readonly conversation?: Conversation;
}

type PlanServices = Pick<AgentServices, 'chat' | 'setup' | 'bots'>;

/** Finds what a question needs. Throws an AgentRefusal if it can't be asked. */
export async function createQuestionPlan(
  services: PlanServices,
  { question, bot, conversationId }: AgentQuestion,
): Promise<QuestionPlan> {
  const length = countCodePoints(question);
  if (length > MESSAGE_LIMIT) {
    throw new AgentRefusal(
      t(
        'The question is {0} characters long; the limit is {1}. Nothing was sent.',
        formatCount(length),
        formatCount(MESSAGE_LIMIT),
      ),
    );
  }
  if (conversationId === '') {
    requireKey(await services.setup.refresh());
    return { question, bot: await findBot(services, bot) };
  }
  const conversation = await findAgentConversation(services, conversationId);
  requireKey(await services.setup.refresh(conversation));
  return { question, bot: conversation.bot, conversation };
}

/** Finds a conversation that agents may continue: not the user's own. Throws an AgentRefusal. */
export async function findAgentConversation(
  { chat }: Pick<PlanServices, 'chat'>,
  id: string,
): Promise<Conversation & { readonly bot: Bot }> {
  const conversation = await chat.openWhole(id);
  if (!conversation?.bot || !isOfAgent(conversation)) {
    throw new AgentRefusal(t('Conversation not found. Nothing was sent.'));
  }
  return { ...conversation, bot: conversation.bot };
}

/** Returns whether an agent has asked in a conversation. */
export function isOfAgent({ turns }: Pick<Conversation, 'turns'>): boolean {
  return turns.some((turn) => turn.kind === 'message' && turn.via === 'tool');
}

/** Finds the bot by id or name; without one, returns the default bot. Throws an AgentRefusal. */
export async function findBot({ bots }: Pick<PlanServices, 'bots'>, named: string): Promise<Bot> {
  if (named === '') {
    const bot = bots.getDefault();
    if (!bot) throw createNoBotRefusal();
    return bot;
  }
  const listed = await bots.list();
  if (!listed) return bots.named(named);
  const bot =
    listed.find(({ id }) => id === named) ??
    listed.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (bot) return bots.named(bot.id);
  const names = listed.map(({ name }) => name).join(', ');
  throw new AgentRefusal(t('Bot “{0}” not found. Available bots: {1}', named, names));
}
