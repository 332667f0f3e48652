import type { Workspace } from '../shared/view/viewModel';
import { Chat } from './conversations/chat';
import { DocumentStatus } from './documents/documentStatus';
import { FocusSync } from './documents/focusSync';
import type { FolderChoice } from './documents/folderQuestions';
import { ServiceDocuments } from './documents/serviceDocuments';
import { SourceFiles } from './documents/sourceFiles';
import { UploadQueue } from './documents/uploadQueue';
import { ConversationMirror } from './mirror/conversationMirror';
import type { Mirror } from './mirror/mirror';
import { QueueRunner } from './queue/queueRunner';
import { LateReplies } from './remote/lateReplies';
import { MessageSync } from './remote/messageSync';
import { RemoteConversations } from './remote/remoteConversations';
import { Sources } from './remote/replySources';
import type { Connect } from './remote/service';
import { type BotNames, ServiceConversations } from './remote/serviceConversations';
import { Replies } from './replies/replies';
import type { ConversationStore } from './store/store';

/** The services for everything that happens in conversations. */
export type ChatServices = ReturnType<typeof createChat>;

/** `connect` returns the service as currently configured. */
export function createChat(
  store: ConversationStore,
  connect: Connect,
  bots: BotNames,
  folderChoice: FolderChoice,
  mirror: Mirror,
  getWorkspace?: () => Workspace | undefined,
) {
  const chat = new Chat(store, getWorkspace);
  const remote = new RemoteConversations(chat, connect);
  const messageSync = new MessageSync(chat, remote, connect);
  const lateReplies = new LateReplies(chat, messageSync);
  const replies = new Replies(chat, remote, messageSync, connect);
  const uploads = new UploadQueue(chat, remote, folderChoice, connect);
  const queueRunner = new QueueRunner({ chat, replies });
  const sources = new Sources(chat, remote, connect);
  const documentStatus = new DocumentStatus(chat, remote, connect);
  const focusSync = new FocusSync(chat, remote, connect);
  const sourceFiles = new SourceFiles(chat);
  const nameBot = (id: string, baseUrl: string) => bots.named(id, baseUrl);
  const conversationMirror = new ConversationMirror({
    chat,
    mirror,
    connect,
    nameBot,
    onError: store.reportError,
  });
  const fromService = new ServiceConversations(
    chat,
    messageSync,
    connect,
    bots,
    Date.now,
    conversationMirror,
  );
  void chat.whenListed.then(() => remote.completeDeletions()).catch(store.reportError);
  return {
    chat,
    remote,
    replies,
    uploads,
    queueRunner,
    sources,
    sourceFiles,
    documentStatus,
    focusSync,
    serviceDocuments: new ServiceDocuments(chat, remote),
    messageSync,
    lateReplies,
    fromService,
    conversationMirror,

    /** Stops all background work; resolves when everything is saved to disk. Reports what fails, and saves the rest. */
    async close(): Promise<void> {
      queueRunner.dispose();
      lateReplies.dispose();
      messageSync.dispose();
      sources.dispose();
      sourceFiles.dispose();
      documentStatus.dispose();
      focusSync.dispose();
      uploads.dispose();
      remote.dispose();
      await replies.dispose().catch(store.reportError);
      await chat.queues.whenSettled();
      await conversationMirror.close().catch(store.reportError);
      await store.dispose();
      chat.dispose();
    },
  };
}
