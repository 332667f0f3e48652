import assert from 'node:assert/strict';
import { createChat } from '../../../src/chat/createChat';
import type { Storage } from '../../../src/chat/store/files/storage';
import { ConversationStore } from '../../../src/chat/store/store';
import type { ChatFixture } from './chatFixture';
import { createMirror, type MachineState } from './memoryMirror';

export type MirroredWindow = ReturnType<typeof openMirroredWindow>;

/** Opens a window with the service of a fixture: its conversations in a folder, and their mirror on a machine. */
export function openMirroredWindow(
  fixture: ChatFixture,
  storage: Storage,
  state: MachineState,
  onError: (error: unknown) => void = assert.ifError,
) {
  const store = new ConversationStore(storage, 'mirrored', onError);
  const named = (id: string) => ({ id, name: fixture.service.bots.find((bot) => bot.id === id)?.name ?? id });
  const bots = { named, listBots: async () => undefined };
  const mirror = createMirror(state);
  const services = createChat(store, fixture.connect, bots, fixture.folders, mirror);
  const { chat, replies } = services;
  return {
    ...services,
    connect: fixture.connect,
    mirror,
    /** Resolves to the id of a new conversation with one reply. */
    async say(text: string): Promise<string> {
      const { id } = chat.createConversation(named('echo'));
      assert.equal(await replies.send(id, text), 'sent');
      await replies.whenDone(id);
      await chat.whenSaved(id);
      return id;
    },
    /** Lists the conversations, once those that were lost are listed again. */
    async list() {
      await chat.load();
      await services.conversationMirror.whenRestored;
      return chat.listConversations();
    },
  };
}
