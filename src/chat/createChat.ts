import { Chat } from './conversations/chat';
import { DocumentStatus } from './remote/documentStatus';
import { History } from './remote/messageSync';
import { Remote } from './remote/remoteConversations';
import type { Service } from './remote/service';
import { type BotNames, ServiceConversations } from './remote/serviceConversations';
import { ServiceDocuments } from './remote/serviceDocuments';
import { Sources } from './remote/sources';
import { QueueRunner } from './replies/queueRunner';
import { Replies } from './replies/replies';
import type { ConversationStore } from './store/store';
import { Uploads } from './uploads/uploadQueue';

/** Everything that goes on in conversations, by what it is about. */
export type OpenChat = ReturnType<typeof openChat>;

/** `connect`: the service as it is set up now; `onError` hears of what fails in the background. */
export function openChat(
  store: ConversationStore,
  connect: () => Service,
  bots: BotNames,
  onError: (error: unknown) => void,
) {
  const chat = new Chat(store, onError);
  const remote = new Remote(chat, connect);
  const replies = new Replies(chat, remote, connect);
  const uploads = new Uploads(chat, remote, connect);
  const queueRunner = new QueueRunner({ chat, replies }, onError);
  const sources = new Sources(chat, remote, connect, onError);
  const documentStatus = new DocumentStatus(chat, remote, connect, onError);
  const history = new History(chat, remote, connect, onError);
  const fromService = new ServiceConversations(chat, history, connect, bots);
  return {
    chat,
    remote,
    replies,
    uploads,
    queueRunner,
    sources,
    documentStatus,
    serviceDocuments: new ServiceDocuments(chat, remote, connect),
    history,
    fromService,

    /** What goes on ends; resolves when everything said is on the disk. */
    async close(): Promise<void> {
      queueRunner.dispose();
      history.dispose();
      sources.dispose();
      documentStatus.dispose();
      uploads.dispose();
      remote.dispose();
      await replies.dispose();
      await chat.queues.settle();
      await store.dispose();
      chat.dispose();
    },
  };
}
