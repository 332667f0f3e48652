import assert from 'node:assert/strict';
import { AppendError } from '../../../src/chat/store/storage';
import { ConversationStore } from '../../../src/chat/store/store';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { repeat } from '../../support/repetition';
import { allTurns, chunk, ended, message, reply, type StoreFolder, storeFolder } from './support/folders';

/** A disk that takes so many bytes more, and then nothing until it is given room. */
class FillingStorage extends NodeStorage {
  room = Number.POSITIVE_INFINITY;

  override async append(...[name, bytes, options]: Parameters<NodeStorage['append']>) {
    const fits = bytes.subarray(0, this.room);
    const info = await super.append(name, fits, options);
    this.room -= fits.length;
    if (fits.length < bytes.length) throw new AppendError(name, fits.length, new Error('Full'));
    return info;
  }
}

describe('writing that breaks off', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await storeFolder();
  });
  afterEach(() => folder.close());

  it('at any byte loses nothing and doubles nothing once it goes on', async () => {
    const storage = new FillingStorage(folder.path);
    const told: string[] = [];
    const store = new ConversationStore(storage, 'one', (error) => assert.fail(String(error)));
    store.onEvent(({ type }) => told.push(type));
    const reader = folder.window().store;
    // Each record is hit somewhere; `npm run test:all` tries every byte.
    for (let room = 0; ; room += repeat(13, 1)) {
      const id = `c${room}`;
      told.length = 0;
      store.create(id, 1);
      storage.room = room;
      const batch = [
        reply('r'),
        reply('s'),
        chunk('r', 'one '),
        chunk('s', 'é'),
        chunk('r', 'two '),
        ended('s'),
      ];
      for (const record of batch) store.append(id, record);
      await store.flush(id).catch(() => undefined);
      // What comes meanwhile is gathered behind what waits.
      store.append(id, chunk('r', 'three'));
      store.append(id, message('m', 'x'));
      await store.flush(id).catch(() => undefined);
      storage.room = Number.POSITIVE_INFINITY;
      await store.flush(id);
      const writes = told.filter((type) => type.startsWith('write'));
      if (writes.length > 0) assert.deepEqual(writes, ['writeFailed', 'writeRecovered']);
      const texts = (await allTurns(reader, id)).map((turn) => turn.kind !== 'document' && turn.text);
      assert.deepEqual(texts, ['one two three', 'é', 'x'], `broken off after ${room} bytes`);
      await Promise.all([store.close(id), reader.close(id)]);
      if (writes.length === 0) break;
    }
    assert.deepEqual(
      (await reader.list()).conversations.filter(({ damaged }) => damaged > 0),
      [],
    );
    await store.dispose();
  });
});
