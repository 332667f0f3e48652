import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { BotNames } from '../../../src/chat/conversations/botNames';
import { Catalog } from '../../../src/chat/conversations/catalog';
import { OpenConversations } from '../../../src/chat/conversations/openConversations';
import { QueueStore } from '../../../src/chat/conversations/queueStore';
import { StoreEventHandler } from '../../../src/chat/conversations/storeEventHandler';
import { WritePermissions } from '../../../src/chat/conversations/writePermissions';
import type { ChatEvent } from '../../../src/chat/model/chatEvent';
import type { TranscriptRecord } from '../../../src/chat/model/record';
import type { Lease } from '../../../src/chat/store/files/lease';
import {
  about,
  chunk,
  createStoreFolder,
  ended,
  message,
  reply,
  type StoreFolder,
  type StoreWindow,
  waitFor,
} from '../store/support/folders';

const LENGTH = 2000;

describe('The earlier turns of a conversation that another window writes', () => {
  let folder: StoreFolder;
  let writer: StoreWindow;
  let reader: StoreWindow;
  let lease: Lease;
  let open: OpenConversations;
  let events: ChatEvent[];

  beforeEach(async () => {
    folder = await createStoreFolder();
    // Without heartbeats, which the reader would report, too.
    writer = folder.window('writer', { heartbeatMs: 2 ** 30 });
    reader = folder.window('reader');
    events = [];
    const { store } = reader;
    const fireChatEvent = (event: ChatEvent) => events.push(event);
    open = new OpenConversations(store, fireChatEvent);
    const handler = new StoreEventHandler({
      open,
      catalog: new Catalog(store, open, new BotNames()),
      queues: new QueueStore(store, (id) => open.findConversation(id), fireChatEvent),
      writePermissions: new WritePermissions(store),
      ownTurnIds: new Set(),
      reportWriter: (id) => store.reportWriter(id),
      removeRemains: (id) => store.deletions.removeRemains(id),
      fireChatEvent,
      reportError: store.reportError,
    });
    store.onStoreEvent((event) => handler.handle(event));
    writer.store.createTranscript('c', 1000);
    const acquired = await writer.store.acquireLease('c');
    assert.ok('release' in acquired);
    lease = acquired;
    const turns = Array.from({ length: LENGTH }, (_, index) => message(`m${index}`, 'moss '.repeat(20)));
    await write(about('Moss'), reply('r'), chunk('r', 'Mo'), ...turns);
  });
  afterEach(() => folder.close());

  async function write(...records: TranscriptRecord[]): Promise<void> {
    for (const record of records) writer.store.appendToTranscript('c', record);
    await writer.store.flush('c');
  }

  /** Opens the conversation. `change` runs before the earlier turns are read, or while they are. */
  async function read(when: 'before' | 'while', change: (firstShown: string) => Promise<void>) {
    const getFirstShown = () => open.findConversation('c')?.turns[0]?.id ?? assert.fail();
    const conversation = await open.openConversation('c', async () => {
      if (when === 'before') await change(getFirstShown());
    });
    assert.ok(conversation?.earlier);
    if (when === 'while') await change(getFirstShown());
    await open.whenWhole(conversation);
    assert.equal(conversation.earlier, false);
    return conversation;
  }

  const getStored = async () => (await folder.window('third').store.readTranscript('c'))?.turns;

  it('are waited for by a second caller that opens it while it is being opened', async () => {
    let second: Promise<boolean | undefined> = Promise.resolve(undefined);
    const openAgain = async () => {
      const conversation = (await open.openConversation('c', async () => undefined)) ?? assert.fail();
      await open.whenWhole(conversation);
      return conversation.earlier;
    };
    await open.openConversation('c', async () => {
      second = openAgain();
      // The second caller gets as far as it can without the disk.
      await setImmediate();
    });
    assert.equal(await second, false);
  });

  for (const when of ['before', 'while'] as const) {
    describe(`and changes ${when} they are read`, () => {
      it('are the same as on the disk if it adds a turn before the first one shown, and one before that', async () => {
        const { turns } = await read(when, async (before) => {
          const added = { ...message('added', 'A'), before } as TranscriptRecord;
          await write(added, { ...message('other', 'B'), before: 'added' } as TranscriptRecord);
          await reader.store.readChanges('c');
        });
        assert.equal(turns.length, LENGTH + 3);
        assert.deepEqual(turns, await getStored());
      });

      it('are all there if it removes the first turn shown', async () => {
        const { turns } = await read(when, async (turnId) => {
          await write({ type: 'turnRemoved', turnId });
          await reader.store.readChanges('c');
        });
        assert.equal(turns.length, LENGTH);
        assert.deepEqual(turns, await getStored());
      });

      it('have each chunk of a reply among them once, and its end', async () => {
        const { turns } = await read(when, async () => {
          await write(chunk('r', 'ss '), chunk('r', 'is'));
          await reader.store.readChanges('c');
          await write(chunk('r', ' a plant'), ended('r'));
          await reader.store.readChanges('c');
        });
        const [first] = turns;
        assert.deepEqual(first?.kind === 'reply' && [first.text, first.ending, turns.length], [
          'Moss is a plant',
          'complete',
          LENGTH + 1,
        ]);
        assert.deepEqual(turns, await getStored());
        const types = events.map(({ type }) => type).filter((type) => type !== 'noticed');
        assert.deepEqual([types[0], types.at(-1)], ['earlierTurns', 'ended']);
      });

      it('have an interrupted reply if it stops writing, and an open one if it goes on', async () => {
        const { turns } = await read(when, async () => {
          await lease.release();
          await waitFor(() => reader.events.some((event) => event.type === 'writer' && !event.heldBy));
        });
        assert.equal(turns[0]?.kind === 'reply' && turns[0].ending, 'interrupted');
        open.removeConversation('c');
        await reader.store.closeTranscript('c');
        await writer.store.acquireLease('c');
        const again = await read(when, async () => undefined);
        assert.equal(again.turns[0]?.kind === 'reply' && again.turns[0].ending, undefined);
      });
    });
  }
});
