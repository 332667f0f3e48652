import { Chat } from './chat';
import { DocumentStatus } from './documentStatus';
import { History } from './history';
import { QueueRunner } from './queueRunner';
import { Remote } from './remote';
import { Replies } from './replies';
import type { Service } from './service';
import { type BotNames, ServiceConversations } from './serviceConversations';
import { ServiceDocuments } from './serviceDocuments';
import { Sources } from './sources';
import type { ConversationStore } from './store/store';
import { Uploads } from './uploads';

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
