import * as vscode from 'vscode';
import type { Chat } from '../../chat/conversations/chat';
import { showWarning } from '../base/dialogs';
import { EXTENSION_ID, SET_UP_PATH } from '../base/names';
import type { Panel } from '../panel/panel';
import type { ServiceActions } from '../services/serviceActions';
import type { ConversationActions } from './conversationActions';

const { t } = vscode.l10n;

/**
 * Creates a link that opens the conversation in VS Code on this machine:
 * `vscode://parley.parley/conversation/ID`.
 */
export function createLink(conversationId: string): string {
  const path = `/conversation/${conversationId}`;
  return vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: EXTENSION_ID, path }).toString();
}

/** Handles links. They are untrusted: they only open conversations that are stored here, or ask whether to add a service. */
export class Links implements vscode.UriHandler {
  readonly #chat: Pick<Chat, 'load' | 'getSummary'>;
  readonly #panel: Pick<Panel, 'open'>;
  readonly #conversations: Pick<ConversationActions, 'pick'>;
  readonly #getServiceActions: () => Promise<Pick<ServiceActions, 'connect'>>;

  constructor(services: {
    chat: Pick<Chat, 'load' | 'getSummary'>;
    panel: Pick<Panel, 'open'>;
    conversations: Pick<ConversationActions, 'pick'>;
    getServiceActions: () => Promise<Pick<ServiceActions, 'connect'>>;
  }) {
    this.#chat = services.chat;
    this.#panel = services.panel;
    this.#conversations = services.conversations;
    this.#getServiceActions = services.getServiceActions;
  }

  async handleUri({ path, query, fragment }: vscode.Uri): Promise<void> {
    if (path === SET_UP_PATH) return (await this.#getServiceActions()).connect(query, fragment);
    const id = /^\/conversation\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined) await this.#chat.load();
    if (id !== undefined && this.#chat.getSummary(id)) return this.#panel.open(id);
    const another = t('Open Conversation…');
    const choice = await showWarning(t('The conversation in the link isn’t on this machine.'), another);
    if (choice === another) await this.#conversations.pick();
  }
}
