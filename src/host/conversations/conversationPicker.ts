import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { formatAge } from '../../shared/text/localeText';
import { filterConversations, groupConversations, selectListed } from '../../shared/view/conversationGroups';
import type { ConversationSummary, ServiceConversation } from '../../shared/view/viewModel';
import { createQuickPick, setItems } from '../base/dialogs';
import type { ConfiguredService } from '../service/serviceList';

const { t } = vscode.l10n;

/** Pause in typing after which the service is asked for matches. */
const TYPING_PAUSE_MS = 300;

interface Item extends vscode.QuickPickItem {
  readonly conversation?: ConversationSummary;
  /** Set for a conversation that only the service has. */
  readonly remoteId?: string;
  /** That of its service. */
  readonly baseUrl?: string | undefined;
}

interface Button extends vscode.QuickInputButton {
  readonly act: 'pin' | 'delete';
}

/** Actions of the picker's items and their buttons. */
export interface PickerActions {
  /** Returns the services' conversations that match a keyword and aren't here. */
  list(keyword: string): Promise<readonly ServiceConversation[]>;
  open(id: string): Promise<void>;
  openFromService(remoteId: string, baseUrl: string | undefined): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  delete(id: string): Promise<void>;
}

/**
 * Shows a quick pick of the conversations: the stored ones by day, then those that only the service has.
 * Accepts an ID of the service as well.
 */
export async function pickConversation(
  chat: Chat,
  services: readonly ConfiguredService[],
  actions: PickerActions,
): Promise<void> {
  await chat.load();
  const pick = createQuickPick<Item>(
    t('Open Conversation'),
    t('Type to filter by name or bot, or enter a conversation ID from the service'),
  );
  let fromService: readonly ServiceConversation[] = [];
  let typing: ReturnType<typeof setTimeout> | undefined;
  let hidden = false;
  pick.matchOnDescription = true;

  const show = () => {
    const active = pick.activeItems[0]?.conversation?.id;
    setItems(pick, createItems(chat.listConversations(), fromService, services, pick.value));
    const same = pick.items.find(({ conversation }) => active !== undefined && conversation?.id === active);
    if (same) pick.activeItems = [same];
  };
  const ask = async () => {
    const keyword = pick.value;
    pick.busy = true;
    const found = await actions.list(keyword);
    if (hidden || keyword !== pick.value) return;
    pick.busy = false;
    // Setting the items again would reset the active item.
    if (JSON.stringify(found) === JSON.stringify(fromService)) return;
    fromService = found;
    show();
  };
  const go = (action: Promise<void>) => {
    pick.hide();
    return action;
  };
  await new Promise<void>((resolve, reject) => {
    const run = (action: Promise<void>) => void action.then(resolve, reject);
    pick.onDidChangeValue(() => {
      clearTimeout(typing);
      typing = setTimeout(() => void ask().catch(reject), TYPING_PAUSE_MS);
      show();
    });
    pick.onDidTriggerItemButton(({ item: { conversation }, button }) => {
      if (!conversation) return;
      const { id, pinned } = conversation;
      if ((button as Button).act === 'delete') run(go(actions.delete(id)));
      else void actions.pin(id, !pinned).then(show, reject);
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.conversation) run(go(actions.open(item.conversation.id)));
      else if (item?.remoteId !== undefined) run(go(actions.openFromService(item.remoteId, item.baseUrl)));
    });
    pick.onDidHide(() => {
      hidden = true;
      clearTimeout(typing);
      pick.dispose();
      // No effect if the chosen action has already settled the promise.
      resolve();
    });
    show();
    pick.show();
    void ask().catch(reject);
  });
}

/**
 * Creates the items in the order of the panel's list; archived conversations only if something is typed. If nothing
 * matches `typed` and it looks like an ID, offers to open it.
 */
function createItems(
  stored: readonly ConversationSummary[],
  fromService: readonly ServiceConversation[],
  services: readonly ConfiguredService[],
  typed: string,
): Item[] {
  const now = Date.now();
  const listed = selectListed(stored, typed);
  const groups = groupConversations(listed, now, createGroupTitles()).flatMap(({ title, conversations }) => [
    createSeparator(title),
    ...conversations.map((conversation) => createItem(conversation, now)),
  ]);
  const hasSeveral = services.length > 1;
  const onServices = services.flatMap(({ baseUrl, name }) => {
    const found = fromService.filter(({ bot }) => bot.baseUrl === baseUrl);
    if (found.length === 0) return [];
    const title = hasSeveral ? t('On {0}', name) : t('On the service');
    return [createSeparator(title), ...found.map((conversation) => createServiceItem(conversation, now))];
  });
  const id = typed.trim();
  const matches = filterConversations(stored, id).length + filterConversations(fromService, id).length;
  const offer =
    matches === 0 && isPossibleId(id) ? services.map((service) => createIdItem(id, service, hasSeveral)) : [];
  return [...groups, ...onServices, ...offer];
}

function createItem(conversation: ConversationSummary, now: number): Item {
  const { name, bot, at, unread, pinned } = conversation;
  const buttons: Button[] = [
    pinned
      ? { act: 'pin', iconPath: new vscode.ThemeIcon('pinned'), tooltip: t('Unpin') }
      : { act: 'pin', iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Pin') },
    { act: 'delete', iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Delete') },
  ];
  return {
    conversation,
    label: name || t('New Conversation'),
    description: bot.name,
    detail: [formatAge(at, now, createAgeFormat()), ...(unread ? [t('new reply')] : [])].join(' · '),
    ...(unread && { iconPath: new vscode.ThemeIcon('circle-filled') }),
    buttons,
  };
}

function createServiceItem({ id, name, bot, at }: ServiceConversation, now: number): Item {
  return {
    remoteId: id,
    baseUrl: bot.baseUrl,
    label: name || id,
    description: bot.name,
    iconPath: new vscode.ThemeIcon('cloud'),
    ...(at !== undefined && { detail: formatAge(at, now, createAgeFormat()) }),
  };
}

function createIdItem(id: string, { baseUrl, name }: ConfiguredService, namesService: boolean): Item {
  return {
    remoteId: id,
    baseUrl,
    label: namesService ? t('Open “{0}” from {1}', id, name) : t('Open “{0}” from the service', id),
    iconPath: new vscode.ThemeIcon('cloud'),
    alwaysShow: true,
  };
}

/** Returns whether text may be an ID. IDs have digits: a mistyped word isn't offered. */
function isPossibleId(text: string): boolean {
  return /^[\w.:-]{1,200}$/.test(text) && /\d/.test(text);
}

function createSeparator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function createGroupTitles() {
  const months = new Intl.DateTimeFormat(vscode.env.language, { month: 'long', year: 'numeric' });
  return {
    pinned: t('Pinned'),
    today: t('Today'),
    yesterday: t('Yesterday'),
    week: t('Previous 7 days'),
    month: t('Previous 30 days'),
    archived: t('Archived'),
    formatMonth: (at: number) => months.format(at),
  };
}

function createAgeFormat(): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto', style: 'short' });
}
