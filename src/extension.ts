import * as vscode from 'vscode';
import { Chat } from './chat/chat';
import { Uploads } from './chat/uploads';
import { ConversationActions } from './host/actions/conversations';
import { askAboutSelection } from './host/actions/editor';
import { UploadActions } from './host/actions/uploads';
import { ApiKeys } from './host/apiKeys';
import { Bots } from './host/bots';
import { DraftMemory } from './host/draftMemory';
import { intentHandlers } from './host/intents';
import { Command, View } from './host/names';
import { Panel } from './host/panel';
import { connectService } from './host/service';
import { SetupGuide } from './host/setup';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Parley', { log: true });
  const keys = new ApiKeys(context.secrets);
  const connect = () => connectService(keys, log);
  const chat = new Chat(connect);
  const uploads = new Uploads(chat, connect);
  const bots = new Bots(context.globalState, connect);
  const drafts = new DraftMemory(context.workspaceState, chat);
  const setup = new SetupGuide(keys, bots, log);
  const panel = new Panel(context.extensionUri, { chat, setup, bots, drafts, log });
  const conversations = new ConversationActions({ chat, uploads, setup, panel });
  const uploading = new UploadActions({ chat, uploads, setup, panel });
  panel.handle(intentHandlers({ chat, uploads, setup, conversations, uploading, panel, log }));

  const current = () => panel.currentConversationId();
  const commands: { [K in keyof typeof Command]: (...args: unknown[]) => unknown } = {
    setApiKey: () => setup.askApiKey(),
    clearApiKey: () => setup.clearApiKey(),
    setBaseUrl: () => setup.askBaseUrl(),
    chooseBot: () => conversations.chooseDefaultBot(),
    newConversation: () => conversations.openNew(),
    openConversation: () => conversations.pick(),
    openInEditor: () => panel.openInEditor(),
    renameConversation: () => conversations.rename(current()),
    changeBot: () => conversations.changeBot(current()),
    deleteConversation: () => conversations.delete(current()),
    stop: () => chat.stop(current()),
    uploadFile: (clicked, selected) => uploading.uploadCommand(clicked, selected),
    askAboutSelection: () => askAboutSelection(chat, panel),
    showLog: () => log.show(),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(Command[name as keyof typeof Command], run));
  }
  context.subscriptions.push(
    ...[log, chat, uploads, setup, panel, drafts],
    vscode.window.registerWebviewViewProvider(View.chat, panel),
  );
}
