import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ChatServices, createChat } from '../../../src/chat/createChat';
import { Capabilities } from '../../../src/chat/remote/capabilities';
import { ConversationStore } from '../../../src/chat/store/store';
import { ServiceClient } from '../../../src/client/serviceClient';
import { createNodeFetch } from '../../../src/host/platform/nodeFetch';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { createMirror } from '../../chat/support/memoryMirror';

/** A window without VS Code: conversations on a real disk and replies over real HTTP. */
export interface SoakWindow extends ChatServices {
  /** Errors in the background. */
  readonly errors: readonly unknown[];
  /** Creates a conversation with a message; resolves to its id when the reply has ended. */
  talk(): Promise<string>;
  /** Deletes a conversation, including its file. */
  forget(id: string): Promise<void>;
}

export async function openWindow({ baseUrl, key }: { baseUrl: string; key: string }): Promise<SoakWindow> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-soak-'));
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const fetch = createNodeFetch();
  const client = new ServiceClient({ baseUrl, apiKey: async () => key, fetch });
  const service = { baseUrl, client, capabilities: new Capabilities() };
  const connect = () => service;
  const store = new ConversationStore(new NodeStorage(folder), 'soak', onError);
  const bot = { id: 'echo', name: 'Echo' };
  const bots = { named: () => bot, listBots: async () => [bot] };
  const folderChoice = { getFolderId: () => undefined, chooseFolder: async () => undefined };
  const chats = createChat(store, connect, bots, folderChoice, createMirror());
  return {
    ...chats,
    errors,
    async talk() {
      const { id } = chats.chat.createConversation(bot);
      const sent = await chats.replies.send(id, 'Hi');
      if (sent !== 'sent') throw new Error(`The message was not sent: ${sent}`);
      await chats.replies.whenDone(id);
      return id;
    },
    async forget(id) {
      await chats.chat.deleteConversation(id);
      await chats.chat.purge(id);
    },
    async close() {
      await chats.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
