import * as vscode from 'vscode';
import { type Conversation, findBaseUrl, isUnusedConversation } from '../../chat/model/conversation';
import { toFailure } from '../../chat/model/failure';
import type { Bot as ListedBot } from '../../client/models';
import { isBlank } from '../../client/plainText';
import type { Bot } from '../../shared/view/viewModel';
import {
  createQuickPick,
  pickOne,
  setItems,
  showInformation,
  showInputBox,
  showWarning,
} from '../base/dialogs';
import { type Bots, isSameBot } from './bots';
import { formatFailure } from './failureText';
import type { ConfiguredService } from './serviceList';

const { t } = vscode.l10n;

/** Limit on recently used bots that are listed first. */
const MAX_RECENT = 5;
const FORK_ICON = 'repo-forked';

export interface BotPickerOptions {
  readonly title: string;
  readonly placeholder?: string;
  /** The bots used before, most recent first. */
  readonly recent: readonly Bot[];
  /** The bot that the workspace names for the active file, listed first, and the glob that says so. */
  readonly suggested?: { readonly bot: Bot; readonly glob: string };
  /** The bot in use, which is marked. */
  readonly current?: Bot;
  /** A bot that isn't listed. */
  readonly excluded?: Bot;
  /** Only offers bots of this service. */
  readonly baseUrl?: string | undefined;
  /** Also offers to start a new conversation with a bot. */
  readonly offersNew?: boolean;
  /** Also offers to fork the conversation with a bot. */
  readonly offersFork?: boolean;
}

export interface BotChoice {
  readonly bot: Bot;
  /** Whether it is for a new conversation. */
  readonly isNew?: true;
  /** Whether it is for a fork of the conversation. */
  readonly isFork?: true;
}

export interface BotItem extends vscode.QuickPickItem {
  readonly bot?: Bot;
  readonly action?: 'enterId' | 'newConversation' | 'fork';
}

/** A service, and what it lists; undefined as long as it hasn't answered, or if it has no list. */
export interface ServiceBots {
  readonly service: Pick<ConfiguredService, 'baseUrl' | 'name'>;
  readonly listed: readonly ListedBot[] | undefined;
}

/**
 * Asks for a bot: the recent ones and, once the service has answered, all others. Without any bot to list, asks
 * for an ID. Resolves to undefined if it was canceled.
 */
export async function pickBot(bots: Bots, options: BotPickerOptions): Promise<BotChoice | undefined> {
  const { item, ...place } = await showPicker(bots, options);
  if (item?.action === 'newConversation' || item?.action === 'fork') {
    const { offersNew, offersFork, current, baseUrl, ...rest } = options;
    const isFork = item.action === 'fork';
    const title = isFork ? t('Fork With…') : t('New Conversation With…');
    const choice = await pickBot(bots, { ...rest, title });
    return choice && { ...choice, ...(isFork ? { isFork } : { isNew: true }) };
  }
  const bot = item?.action === 'enterId' ? await askBotId(bots, options) : item?.bot;
  return bot && { bot, ...place };
}

/** Asks for two different bots, in their order; resolves to undefined if it was canceled, or both are the same. */
export async function pickTwoBots(
  bots: Bots,
  title: string,
  recent: readonly Bot[],
): Promise<readonly [Bot, Bot] | undefined> {
  const first = await pickBot(bots, { title, placeholder: t('Select the first bot'), recent });
  if (!first) return undefined;
  const placeholder = t('Select the second bot');
  const second = await pickBot(bots, { title, placeholder, recent, excluded: first.bot });
  if (!second) return undefined;
  if (!isSameBot(first.bot, second.bot)) return [first.bot, second.bot];
  void showInformation(t('Select two different bots.'));
  return undefined;
}

interface ProposalServices {
  readonly bots: Bots;
  readonly setup: { readonly hasReadyService: boolean; checkSetup(): Promise<unknown> };
  readonly remote: { changeBot(conversationId: string, bot: Bot): Promise<void> };
}

/**
 * Asks whether a new conversation gets the bot that the workspace names for a file, unless it has that bot or something in
 * it already. Resolves to false if it was canceled.
 */
export async function proposeBot(
  { bots, setup, remote }: ProposalServices,
  conversation: Conversation,
  suggested: NonNullable<BotPickerOptions['suggested']>,
  getRecentBots: () => Promise<readonly Bot[]>,
): Promise<boolean> {
  const baseUrl = findBaseUrl(conversation) ?? bots.serviceList.first?.baseUrl;
  const current = conversation.bot && { ...conversation.bot, ...(baseUrl !== undefined && { baseUrl }) };
  if (!hasNothing(conversation) || (current && isSameBot(suggested.bot, current))) return true;
  await setup.checkSetup();
  if (!setup.hasReadyService) return true;
  const choice = await pickBot(bots, {
    title: t('New Conversation'),
    placeholder: t('Select a bot for the new conversation'),
    recent: [...(current ? [current] : []), ...(await getRecentBots())],
    suggested,
    ...(current && { current }),
  });
  if (!choice) return false;
  if (!(current && isSameBot(choice.bot, current))) await remote.changeBot(conversation.id, choice.bot);
  return true;
}

/** Returns whether a conversation is new, without messages, documents, a draft or context. */
function hasNothing(conversation: Conversation): boolean {
  const { draft, composing } = conversation;
  return isUnusedConversation(conversation) && draft.trim() === '' && (composing?.context ?? []).length === 0;
}

/**
 * Creates the items: recent bots first, then those of each service. Without the list of any service, only the recent
 * ones. Bots without a base URL are of the first service.
 */
export function createBotItems(
  services: readonly ServiceBots[],
  {
    recent,
    suggested,
    current,
    excluded,
    offersNew,
    offersFork,
  }: Omit<BotPickerOptions, 'title' | 'placeholder'>,
): BotItem[] {
  const names = new Map(services.map(({ service }) => [service.baseUrl, service.name]));
  const first = services[0]?.service.baseUrl;
  const withService = (bot: ListedBot & Bot): ListedBot & Bot =>
    bot.baseUrl === undefined && first !== undefined ? { ...bot, baseUrl: first } : bot;
  const isSame = (bot: Bot, other: Bot | undefined) =>
    other !== undefined && isSameBot(bot, withService(other));
  const isOffered = (bot: Bot) =>
    !isSame(bot, excluded) && (bot.baseUrl === undefined || names.has(bot.baseUrl));
  const toItem = (bot: ListedBot & Bot, serviceName: string, reason = ''): BotItem => ({
    label: bot.name,
    description: [
      reason,
      isSame(bot, current) ? t('current') : '',
      serviceName,
      bot.model ?? '',
      bot.name === bot.id ? '' : bot.id,
    ]
      .filter((part) => part !== '')
      .join(' · '),
    buttons: [
      ...(offersNew
        ? [{ iconPath: new vscode.ThemeIcon('add'), tooltip: t('New Conversation with This Bot') }]
        : []),
      ...(offersFork
        ? [{ iconPath: new vscode.ThemeIcon(FORK_ICON), tooltip: t('Fork with This Bot') }]
        : []),
    ],
    bot: { id: bot.id, name: bot.name, ...(bot.baseUrl !== undefined && { baseUrl: bot.baseUrl }) },
  });
  // A name that can't be seen is as good as none.
  const withVisibleName = <T extends Bot>(bot: T): T => (isBlank(bot.name) ? { ...bot, name: bot.id } : bot);
  const groups = services.map(({ service, listed }) => ({
    service,
    bots: listed?.map((bot) => withVisibleName({ ...bot, baseUrl: service.baseUrl })),
  }));
  const forFile =
    suggested && isOffered(suggested.bot) ? withService(withVisibleName(suggested.bot)) : undefined;
  const used = recent.map((bot) => withService(withVisibleName(bot)));
  const recentBots = used
    .filter((bot) => !isSame(bot, forFile))
    .filter((bot, at, all) => isOffered(bot) && all.findIndex((other) => isSameBot(bot, other)) === at)
    .slice(0, MAX_RECENT)
    .flatMap((bot) => {
      const group = groups.find(({ service }) => service.baseUrl === bot.baseUrl);
      return group?.bots ? (group.bots.find((other) => isSameBot(bot, other)) ?? []) : bot;
    });
  const others = groups.map(({ service, bots = [] }) => ({
    service,
    bots: bots.filter(
      (bot) => isOffered(bot) && !isSame(bot, forFile) && !recentBots.some((other) => isSameBot(bot, other)),
    ),
  }));
  const isGrouped = services.length > 1;
  const toSuggestion = (bot: ListedBot & Bot) => [
    createSeparator(t('Suggested for this file')),
    toItem(bot, isGrouped ? (names.get(bot.baseUrl ?? '') ?? '') : '', t('for {0}', suggested?.glob ?? '')),
  ];
  const known = (forFile ? 1 : 0) + recentBots.length + others.flatMap(({ bots }) => bots).length;
  return [
    ...(forFile ? toSuggestion(forFile) : []),
    ...(recentBots.length > 0 ? [createSeparator(t('Recently used'))] : []),
    ...recentBots.map((bot) => toItem(bot, isGrouped ? (names.get(bot.baseUrl ?? '') ?? '') : '')),
    ...others.flatMap(({ service, bots }) => {
      if (bots.length === 0) return [];
      const title = isGrouped ? service.name : recentBots.length > 0 || forFile ? t('Other bots') : undefined;
      return [
        ...(title === undefined ? [] : [createSeparator(title)]),
        ...bots.map((bot) => toItem(bot, '')),
      ];
    }),
    ...(known > 0 ? [createSeparator('')] : []),
    ...(offersNew
      ? [{ label: t('New Conversation With…'), alwaysShow: true, action: 'newConversation' as const }]
      : []),
    ...(offersFork ? [{ label: t('Fork With…'), alwaysShow: true, action: 'fork' as const }] : []),
    { label: t('Enter a Bot ID…'), alwaysShow: true, action: 'enterId' },
  ];
}

function showPicker(
  bots: Bots,
  options: BotPickerOptions,
): Promise<Omit<BotChoice, 'bot'> & { readonly item?: BotItem | undefined }> {
  const pick = createQuickPick<BotItem>(options.title, options.placeholder ?? t('Select a bot'));
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  let shown: string | undefined;
  const services = selectServices(bots, options);
  const show = (lists: readonly ServiceBots[]) => {
    const items = createBotItems(lists, options);
    // Setting the items again would move the active item back if an arrow key is just on its way.
    const json = JSON.stringify(items);
    if (json === shown) return;
    shown = json;
    const [active] = pick.activeItems;
    setItems(pick, items);
    const same = pick.items.find(
      ({ bot, action }) =>
        active &&
        bot?.id === active.bot?.id &&
        bot?.baseUrl === active.bot?.baseUrl &&
        action === active.action,
    );
    if (same) pick.activeItems = [same];
  };
  return new Promise((resolve, reject) => {
    let hidden = false;
    const end = (result: Omit<BotChoice, 'bot'> & { item?: BotItem | undefined }) => {
      resolve(result);
      pick.hide();
    };
    pick.onDidAccept(() => end({ item: pick.selectedItems[0] }));
    pick.onDidTriggerItemButton(({ item, button: { iconPath } }) => {
      const isFork = iconPath instanceof vscode.ThemeIcon && iconPath.id === FORK_ICON;
      end({ item, ...(isFork ? { isFork } : { isNew: true }) });
    });
    pick.onDidHide(() => {
      hidden = true;
      pick.dispose();
      // No effect if something was chosen.
      resolve({});
    });
    // Otherwise Enter, pressed before the bots are there, would ask for an ID.
    const lists = services.map((service) => ({ service, listed: bots.getLastListed(service.baseUrl) }));
    if (lists.some(({ listed }) => listed) || options.recent.length > 0 || options.suggested) show(lists);
    pick.busy = true;
    pick.show();
    const loading = services.map(async (service, at) => {
      const listed = await listBots(bots, service.baseUrl);
      if (hidden || !listed || listed.length === 0) return;
      lists[at] = { service, listed };
      show(lists);
    });
    Promise.all(loading).then(() => {
      if (hidden) return;
      pick.busy = false;
      if (lists.some(({ listed }) => listed && listed.length > 0)) return;
      if (options.recent.length === 0) end({ item: { label: '', action: 'enterId' } });
    }, reject);
  });
}

/** Returns the services whose bots are offered: those that are set up, or only the one of the options. */
function selectServices(
  bots: Bots,
  { baseUrl }: Pick<BotPickerOptions, 'baseUrl'>,
): readonly ConfiguredService[] {
  const { all } = bots.serviceList;
  return baseUrl === undefined ? all : all.filter((service) => service.baseUrl === baseUrl);
}

async function listBots(bots: Bots, baseUrl: string): Promise<readonly ListedBot[] | undefined> {
  try {
    return await bots.listBots(baseUrl);
  } catch (error) {
    // The ID can still be entered; the first message shows whether it is valid.
    void showWarning(formatFailure(toFailure(error, Date.now()), baseUrl));
    return undefined;
  }
}

async function askBotId(bots: Bots, options: BotPickerOptions): Promise<Bot | undefined> {
  const { title } = options;
  const services = selectServices(bots, options);
  const service =
    services.length > 1
      ? await pickOne(
          services.map(({ name, host, baseUrl }) => ({ label: name, description: host, baseUrl })),
          { title, placeHolder: t('Select the bot’s service'), ignoreFocusOut: true },
        )
      : services[0];
  if (!service) return undefined;
  const id = await showInputBox({ title, prompt: t('The bot’s ID'), ignoreFocusOut: true });
  return id?.trim() ? bots.named(id.trim(), service.baseUrl) : undefined;
}

function createSeparator(label: string): BotItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
