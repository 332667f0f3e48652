import * as vscode from 'vscode';
import { Chat } from './chat/chat';
import { Sources } from './chat/sources';
import { Uploads } from './chat/uploads';
import { ChangeReview } from './host/actions/changeReview';
import { ConversationActions } from './host/actions/conversations';
import { ExportActions } from './host/actions/export';
import { UploadActions } from './host/actions/uploads';
import { ApiKeys } from './host/apiKeys';
import { Bots } from './host/bots';
import { registerCommands } from './host/commands';
import { ConversationDocuments } from './host/conversationDocuments';
import { DraftMemory } from './host/draftMemory';
import { intentHandlers } from './host/intents';
import { Links } from './host/links';
import { CONVERSATION_SCHEME, View } from './host/names';
import { Panel } from './host/panel';
import { connectService } from './host/service';
import { SetupGuide } from './host/setup';
import { CodeThemes } from './host/theme/codeThemes';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Parley', { log: true });
  const keys = new ApiKeys(context.secrets);
  const connect = () => connectService(keys, log);
  const chat = new Chat(connect);
  const uploads = new Uploads(chat, connect);
  const sources = new Sources(chat, connect);
  const bots = new Bots(context.globalState, connect);
  const drafts = new DraftMemory(context.workspaceState, chat);
  const setup = new SetupGuide(keys, bots, log);
  const codeThemes = new CodeThemes(log);
  const panel = new Panel(context.extensionUri, { chat, setup, codeThemes, bots, drafts, log });
  const conversations = new ConversationActions({ chat, uploads, setup, panel });
  const uploading = new UploadActions({ chat, uploads, setup, panel });
  const exporting = new ExportActions({ chat, panel });
  const documents = new ConversationDocuments(chat, CONVERSATION_SCHEME);
  const review = new ChangeReview();
  const services = {
    chat,
    uploads,
    setup,
    panel,
    conversations,
    uploading,
    exporting,
    documents,
    review,
    log,
  };
  panel.handle(intentHandlers(services));
  context.subscriptions.push(
    ...[log, chat, uploads, sources, setup, codeThemes, panel, drafts, documents, review],
    registerCommands(services),
    vscode.window.registerUriHandler(new Links(services)),
    vscode.window.registerWebviewViewProvider(View.chat, panel),
  );
}
