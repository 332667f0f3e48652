import * as vscode from 'vscode';
import { toFailure } from '../../chat/model/failure';
import type { Bot as ListedBot } from '../../client/models';
import { isBlank } from '../../client/plainText';
import type { Bot } from '../../shared/view/viewModel';
import { createQuickPick, setItems, showInputBox, showWarning } from '../base/dialogs';
import type { Bots } from './bots';
import { formatFailure } from './failureText';

const { t } = vscode.l10n;

/** Limit on recently used bots that are listed first. */
const MAX_RECENT = 5;
const FORK_ICON = 'repo-forked';

export interface BotPickerOptions {
  readonly title: string;
  readonly placeholder?: string;
  /** The bots used before, most recent first. */
  readonly recent: readonly Bot[];
  /** The bot in use, which is marked. */
  readonly current?: Bot;
  /** A bot that isn't listed. */
  readonly excluded?: Bot;
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

/**
 * Asks for a bot: the recent ones and, once the service has answered, all others. Without any bot to list, asks
 * for an id. Resolves to undefined if it was canceled.
 */
export async function pickBot(bots: Bots, options: BotPickerOptions): Promise<BotChoice | undefined> {
  const { item, ...place } = await showPicker(bots, options);
  if (item?.action === 'newConversation' || item?.action === 'fork') {
    const { offersNew, offersFork, current, ...rest } = options;
    const isFork = item.action === 'fork';
    const title = isFork ? t('Fork With…') : t('New Conversation With…');
    const choice = await pickBot(bots, { ...rest, title });
    return choice && { ...choice, ...(isFork ? { isFork } : { isNew: true }) };
  }
  const bot = item?.action === 'enterId' ? await askBotId(bots, options.title) : item?.bot;
  return bot && { bot, ...place };
}

/** Creates the items: recent bots first. Without the service's list (`listed`), only those. */
export function createBotItems(
  listed: readonly ListedBot[] | undefined,
  { recent, current, excluded, offersNew, offersFork }: Omit<BotPickerOptions, 'title' | 'placeholder'>,
): BotItem[] {
  const toItem = ({ id, name, model }: ListedBot): BotItem => ({
    label: name,
    description: [id === current?.id ? t('current') : '', model ?? '', name === id ? '' : id]
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
    bot: { id, name },
  });
  const recentIds = [...new Set(recent.map(({ id }) => id))].slice(0, MAX_RECENT);
  const known = (listed ?? recent)
    .filter(({ id }) => id !== excluded?.id)
    // A name that can't be seen is as good as none.
    .map((bot) => (isBlank(bot.name) ? { ...bot, name: bot.id } : bot));
  const first = recentIds.flatMap((id) => known.find((bot) => bot.id === id) ?? []);
  const others = listed ? known.filter(({ id }) => !recentIds.includes(id)) : [];
  return [
    ...(first.length > 0 ? [createSeparator(t('Recently used')), ...first.map(toItem)] : []),
    ...(others.length > 0
      ? [...(first.length > 0 ? [createSeparator(t('Other bots'))] : []), ...others.map(toItem)]
      : []),
    ...(first.length + others.length > 0 ? [createSeparator('')] : []),
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
  const show = (listed: readonly ListedBot[] | undefined) => {
    const items = createBotItems(listed, options);
    // Setting the items again would move the active item back if an arrow key is just on its way.
    const json = JSON.stringify(items);
    if (json === shown) return;
    shown = json;
    const [active] = pick.activeItems;
    setItems(pick, items);
    const same = pick.items.find(
      ({ bot, action }) => active && bot?.id === active.bot?.id && action === active.action,
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
    // Otherwise Enter, pressed before the bots are there, would ask for an id.
    const known = bots.getLastListed();
    if (known || options.recent.length > 0) show(known);
    pick.busy = true;
    pick.show();
    listBots(bots).then((listed) => {
      if (hidden) return;
      pick.busy = false;
      if (listed && listed.length > 0) show(listed);
      else if (options.recent.length === 0) end({ item: { label: '', action: 'enterId' } });
    }, reject);
  });
}

async function listBots(bots: Bots): Promise<readonly ListedBot[] | undefined> {
  try {
    return await bots.list();
  } catch (error) {
    // The id can still be entered; the first message shows whether it is valid.
    void showWarning(formatFailure(toFailure(error, Date.now())));
    return undefined;
  }
}

async function askBotId(bots: Bots, title: string): Promise<Bot | undefined> {
  const id = await showInputBox({ title, prompt: t('The bot’s ID'), ignoreFocusOut: true });
  return id?.trim() ? bots.named(id.trim()) : undefined;
}

function createSeparator(label: string): BotItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
