import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isClaim } from '../../../src/chat/store/files/lease';
import { AppendError } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { RefusingStorage } from '../support/refusingStorage';
import {
  about,
  createStoreFolder,
  message,
  openConversation,
  readAllTurns,
  type StoreFolder,
  type StoreWindow,
} from './support/folders';

/** A full disk, on which a file is created but takes no bytes. */
class FullStorage extends NodeStorage {
  isFull = true;

  override async appendFile(...[name, bytes, options]: Parameters<NodeStorage['appendFile']>) {
    if (!this.isFull) return super.appendFile(name, bytes, options);
    if (!(await super.appendFile(name, new Uint8Array(), options))) return undefined;
    throw new AppendError(name, 0, new Error('No space'));
  }
}

/** A disk on which something happens before a file is looked for, and whose watcher reports only what the test says. */
class BusyStorage extends NodeStorage {
  beforeStat: (name: string) => Promise<unknown> = async () => undefined;
  report: (name: string) => void = () => undefined;

  override watch(onChange: (name: string) => void) {
    this.report = onChange;
    return { started: Promise.resolve(), dispose: () => undefined };
  }

  override async statFile(name: string) {
    await this.beforeStat(name);
    return super.statFile(name);
  }
}

describe('Deletions', () => {
  let folder: StoreFolder;
  beforeEach(async () => {
    folder = await createStoreFolder();
  });
  afterEach(() => folder.close());

  /** A window that was killed sends no more heartbeats. */
  const openKilled = () => folder.window('killed window', { heartbeatMs: 2 ** 30, staleMs: 50 });
  const openAlive = () => folder.window('other window', { heartbeatMs: 20 });

  const createIn = async ({ store }: StoreWindow, id = 'c', name = 'Zebras') => {
    store.createTranscript(id, 1000);
    store.appendToTranscript(id, about(name));
    store.appendToTranscript(id, message('m', 'Hello'));
    await store.flush(id);
  };
  const deleteIn = async (window: StoreWindow, id?: string, name?: string) => {
    await createIn(window, id, name);
    await window.store.deleteConversation(id ?? 'c');
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
    const windows = ['one', 'two'].map((name) => folder.window(name, { heartbeatMs: 20, staleMs: 2000 }));
    const found = await Promise.all(windows.map(completeAbandoned));
    assert.deepEqual(found.flat(), ['Zebras']);
  });

  it('belong to the window that was the first to delete', async () => {
    const first = folder.window('one');
    const second = folder.window('other');
    await createIn(first);
    assert.equal(await first.store.deleteConversation('c'), true);
    assert.equal(await first.store.deleteConversation('c'), false);
    assert.equal(await second.store.deleteConversation('c'), false);
    assert.equal(await first.store.undelete('c'), true);
    assert.equal(await second.store.deleteConversation('c'), true);
    assert.equal(await second.store.undelete('c'), true);
  });

  it('stay marked as undone if another window deletes the conversation before it is restored', async () => {
    const storage = new RefusingStorage(folder.path);
    const window = folder.window('one', {}, storage);
    await deleteIn(window);
    storage.refuses = (step) => step === 'rename';
    await assert.rejects(window.store.undelete('c'), /Refused/);
    assert.equal(await folder.window('other').store.deleteConversation('c'), false);
    assert.deepEqual(await completeAbandoned(folder.window('next')), []);
    assert.ok((await readdir(folder.path)).includes('c.jsonl'));
  });

  it('that another window has completed can’t be undone', async () => {
    const window = folder.window('one');
    await deleteIn(window);
    await folder.window('other').store.purge('c');
    assert.equal(await window.store.undelete('c'), false);
  });

  it('don’t seem completed while their file is renamed', async () => {
    const disk = new BusyStorage(folder.path);
    const { store } = folder.window('one', {}, disk);
    const other = folder.window('other');
    await createIn(other);
    store.drafts.set('c', 'Typed');
    await store.drafts.flush();
    store.deletions.noteSeen('c');
    disk.beforeStat = async (name) => {
      if (name !== 'c.jsonl') return;
      disk.beforeStat = async () => undefined;
      await other.store.deleteConversation('c');
    };
    await store.deletions.removeRemains('c');
    await other.store.undelete('c');
    assert.equal(await other.store.drafts.get('c'), 'Typed');
    // Once it is completed, they do.
    await other.store.deleteConversation('c');
    await other.store.purge('c');
    await store.deletions.removeRemains('c');
    assert.equal(await folder.window('next').store.drafts.get('c'), '');
  });

  it('that are heard of late don’t keep a conversation with the same id from being written', async () => {
    const disk = new BusyStorage(folder.path);
    const { store } = folder.window('one', {}, disk);
    const other = folder.window('other');
    await deleteIn(other);
    await other.store.purge('c');
    store.createTranscript('c', 2000);
    disk.report('c.deleted');
    store.appendToTranscript('c', message('n', 'Imported'));
    await store.flush('c');
    assert.deepEqual(
      (await readAllTurns(folder.window('next').store, 'c')).map(({ id }) => id),
      ['n'],
    );
  });

  describe('on a disk that refuses', () => {
    let storage: RefusingStorage;
    beforeEach(() => {
      storage = new RefusingStorage(folder.path);
    });

    /** Returns the conversation's files that aren't leases. */
    const listFiles = async () =>
      (await readdir(folder.path)).filter((name) => name.startsWith('c.') && !name.includes('.lease'));

    it('to rename the file leave the conversation open', async () => {
      const window = folder.window('one', {}, storage);
      await createIn(window);
      storage.refuses = (step) => step === 'rename';
      await assert.rejects(window.store.deleteConversation('c'), /Refused/);
      const { store } = folder.window('other');
      await store.openTranscript('c');
      store.appendToTranscript('c', message('n', 'Said elsewhere'));
      await store.flush('c');
      await window.store.readChanges('c');
      const heard = window.events.flatMap((event) => (event.type === 'records' ? event.records : []));
      assert.deepEqual(heard, [message('n', 'Said elsewhere')]);
    });

    it('to write are possible, and undone together with what waits for the disk', async () => {
      const window = folder.window('one', {}, storage);
      const { store } = window;
      await createIn(window);
      storage.refuses = (step) => step === 'append';
      store.appendToTranscript('c', message('n', 'Not saved yet'));
      await store.deleteConversation('c');
      await store.undelete('c');
      const { conversation } = await openConversation(store, 'c');
      assert.deepEqual([conversation.turns.map(({ id }) => id), conversation.unsaved], [['m', 'n'], true]);
      storage.refuses = () => false;
      await store.flush('c');
      assert.equal((await readAllTurns(folder.window('other').store, 'c')).length, 2);
      assert.deepEqual(
        window.events.filter(({ type }) => type === 'records'),
        [],
      );
    });

    it('all that needs room are possible', async () => {
      const window = folder.window('one', {}, storage);
      await createIn(window);
      storage.refuses = (step) => ['append', 'create', 'replace'].includes(step);
      assert.equal(await window.store.deleteConversation('c'), true);
      await window.store.purge('c');
      assert.deepEqual(await listFiles(), []);
      assert.match(String(window.errors.splice(0)), /Refused to create c\.deleted\.lease/);
    });

    it('to undo them, even to note that, are left to their window', async () => {
      const window = folder.window('one', { heartbeatMs: 20 }, storage);
      await deleteIn(window);
      storage.refuses = (step, name) => step === 'rename' || name === 'c.undone';
      await assert.rejects(window.store.undelete('c'), /Refused/);
      assert.deepEqual(await completeAbandoned(folder.window('next', { staleMs: 2000 })), []);
      storage.refuses = () => false;
      assert.equal(await window.store.undelete('c'), true);
    });

    it('to create a conversation’s file leave it open', async () => {
      const { store } = folder.window('one', {}, storage);
      storage.refuses = (step, name) => step === 'append' && name === 'c.jsonl';
      store.createTranscript('c', 1000);
      store.appendToTranscript('c', message('m', 'Hello'));
      await assert.rejects(store.deleteConversation('c'), /Refused/);
      storage.refuses = () => false;
      await store.flush('c');
      assert.equal((await readAllTurns(folder.window('other').store, 'c')).length, 1);
    });

    for (const [end, left] of [
      ['undelete', ['c.jsonl']],
      ['purge', []],
    ] as const)
      for (const isWrittenBefore of [true, false])
        it(`a new conversation’s file create it only on Undo (${end} ${isWrittenBefore ? 'after' : 'before'} the disk has room)`, async () => {
          const disk = new FullStorage(folder.path);
          const { store } = folder.window('one', {}, disk);
          store.createTranscript('c', 1000);
          store.appendToTranscript('c', message('m', 'Hello'));
          assert.equal(await store.deleteConversation('c'), true);
          disk.isFull = false;
          if (isWrittenBefore) await store.flush('c');
          assert.equal((await listFiles()).includes('c.jsonl'), false);
          await store[end]('c');
          await store.flush('c');
          assert.deepEqual(await listFiles(), left);
          const turns = await readAllTurns(folder.window('other').store, 'c').catch(() => []);
          assert.equal(turns.length, left.length);
        });

    it('to rename it back are undone at the next start, not completed', async () => {
      const window = folder.window('one', {}, storage);
      await deleteIn(window);
      storage.refuses = (step) => step === 'rename';
      await assert.rejects(window.store.undelete('c'), /Refused/);
      const next = folder.window('next');
      assert.deepEqual(await completeAbandoned(next), []);
      const { conversations } = await next.store.listConversations();
      assert.deepEqual(
        conversations.map(({ name }) => name),
        ['Zebras'],
      );
      assert.deepEqual(await listFiles(), ['c.jsonl']);
    });

    it('to remove the mark of one that was undone don’t undo the next one', async () => {
      const window = folder.window('killed window', { heartbeatMs: 2 ** 30, staleMs: 50 }, storage);
      await deleteIn(window);
      storage.refuses = (step) => step === 'rename';
      await assert.rejects(window.store.undelete('c'), /Refused/);
      storage.refuses = (step, name) => step === 'remove' && !name.includes('.lease');
      await assert.rejects(window.store.undelete('c'), /Refused/);
      await assert.rejects(window.store.deleteConversation('c'), /Refused/);
      storage.refuses = () => false;
      await window.store.deleteConversation('c');
      assert.deepEqual(await completeAbandoned(folder.window('next', { staleMs: 50 })), ['Zebras']);
      assert.deepEqual(await listFiles(), []);
    });

    it('to remove a file don’t keep the others from being completed', async () => {
      const killed = openKilled();
      for (const id of ['c', 'd', 'e']) await deleteIn(killed, id, `Name of ${id}`);
      storage.refuses = (step, name) => step === 'remove' && name === 'c.deleted';
      const window = folder.window('next', { staleMs: 50 }, storage);
      assert.deepEqual(
        (await completeAbandoned(window)).toSorted(),
        ['c', 'd', 'e'].map((id) => `Name of ${id}`),
      );
      assert.equal(window.errors.length, 1);
      assert.deepEqual(await listFiles(), ['c.deleted']);
      assert.deepEqual(await completeAbandoned(folder.window('last', { staleMs: 50 })), ['Name of c']);
      assert.deepEqual(await listFiles(), []);
    });

    it('to remove the lease are undone all the same, which is reported', async () => {
      const window = folder.window('one', {}, storage);
      await deleteIn(window);
      storage.refuses = (step, name) => step === 'remove' && name === 'c.deleted.lease';
      await window.store.undelete('c');
      assert.deepEqual(window.errors.map(String), ['Error: Refused to remove c.deleted.lease']);
      assert.deepEqual(await listFiles(), ['c.jsonl']);
    });

    it('to remove what was written in the meantime remove it when they are seen again', async () => {
      const window = folder.window('one');
      await deleteIn(window);
      await window.store.purge('c');
      const { deletions } = folder.window('other', {}, storage).store;
      deletions.noteSeen('c');
      await writeFile(path.join(folder.path, 'c.draft'), 'Written in the meantime');
      storage.refuses = (step) => step === 'remove';
      await assert.rejects(deletions.removeRemains('c'), /Refused/);
      storage.refuses = () => false;
      await deletions.removeRemains('c');
      assert.deepEqual(await listFiles(), []);
    });

    for (const refused of [
      'c.draft',
      'c.composing.draft',
      'c.queue',
      'c.queue.damaged',
      'c.queue.damaged-2',
    ]) {
      it(`to remove ${refused} are completed at the next start`, async () => {
        const window = folder.window('one', {}, storage);
        await createIn(window);
        window.store.drafts.set('c', 'Draft');
        window.store.composers.set('c', { context: [], webSearch: true });
        await window.store.flush('c');
        for (const text of ['damaged', 'damaged, too']) {
          await writeFile(path.join(folder.path, 'c.queue'), text);
          await window.store.queues.read('c');
        }
        await window.store.deleteConversation('c');
        storage.refuses = (step, name) => step === 'remove' && name === refused;
        await assert.rejects(window.store.purge('c'), /Refused/);
        await window.store.dispose();
        assert.deepEqual(await completeAbandoned(folder.window('next')), ['Zebras']);
        assert.deepEqual(await listFiles(), []);
      });
    }
  });
});
