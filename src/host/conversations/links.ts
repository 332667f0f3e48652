import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import type { Conversation } from '../../chat/model/conversation';
import { confirm, showInformation, showWarning } from '../base/dialogs';
import { SET_UP_PATH } from '../base/names';
import type { Panel } from '../panel/panel';
import type { ServiceList } from '../service/serviceList';
import type { ServiceActions } from '../setUp/serviceActions';
import type { ConversationActions } from './conversationActions';
import { type ConversationLink, createConversationLink, parseConversationLink } from './conversationLink';

const { t } = vscode.l10n;

/** Creates a link to a conversation, or to one of its turns. Colleagues can open it if the conversation is on a service. */
export function createLink(conversation: Conversation, turnId?: string): string {
  const { id, name, remote, turns } = conversation;
  const turn = turns.find((each) => each.id === turnId);
  if (!remote || remote.gone)
    return createConversationLink(vscode.env.uriScheme, {
      localId: id,
      ...(turn && { turnId: turn.id }),
    });
  const remoteTurnId = turn && 'remoteId' in turn ? turn.remoteId : undefined;
  return createConversationLink(vscode.env.uriScheme, {
    remote: { baseUrl: remote.baseUrl, id: remote.id },
    name,
    ...(turn && { turnId: remoteTurnId ?? turn.id }),
  });
}

interface Services {
  readonly chat: Chat;
  readonly panel: Panel;
  readonly conversations: ConversationActions;
  readonly serviceList: ServiceList;
  readonly getServiceActions: () => Promise<ServiceActions>;
}

/**
 * Handles links. They are untrusted: they open conversations that are stored here, put a text into the composer, or ask
 * first. They never send a message.
 */
export class Links implements vscode.UriHandler {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async handleUri({ path, query, fragment }: vscode.Uri): Promise<void> {
    if (path === SET_UP_PATH) {
      await (await this.#services.getServiceActions()).connect(query, fragment);
      return;
    }
    const link = parseConversationLink(path, query);
    if (!link) return this.#reject(t('The link doesn’t name a conversation.'));
    const { chat, panel } = this.#services;
    await chat.load();
    const isPromptOnly = link.localId === undefined && !link.remote;
    const id = isPromptOnly ? await panel.getCurrentConversationId() : this.#find(link);
    if (id !== undefined) return this.#open(id, link);
    if (!link.remote) return this.#reject(t('The conversation in the link isn’t on this machine.'));
    await this.#openFromService(link, link.remote);
  }

  /** Returns the ID here of a link's conversation. */
  #find({ localId, remote }: ConversationLink): string | undefined {
    const { chat } = this.#services;
    if (remote) return chat.getIdsByRemoteId(remote.baseUrl).get(remote.id);
    return localId !== undefined && chat.getSummary(localId) ? localId : undefined;
  }

  /** Opens a conversation that isn't here, once the user agrees; asks whether to connect to its service first. */
  async #openFromService(
    link: ConversationLink,
    { baseUrl, id }: NonNullable<ConversationLink['remote']>,
  ): Promise<void> {
    const { serviceList, conversations, getServiceActions } = this.#services;
    if (!serviceList.find(baseUrl)) {
      const query = String(new URLSearchParams({ url: baseUrl }));
      if (!(await (await getServiceActions()).connect(query))) return;
    } else {
      const { host } = new URL(baseUrl);
      const open = t('Open');
      const details = [t('Parley asks the service for the conversation and its messages.')];
      const question =
        link.name === undefined
          ? t('Open a conversation from {0}?', host)
          : t('Open “{0}” from {1}?', link.name, host);
      if ((await confirm(question, details, open)) !== open) return;
    }
    await conversations.openFromService(id, baseUrl, (localId) => this.#open(localId, link));
  }

  async #open(id: string, { turnId, prompt }: ConversationLink): Promise<void> {
    const { chat, panel } = this.#services;
    const conversation = turnId === undefined ? await chat.openConversation(id) : await chat.openWhole(id);
    const turn = conversation?.turns.find(
      (each) => each.id === turnId || ('remoteId' in each && each.remoteId === turnId),
    );
    if (conversation && prompt !== undefined) chat.composers.appendToDraft(id, prompt);
    await panel.showConversation(id, turn?.id);
    if (turnId !== undefined && !turn)
      void showInformation(t('The message in the link isn’t here any more.'));
  }

  async #reject(reason: string): Promise<void> {
    const another = t('Open Conversation…');
    if ((await showWarning(reason, another)) === another) await this.#services.conversations.pick();
  }
}
