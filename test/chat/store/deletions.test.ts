import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isClaim } from '../../../src/chat/store/files/lease';
import {
  about,
  createStoreFolder,
  message,
  readAllTurns,
  type StoreFolder,
  type StoreWindow,
} from './support/folders';

describe('Deletions', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  /** A window that was killed sends no more heartbeats. */
  const openKilled = () => folder.window('killed window', { heartbeatMs: 2 ** 30, staleMs: 50 });
  const openAlive = () => folder.window('other window', { heartbeatMs: 20 });

  const deleteIn = async ({ store }: StoreWindow) => {
    store.createTranscript('c', 1000);
    store.appendToTranscript('c', about('Zebras'));
    store.appendToTranscript('c', message('m', 'Hello'));
    await store.flush('c');
    await store.deleteConversation('c');
  };
  /** Returns the names of the conversations that were deleted on the service. */
  const completeAbandoned = async ({ store }: StoreWindow) => {
    const names: string[] = [];
    await store.deletions.completeAbandoned(async ({ name }) => {
      names.push(name);
    });
    return names;
  };

  it('are found and completed after their window was killed just now', async () => {
    await deleteIn(openKilled());
    const window = folder.window('this window', { staleMs: 50 });
    assert.deepEqual(await completeAbandoned(window), ['Zebras']);
    assert.deepEqual(
      (await readdir(folder.path)).filter((name) => name.startsWith('c.') && !isClaim(name)),
      [],
    );
    assert.deepEqual(await completeAbandoned(window), []);
  });

  it('are left to the window that still offers Undo', async () => {
    const alive = openAlive();
    await deleteIn(alive);
    assert.deepEqual(await completeAbandoned(alive), []);
    // Long enough for a heartbeat, even if this process stands still for a while.
    assert.deepEqual(await completeAbandoned(folder.window('this window', { staleMs: 2000 })), []);
    await alive.store.undelete('c');
    assert.equal((await alive.store.listConversations()).conversations.length, 1);
  });

  it('are undone only if there is no conversation with the id again', async () => {
    const window = openAlive();
    await deleteIn(window);
    const { store } = folder.window('another window');
    store.createTranscript('c', 2000);
    store.appendToTranscript('c', message('n', 'Imported'));
    await store.flush('c');
    await window.store.undelete('c');
    const turns = await readAllTurns(folder.window().store, 'c');
    assert.deepEqual(
      turns.map(({ id }) => id),
      ['n'],
    );
  });

  it('are left to the newer version that wrote the transcript', async () => {
    await deleteIn(openKilled());
    const file = path.join(folder.path, 'c.deleted');
    await writeFile(file, (await readFile(file, 'utf8')).replace('{"parley":1', '{"parley":2'));
    assert.deepEqual(await completeAbandoned(folder.window('this window', { staleMs: 50 })), []);
    assert.ok((await readdir(folder.path)).includes('c.deleted'));
  });

  it('are completed by one of two windows', async () => {
    await deleteIn(openKilled());
    const windows = ['one', 'two'].map((name) => folder.window(name, { staleMs: 50 }));
    const found = await Promise.all(windows.map(completeAbandoned));
    assert.deepEqual(found.flat(), ['Zebras']);
  });
});
