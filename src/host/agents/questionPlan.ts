import * as vscode from 'vscode';
import { type Conversation, findBaseUrl } from '../../chat/model/conversation';
import type { Bot as ListedBot } from '../../client/models';
import { ServiceError } from '../../client/serviceError';
import { countCodePoints, MESSAGE_LIMIT } from '../../shared/conversation/message';
import type { Bot } from '../../shared/view/viewModel';
import { formatCount } from '../base/localizedText';
import type { ConfiguredService } from '../service/serviceList';
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
  /** The bot's name, with that of its service if there are several. */
  readonly botName: string;
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
    const { setup, bots } = services;
    const current = await setup.checkSetup();
    // Another service than the first may have one.
    if (bot === '' || !bots.serviceList.all.some((service) => setup.hasKey(service))) requireKey(current);
    const found = await findBotOfAnyService(services, bot);
    requireKey(await setup.checkSetup({ bot: found }));
    return { question, bot: found, botName: nameBot(services, found, found.baseUrl) };
  }
  const conversation = await findAgentConversation(services, conversationId);
  requireKey(await services.setup.checkSetup(conversation));
  const { bot: own } = conversation;
  return { question, bot: own, botName: nameBot(services, own, findBaseUrl(conversation)), conversation };
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

/** Returns whether an agent has asked in a conversation, or uploaded a document to it. */
export function isOfAgent({ turns }: Pick<Conversation, 'turns'>): boolean {
  return turns.some((turn) => turn.kind !== 'reply' && turn.via === 'tool');
}

/** What a service lists; nothing if it has no list, or didn't answer. */
export interface ListedService<T> {
  readonly service: ConfiguredService;
  readonly listed?: readonly T[];
  readonly failure?: ServiceError;
}

/** Gets a list of each service. Throws ServiceError if none of them answered. */
export async function listOfAll<T>(
  { bots }: Pick<PlanServices, 'bots'>,
  list: (baseUrl: string) => Promise<readonly T[] | undefined>,
): Promise<readonly ListedService<T>[]> {
  const lists = await Promise.all(
    bots.serviceList.all.map(async (service): Promise<ListedService<T>> => {
      try {
        const listed = await list(service.baseUrl);
        return { service, ...(listed && { listed }) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return { service, failure: error };
      }
    }),
  );
  const failures = lists.flatMap(({ failure }) => failure ?? []);
  if (failures[0] && failures.length === lists.length) throw failures[0];
  return lists;
}

/** Lists the bots of all services. Throws ServiceError if none of them answered. */
export function listAllBots(
  services: Pick<PlanServices, 'bots'>,
): Promise<readonly ListedService<ListedBot>[]> {
  return listOfAll(services, (baseUrl) => services.bots.listBots(baseUrl));
}

/**
 * Finds the bot of any service by ID or name, or by “NAME (SERVICE)”; without one, returns the default bot. Throws an
 * AgentRefusal, also if several services have the bot: a question must not reach another service than was meant.
 */
export async function findBotOfAnyService(services: Pick<PlanServices, 'bots'>, named: string): Promise<Bot> {
  const { bots } = services;
  if (named === '') {
    const bot = bots.getDefault();
    if (!bot) throw createNoBotRefusal();
    return bot;
  }
  const lists = await listAllBots(services);
  const all = lists.flatMap(({ service, listed = [] }) => listed.map((bot) => ({ bot, service })));
  const isName = (text: string) => text.toLowerCase() === named.toLowerCase();
  const isMatch: ((found: (typeof all)[number]) => boolean)[] = [
    ({ bot }) => bot.id === named,
    ({ bot }) => isName(bot.name),
    ({ bot, service }) => isName(qualify(bot.name, service)) || isName(qualify(bot.id, service)),
  ];
  const found = isMatch.map((matches) => all.filter(matches)).find((each) => each.length > 0) ?? [];
  const [match] = found;
  if (match && found.every(({ service }) => service === match.service))
    return bots.named(match.bot.id, match.service.baseUrl);
  if (match) {
    const names = found.map(({ bot, service }) => qualify(bot.name || bot.id, service)).join(', ');
    throw new AgentRefusal(t('Several services have a bot “{0}”. Choose one of: {1}', named, names));
  }
  const unlisted = lists.filter(({ listed, failure }) => !listed && !failure).map(({ service }) => service);
  for (const service of unlisted) {
    const suffix = qualify('', service);
    if (isName(`${named.slice(0, -suffix.length)}${suffix}`) && named.length > suffix.length)
      return bots.named(named.slice(0, -suffix.length), service.baseUrl);
  }
  if (unlisted[0] && unlisted.length === 1) return bots.named(named, unlisted[0].baseUrl);
  const failure = lists.find((each) => each.failure)?.failure;
  if (failure) throw failure;
  const names = all
    .map(({ bot: { name, id }, service }) => (lists.length > 1 ? qualify(name || id, service) : name))
    .join(', ');
  throw new AgentRefusal(t('Bot “{0}” not found. Available bots: {1}', named, names));
}

/** Names a bot as the user is asked about it: they must see which service gets the question. */
function nameBot({ bots }: Pick<PlanServices, 'bots'>, { name }: Bot, baseUrl: string | undefined): string {
  const { all } = bots.serviceList;
  const service = all.length > 1 ? bots.serviceList.find(baseUrl) : undefined;
  return service ? qualify(name, service) : name;
}

function qualify(bot: string, { name }: ConfiguredService): string {
  return `${bot} (${name})`;
}
