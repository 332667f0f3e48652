import assert from 'node:assert/strict';
import { AppendError } from '../../../src/chat/store/files/storage';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { repeat } from '../../support/repetition';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import {
  chunk,
  createStoreFolder,
  ended,
  message,
  readAllTurns,
  reply,
  type StoreFolder,
} from './support/folders';

/**
 * A disk that accepts a number of bytes and then none until it is given more space. It is read only when a
 * test asks for it.
 */
class FillingStorage extends UnwatchedStorage {
  room = Number.POSITIVE_INFINITY;

  override async appendFile(...[name, bytes, options]: Parameters<NodeStorage['appendFile']>) {
    const fits = bytes.subarray(0, this.room);
    const info = await super.appendFile(name, fits, options);
    this.room -= fits.length;
    if (fits.length < bytes.length) throw new AppendError(name, fits.length, new Error('Full'));
    return info;
  }
}

/** A disk that accepts everything but fails to sync. */
class UnsyncedStorage extends NodeStorage {
  failing = false;

  override async appendFile(...[name, bytes, options]: Parameters<NodeStorage['appendFile']>) {
    const info = await super.appendFile(name, bytes, options);
    if (this.failing) throw new AppendError(name, bytes.length, new Error('Not synced'));
    return info;
  }
}

describe('TranscriptFile when writing fails', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  it('loses and duplicates nothing after a failure at any byte', async () => {
    const storage = new FillingStorage(folder.path);
    const eventTypes: string[] = [];
    const store = new ConversationStore(storage, 'one', (error) => assert.fail(String(error)));
    store.onStoreEvent(({ type }) => eventTypes.push(type));
    const reader = folder.window().store;
    // Samples every record; `npm run test:all` tries every byte.
    for (let room = 0; ; room += repeat(13, 1)) {
      const id = `c${room}`;
      eventTypes.length = 0;
      store.createTranscript(id, 1);
      storage.room = room;
      const batch = [
        reply('r'),
        reply('s'),
        chunk('r', 'one '),
        chunk('s', 'é'),
        chunk('r', 'two '),
        ended('s'),
      ];
      for (const record of batch) store.appendToTranscript(id, record);
      await store.flush(id).catch(() => undefined);
      // Records that arrive in the meantime are queued after the pending ones.
      store.appendToTranscript(id, chunk('r', 'three'));
      store.appendToTranscript(id, message('m', 'x'));
      await store.flush(id).catch(() => undefined);
      storage.room = Number.POSITIVE_INFINITY;
      await store.flush(id);
      const writes = eventTypes.filter((type) => type.startsWith('write'));
      if (writes.length > 0) assert.deepEqual(writes, ['writeFailed', 'writeRecovered']);
      const texts = (await readAllTurns(reader, id)).map((turn) => turn.kind !== 'document' && turn.text);
      assert.deepEqual(texts, ['one two three', 'é', 'x'], `broken off after ${room} bytes`);
      await Promise.all([store.closeTranscript(id), reader.closeTranscript(id)]);
      if (writes.length === 0) break;
    }
    assert.deepEqual(
      (await reader.listConversations()).conversations.filter(({ damaged }) => damaged > 0),
      [],
    );
    await store.dispose();
  });

  it("never reports its own records as another window's after a failure at any byte", async () => {
    const storage = new FillingStorage(folder.path);
    const store = new ConversationStore(storage, 'one', (error) => assert.fail(String(error)));
    const foreignRecords: unknown[] = [];
    store.onStoreEvent((event) => {
      if (event.type === 'records') foreignRecords.push(...event.records);
    });
    const other = folder.window('other').store;
    for (let room = 0; ; room += 7) {
      const id = `c${room}`;
      storage.room = Number.POSITIVE_INFINITY;
      store.createTranscript(id, 1);
      store.appendToTranscript(id, reply('r'));
      await store.flush(id);
      await readAllTurns(other, id);
      storage.room = room;
      for (const record of [chunk('r', 'one '), reply('s'), chunk('s', 'é'), ended('s')]) {
        store.appendToTranscript(id, record);
      }
      const failed = await store.flush(id).then(
        () => false,
        () => true,
      );
      await store.readFolderChanges();
      assert.deepEqual(foreignRecords, [], `broken off after ${room} bytes`);
      other.appendToTranscript(id, message('m', 'x'));
      await other.flush(id);
      await store.readFolderChanges();
      const [{ before, ...record } = { before: undefined }, ...others] = foreignRecords.splice(0) as {
        before?: string;
      }[];
      // What couldn't be written yet comes after it.
      assert.ok(before === undefined || (failed && before === 's'), `broken off after ${room} bytes`);
      assert.deepEqual([record, ...others], [message('m', 'x')], `broken off after ${room} bytes`);
      storage.room = Number.POSITIVE_INFINITY;
      await store.flush(id);
      await store.readFolderChanges();
      assert.deepEqual(foreignRecords, [], `goes on after ${room} bytes`);
      await Promise.all([store.closeTranscript(id), other.closeTranscript(id)]);
      if (!failed) break;
    }
    await store.dispose();
  });

  it('reports what another window wrote just before a write that broke off at any byte', async () => {
    const storage = new FillingStorage(folder.path);
    const { store, events } = folder.window('one', {}, storage);
    const other = folder.window('other').store;
    for (let room = 0; ; room += 7) {
      const id = `c${room}`;
      events.length = 0;
      storage.room = Number.POSITIVE_INFINITY;
      store.createTranscript(id, 1);
      store.appendToTranscript(id, message('first', 'x'));
      await store.flush(id);
      other.appendToTranscript(id, message('other', 'x'));
      await other.flush(id);
      storage.room = room;
      store.appendToTranscript(id, message('own', 'x'));
      const failed = await store.flush(id).then(
        () => false,
        () => true,
      );
      storage.room = Number.POSITIVE_INFINITY;
      await store.flush(id);
      await store.readChanges(id);
      const records = events.flatMap((event) => (event.type === 'records' ? event.records : []));
      const expected = [{ ...message('other', 'x'), before: 'own' }];
      assert.deepEqual(records, expected, `broken off after ${room} bytes`);
      await Promise.all([store.closeTranscript(id), other.closeTranscript(id)]);
      if (!failed) break;
    }
  });

  it("reports no records as another window's and writes them once when only the sync fails", async () => {
    const storage = new UnsyncedStorage(folder.path);
    const store = new ConversationStore(storage, 'one', (error) => assert.fail(String(error)));
    const eventTypes: string[] = [];
    store.onStoreEvent(({ type }) => eventTypes.push(type));
    store.createTranscript('c', 1);
    store.appendToTranscript('c', reply('r'));
    await store.flush('c');
    storage.failing = true;
    store.appendToTranscript('c', chunk('r', 'one '));
    store.appendToTranscript('c', ended('r'));
    await assert.rejects(store.flush('c'));
    await store.readFolderChanges();
    storage.failing = false;
    await store.flush('c');
    await store.readFolderChanges();
    assert.ok(!eventTypes.includes('records'), `${eventTypes}`);
    const [turn] = await readAllTurns(folder.window().store, 'c');
    assert.equal(turn?.kind === 'reply' && turn.text, 'one ');
    await store.dispose();
  });
});

describe('TranscriptFile with more pending data than one batch', () => {
  it('loses nothing', async () => {
    const folder = await createStoreFolder();
    const { store, events } = folder.window();
    store.createTranscript('c', 1);
    const text = 'x'.repeat(1_000_000);
    const ids = Array.from({ length: 45 }, (_, index) => `m${index}`);
    for (const id of ids) store.appendToTranscript('c', message(id, text));
    await store.flush('c');
    assert.deepEqual(
      events.filter(({ type }) => type.startsWith('write')),
      [],
    );
    assert.deepEqual(
      (await readAllTurns(folder.window().store, 'c')).map(({ id }) => id),
      ids,
    );
    await folder.close();
  });
});
