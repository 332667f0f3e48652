import { Chat } from '../../../src/chat/chat';
import type { Conversation, ReplyTurn } from '../../../src/chat/conversation';
import type { ChatEvent } from '../../../src/chat/events';
import type { Service } from '../../../src/chat/service';
import { Uploads } from '../../../src/chat/uploads';
import { ServiceClient } from '../../../src/client/serviceClient';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../service/localService';

/** A chat with the local service, and everything that happened in it. */
export interface ChatFixture {
  readonly service: LocalService;
  readonly chat: Chat;
  readonly uploads: Uploads;
  readonly connect: () => Service;
  readonly events: readonly ChatEvent[];
  /** Changes the key that the next request carries. */
  useKey(key: string | undefined): void;
  useBaseUrl(url: string): void;
  newConversation(botId?: string): Conversation;
  /** Resolves with the first event, past or to come, that fits. */
  until(fits: (event: ChatEvent) => boolean): Promise<ChatEvent>;
  /** The reply to the conversation's latest message, once it ended. */
  ended(conversationId: string): Promise<ReplyTurn>;
  close(): Promise<void>;
}

export async function startChat(options?: LocalServiceOptions): Promise<ChatFixture> {
  const service = await startLocalService(options);
  let key: string | undefined = service.key;
  let baseUrl = service.baseUrl;
  const fetch = createNodeFetch();
  const connect = (): Service => ({
    baseUrl,
    client: new ServiceClient({ baseUrl, apiKey: async () => key, fetch }),
  });
  const chat = new Chat(connect);
  const events: ChatEvent[] = [];
  const waiting: { fits: (event: ChatEvent) => boolean; resolve: (event: ChatEvent) => void }[] = [];
  chat.onEvent((event) => {
    events.push(event);
    for (const waiter of [...waiting]) {
      if (!waiter.fits(event)) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve(event);
    }
  });
  const uploads = new Uploads(chat, connect);
  const until = (fits: (event: ChatEvent) => boolean) => {
    const past = events.find(fits);
    return past
      ? Promise.resolve(past)
      : new Promise<ChatEvent>((resolve) => waiting.push({ fits, resolve }));
  };
  return {
    service,
    chat,
    uploads,
    connect,
    events,
    useKey(next) {
      key = next;
    },
    useBaseUrl(url) {
      baseUrl = url;
    },
    newConversation(botId = 'echo') {
      const bot = service.bots.find(({ id }) => id === botId) ?? { id: botId, name: botId };
      return chat.create(bot);
    },
    until,
    async ended(conversationId) {
      const current = chat.find(conversationId)?.turns.findLast((turn) => turn.kind === 'reply');
      if (current?.kind === 'reply' && current.ending) return current;
      const event = await until((e) => e.type === 'ended' && e.turn.id === current?.id);
      if (event.type !== 'ended') throw new Error('unreachable');
      return event.turn;
    },
    async close() {
      uploads.dispose();
      chat.dispose();
      await service.close();
    },
  };
}
