import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { ServiceConversations } from '../../chat/remote/serviceConversations';
import { filterConversations, groupConversations } from '../../shared/conversationGroups';
import { formatAge } from '../../shared/relativeTime';
import type { ConversationSummary, ServiceConversation } from '../../shared/viewModel';
import { createQuickPick, setItems } from '../base/dialogs';

const { t } = vscode.l10n;

/** ms that typing pauses before the service is asked for what it names. */
const TYPING_PAUSE = 300;

interface Item extends vscode.QuickPickItem {
  readonly conversation?: ConversationSummary;
  /** Of a conversation that isn't here. */
  readonly remoteId?: string;
}

interface Button extends vscode.QuickInputButton {
  readonly act: 'pin' | 'delete';
}

/** What a picked or pressed item leads to. */
export interface PickerActions {
  open(id: string): Promise<void>;
  openFromService(remoteId: string): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  delete(id: string): Promise<void>;
}

/** The list of conversations as a quick pick: those that are here by day, then the service's; an id of the service will do too. */
export async function pickConversation(
  chat: Chat,
  service: ServiceConversations,
  actions: PickerActions,
): Promise<void> {
  await chat.load();
  const pick = createQuickPick<Item>(
    t('Open Conversation'),
    t('Type to filter by name or bot, or an id of the service'),
  );
  let fromService: readonly ServiceConversation[] = [];
  let typing: ReturnType<typeof setTimeout> | undefined;
  let hidden = false;
  pick.matchOnDescription = true;

  const show = () => {
    const active = pick.activeItems[0]?.conversation?.id;
    setItems(pick, createItems(chat.list(), fromService, pick.value));
    const same = pick.items.find(({ conversation }) => active !== undefined && conversation?.id === active);
    if (same) pick.activeItems = [same];
  };
  const ask = async () => {
    const keyword = pick.value;
    pick.busy = true;
    const found = await service.list(keyword);
    if (hidden || keyword !== pick.value) return;
    pick.busy = false;
    // A list that is set anew forgets what the person chose in it.
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
      typing = setTimeout(() => void ask().catch(reject), TYPING_PAUSE);
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
      else if (item?.remoteId !== undefined) run(go(actions.openFromService(item.remoteId)));
    });
    pick.onDidHide(() => {
      hidden = true;
      clearTimeout(typing);
      pick.dispose();
      // What was chosen resolves it as well, or rejects it before.
      resolve();
    });
    show();
    pick.show();
    void ask().catch(reject);
  });
}

/** Items in the order of the panel's list. `typed`: an id is offered where nothing else has it. */
export function createItems(
  here: readonly ConversationSummary[],
  fromService: readonly ServiceConversation[],
  typed: string,
): Item[] {
  const now = Date.now();
  const groups = groupConversations(here, now, titles()).flatMap(({ title, conversations }) => [
    separator(title),
    ...conversations.map((each) => createItem(each, now)),
  ]);
  const service = fromService.map((each) => serviceItem(each, now));
  const id = typed.trim();
  const matches = filterConversations(here, id).length + filterConversations(fromService, id).length;
  const offer = matches === 0 && looksLikeId(id) ? [idItem(id)] : [];
  return [...groups, ...(service.length > 0 ? [separator(t('On the service')), ...service] : []), ...offer];
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
    detail: [formatAge(at, now, ages()), ...(unread ? [t('new reply')] : [])].join(' · '),
    ...(unread && { iconPath: new vscode.ThemeIcon('circle-filled') }),
    buttons,
  };
}

function serviceItem({ id, name, bot, at }: ServiceConversation, now: number): Item {
  return {
    remoteId: id,
    label: name || id,
    description: bot.name,
    iconPath: new vscode.ThemeIcon('cloud'),
    ...(at !== undefined && { detail: formatAge(at, now, ages()) }),
  };
}

function idItem(id: string): Item {
  return {
    remoteId: id,
    label: t('Open “{0}” from the service', id),
    iconPath: new vscode.ThemeIcon('cloud'),
    alwaysShow: true,
  };
}

/** Ids are numbers or random: a word that is only mistyped offers nothing. */
function looksLikeId(text: string): boolean {
  return /^[\w.:-]{1,200}$/.test(text) && /\d/.test(text);
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function titles() {
  const months = new Intl.DateTimeFormat(vscode.env.language, { month: 'long', year: 'numeric' });
  return {
    pinned: t('Pinned'),
    today: t('Today'),
    yesterday: t('Yesterday'),
    week: t('Previous 7 days'),
    month: t('Previous 30 days'),
    formatMonth: (at: number) => months.format(at),
  };
}

function ages(): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto', style: 'short' });
}
