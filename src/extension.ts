import * as vscode from 'vscode';
import { Chat } from './chat/chat';
import { DocumentStatus } from './chat/documentStatus';
import { History } from './chat/history';
import { Remote } from './chat/remote';
import { Replies } from './chat/replies';
import { ServiceConversations } from './chat/serviceConversations';
import { Sources } from './chat/sources';
import { Uploads } from './chat/uploads';
import { ChangeReview } from './host/actions/changeReview';
import { ConversationActions } from './host/actions/conversations';
import { ExportActions } from './host/actions/export';
import { registerAgents } from './host/agents/registerAgents';
import { ApiKeys } from './host/apiKeys';
import { Bots } from './host/bots';
import { registerCommands } from './host/commands';
import { ContextActions } from './host/context/contextActions';
import { offerAtProblems } from './host/context/problemLightbulb';
import { ConversationDocuments } from './host/conversationDocuments';
import { createSending } from './host/createSending';
import { ChangedFiles } from './host/documents/changedFiles';
import { DocumentFiles } from './host/documents/documentFiles';
import { intentHandlers } from './host/intents';
import { Links } from './host/links';
import { logError } from './host/log';
import { CONVERSATION_SCHEME, View } from './host/names';
import { Panel } from './host/panel';
import { Quota } from './host/quota';
import { connectService } from './host/service';
import { SetupGuide } from './host/setup';
import { Reachability } from './host/status/reachability';
import { showStatus } from './host/status/status';
import { openStore } from './host/store';
import { CodeThemes } from './host/theme/codeThemes';
import { UploadActions } from './host/uploads/uploadActions';

let close: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Parley', { log: true });
  const keys = new ApiKeys(context.secrets);
  const quota = new Quota(context.globalState);
  const reachability = new Reachability();
  const connect = () => connectService(keys, quota, reachability, log);
  const store = openStore(context.globalStorageUri, log);
  const chat = new Chat(store, (error) => logError(log, error));
  const remote = new Remote(chat, connect);
  const replies = new Replies(chat, remote, connect);
  const uploads = new Uploads(chat, remote, connect);
  const sources = new Sources(chat, connect);
  const bots = new Bots(context.globalState, connect);
  const history = new History(chat, remote, connect, (error) => logError(log, error));
  const fromService = new ServiceConversations(chat, history, connect, bots);
  const memory = context.workspaceState;
  const setup = new SetupGuide(keys, bots, log);
  const codeThemes = new CodeThemes(log);
  const panel = new Panel(context.extensionUri, {
    chat,
    remote,
    setup,
    quota,
    codeThemes,
    bots,
    memory,
    log,
  });
  const conversations = new ConversationActions({
    chat,
    remote,
    replies,
    history,
    fromService,
    uploads,
    setup,
    panel,
    log,
  });
  const files = new DocumentFiles(chat, uploads);
  const status = new DocumentStatus(chat, connect, (error) => logError(log, error));
  const changed = new ChangedFiles(chat, files, log);
  const uploading = new UploadActions({ chat, uploads, setup, panel });
  const exporting = new ExportActions({ chat, panel });
  const documents = new ConversationDocuments(chat, CONVERSATION_SCHEME);
  const review = new ChangeReview();
  const sending = createSending({ chat, replies, uploads });
  const composing = new ContextActions({ chat, panel });
  const services = {
    chat,
    sending,
    context: composing,
    uploads,
    setup,
    panel,
    conversations,
    fromService,
    uploading,
    files,
    exporting,
    documents,
    review,
    log,
  };
  panel.handle(intentHandlers(services));
  context.subscriptions.push(
    ...[log, quota, sources, status, changed, setup, codeThemes, panel, documents, review],
    panel.onDidChangeShown((shown) => status.show(shown)),
    panel.onDidChangeShown((shown) => changed.show(shown)),
    panel.onDidChangeShown((shown) => history.show(shown)),
    registerCommands(services),
    registerAgents({ chat, replies, sources, setup, bots }),
    showStatus({ chat, setup, quota, reachability, panel }),
    offerAtProblems(),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) chat.refresh().catch((error: unknown) => logError(log, error));
    }),
    vscode.window.registerUriHandler(new Links(services)),
    vscode.window.registerWebviewViewProvider(View.chat, panel),
    vscode.window.registerWebviewPanelSerializer(View.editor, panel),
  );
  close = async () => {
    history.dispose();
    uploads.dispose();
    await Promise.all([replies.dispose(), conversations.dispose()]);
    await store.dispose();
    chat.dispose();
  };
}

/** What goes on ends, and everything said is on the disk. */
export async function deactivate(): Promise<void> {
  await close?.();
}
