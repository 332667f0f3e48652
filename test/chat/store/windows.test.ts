import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_LEASE_TIMES, Leases } from '../../../src/chat/store/files/lease';
import { ConversationStore } from '../../../src/chat/store/store';
import type { StoreEvent } from '../../../src/chat/store/storeEvents';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import {
  about,
  chunk,
  createStoreFolder,
  ended,
  message,
  openConversation,
  readAllTurns,
  reply,
  type StoreFolder,
  type StoreWindow,
  waitFor,
} from './support/folders';

describe('Windows sharing a conversations folder', () => {
  let folder: StoreFolder;
  let one: StoreWindow;
  let other: StoreWindow;
  /** Heartbeats are frequent, and leases expire only when this clock is moved. */
  const leaseTimes = { heartbeatMs: 20, staleMs: 200, now: () => now };
  let now: number;
  beforeEach(async () => {
    folder = await createStoreFolder();
    now = Date.now();
    one = folder.window('one');
    other = folder.window('other');
  });
  afterEach(() => folder.close());

  const getEvents = <T extends StoreEvent['type']>(window: StoreWindow, type: T) =>
    window.events.filter((event): event is Extract<StoreEvent, { type: T }> => event.type === type);

  async function begin(id = 'c'): Promise<void> {
    one.store.createTranscript(id, 1000);
    one.store.appendToTranscript(id, about('First name'));
    one.store.appendToTranscript(id, message('m', 'Hello'));
    await one.store.flush(id);
  }

  it('see conversations that another creates, renames, deletes and restores', async () => {
    await other.store.listConversations();
    await begin();
    const { summary } = await waitFor(() => getEvents(other, 'created')[0]);
    assert.equal(summary.id, 'c');
    one.store.appendToTranscript('c', about('Second name'));
    await waitFor(() => getEvents(other, 'changed').some(({ summary }) => summary.name === 'Second name'));
    await one.store.deleteConversation('c');
    await waitFor(() => getEvents(other, 'deleted').length === 1);
    assert.deepEqual((await other.store.listConversations()).conversations, []);
    await one.store.undelete('c');
    await waitFor(() => getEvents(other, 'created').length === 2);
    assert.equal((await readAllTurns(other.store, 'c')).length, 1);
  });

  it('purge a deleted conversation permanently, including its draft', async () => {
    await begin();
    one.store.drafts.set('c', 'half a thought');
    await one.store.drafts.flush();
    await one.store.deleteConversation('c');
    await one.store.purge('c');
    await one.store.dispose();
    assert.deepEqual(
      (await readdir(folder.path)).filter((name) => name.startsWith('c')),
      [],
    );
  });

  it('follow a reply streamed by another without reading back their own records', async () => {
    await begin();
    await openConversation(other.store, 'c');
    one.store.appendToTranscript('c', reply('r'));
    one.store.appendToTranscript('c', chunk('r', 'Hel'));
    await waitFor(() => getEvents(other, 'records').length > 0);
    one.store.appendToTranscript('c', chunk('r', 'lo'));
    one.store.appendToTranscript('c', ended('r'));
    const records = () => getEvents(other, 'records').flatMap((event) => event.records);
    await waitFor(() => records().some(({ type }) => type === 'ended'));
    const text = records().flatMap((record) => (record.type === 'chunk' ? [record.text] : []));
    assert.equal(text.join(''), 'Hello');
    assert.deepEqual(getEvents(one, 'records'), []);
  });

  it('read a conversation only once its folder is watched, so that they miss nothing', async () => {
    await begin();
    const order: string[] = [];
    class RecordedStorage extends NodeStorage {
      override readFile(name: string, from?: number, to?: number) {
        if (name === 'c.jsonl') order.push('read');
        return super.readFile(name, from, to);
      }
      override watch(...listeners: Parameters<NodeStorage['watch']>) {
        const watcher = super.watch(...listeners);
        const started = Promise.all([watcher.started, setTimeout(100)]).then(
          () => void order.push('watched'),
        );
        return { ...watcher, started };
      }
    }
    const store = new ConversationStore(new RecordedStorage(folder.path), 'late', assert.ifError, leaseTimes);
    await openConversation(store, 'c');
    await store.dispose();
    assert.deepEqual(order.slice(0, 2), ['watched', 'read']);
  });

  it('tell own and foreign records apart when both write at the same time', async () => {
    await begin();
    await openConversation(other.store, 'c');
    for (let index = 0; index < 50; index++) {
      one.store.appendToTranscript('c', message(`one${index}`, 'x'));
      other.store.appendToTranscript('c', message(`other${index}`, 'y'));
    }
    const ids = (window: StoreWindow) =>
      getEvents(window, 'records').flatMap(({ records }) =>
        records.flatMap((record) => (record.type === 'turn' ? [record.turn.id] : [])),
      );
    await waitFor(() => ids(one).length === 50 && ids(other).length === 50);
    assert.deepEqual(new Set(ids(one)), new Set(Array.from({ length: 50 }, (_, index) => `other${index}`)));
    assert.deepEqual(new Set(ids(other)), new Set(Array.from({ length: 50 }, (_, index) => `one${index}`)));
    assert.equal((await readAllTurns(folder.window().store, 'c')).length, 101);
  });

  it('keep all they write if both create the same conversation', async () => {
    await begin();
    other.store.createTranscript('c', 1000);
    other.store.appendToTranscript('c', message('n', 'From the other'));
    await other.store.flush('c');
    const { store } = folder.window();
    assert.deepEqual(
      (await readAllTurns(store, 'c')).map(({ id }) => id),
      ['m', 'n'],
    );
    assert.equal((await store.listConversations()).conversations[0]?.damaged, 0);
  });

  for (const change of ['record of the other', 'own record'] as const) {
    it(`read what couldn’t be read after their own records with the next ${change}`, async () => {
      await begin();
      let isLocked = false;
      class LockedStorage extends UnwatchedStorage {
        override async readFile(...args: Parameters<NodeStorage['readFile']>) {
          if (isLocked) throw Object.assign(new Error('Locked'), { code: 'EPERM' });
          return super.readFile(...args);
        }
      }
      const unwatched = folder.window('unwatched', {}, new LockedStorage(folder.path));
      await openConversation(unwatched.store, 'c');
      const write = async ({ store }: StoreWindow, id: string) => {
        store.appendToTranscript('c', message(id, 'x'));
        await store.flush('c');
      };
      await write(unwatched, 'first');
      isLocked = true;
      for (const index of [1, 2]) {
        await write(other, `other${index}`);
        await write(unwatched, `own${index}`);
      }
      isLocked = false;
      const last = change === 'own record' ? unwatched : other;
      await write(last, 'last');
      for (let read = 0; read < 2; read++) await unwatched.store.readChanges('c');
      const records = getEvents(unwatched, 'records').flatMap((event) => event.records);
      assert.deepEqual(records, [
        { ...message('other1', 'x'), before: 'own1' },
        { ...message('other2', 'x'), before: 'own2' },
        ...(last === other ? [message('last', 'x')] : []),
      ]);
      assert.deepEqual(unwatched.errors, []);
    });
  }

  it('find changes that no watcher reported with `refresh`', async () => {
    await begin();
    await other.store.listConversations();
    await openConversation(other.store, 'c');
    const file = path.join(folder.path, 'c.jsonl');
    await writeFile(
      file,
      `${await readFile(file, 'utf8')}\n${JSON.stringify(message('n', 'from elsewhere'))}`,
    );
    await other.store.readFolderChanges();
    assert.equal(getEvents(other, 'records').length, 1);
    await rm(file);
    await other.store.readFolderChanges();
    assert.equal(getEvents(other, 'deleted').length, 1);
  });

  it('find the changes of every file with `refresh`, although a disk refuses one of them', async () => {
    const storage = new RefusingStorage(folder.path);
    storage.watch = () => ({ started: Promise.resolve(), dispose: () => undefined });
    other = folder.window('other', {}, storage);
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await begin(id);
    await other.store.listConversations();
    for (const id of ids) one.store.appendToTranscript(id, about('Second name'));
    for (const id of ids) await one.store.flush(id);
    storage.refuses = (step, name) => step === 'stat' && name === 'a.jsonl';
    await other.store.readFolderChanges();
    assert.deepEqual(
      getEvents(other, 'changed')
        .map(({ summary }) => summary.id)
        .toSorted(),
      ['b', 'c', 'd', 'e'],
    );
    assert.deepEqual(other.errors.map(String), ['Error: Refused to stat a.jsonl']);
  });

  it('see with the first list that another deleted a conversation that was opened before', async () => {
    other = folder.window('other', {}, new UnwatchedStorage(folder.path));
    await begin();
    await openConversation(other.store, 'c');
    await one.store.deleteConversation('c');
    await other.store.listConversations();
    assert.equal(getEvents(other, 'deleted').length, 1);
    await other.store.readFolderChanges();
    assert.equal(getEvents(other, 'deleted').length, 1);
  });

  it('don’t take a conversation for deleted that the disk refuses to write yet', async () => {
    const storage = new RefusingStorage(folder.path);
    storage.refuses = (step, name) => step === 'append' && name === 'c.jsonl';
    one = folder.window('one', {}, storage);
    one.store.createTranscript('c', 1000);
    one.store.appendToTranscript('c', message('m', 'Hello'));
    await assert.rejects(one.store.flush('c'), /Refused/);
    await one.store.listConversations();
    await one.store.readFolderChanges();
    assert.deepEqual(getEvents(one, 'deleted'), []);
  });

  it('report nothing that was written between a deletion and opening it again', async () => {
    await begin();
    await openConversation(other.store, 'c');
    await one.store.deleteConversation('c');
    await waitFor(() => getEvents(other, 'deleted').length > 0);
    await one.store.undelete('c');
    one.store.appendToTranscript('c', message('n', 'Written since'));
    await one.store.flush('c');
    await other.store.readChanges('c');
    const { conversation } = await openConversation(other.store, 'c');
    assert.equal(conversation.turns.length, 2);
    assert.deepEqual(getEvents(other, 'records'), []);
  });

  it('see a deletion although a disk refused to look at the transcript when it was renamed', async () => {
    const storage = new RefusingStorage(folder.path);
    let notify: (name: string) => void = assert.fail;
    storage.watch = (onChange) => {
      notify = onChange;
      return { started: Promise.resolve(), dispose: () => undefined };
    };
    other = folder.window('other', {}, storage);
    await begin();
    await other.store.listConversations();
    await one.store.deleteConversation('c');
    storage.refuses = (step, name) => step === 'stat' && name === 'c.jsonl';
    notify('c.jsonl');
    await waitFor(() => other.errors.length > 0);
    storage.refuses = () => false;
    notify('c.deleted');
    await waitFor(() => getEvents(other, 'deleted').length > 0);
  });

  it('hear of a deletion again with `refresh` until what they stored of the conversation is removed', async () => {
    other = folder.window('other', {}, new UnwatchedStorage(folder.path));
    await begin();
    await other.store.listConversations();
    await one.store.deleteConversation('c');
    await one.store.purge('c');
    other.store.deletions.noteSeen('c');
    await other.store.readFolderChanges();
    assert.equal(getEvents(other, 'deletion').length, 1);
    await other.store.deletions.removeRemains('c');
    await other.store.readFolderChanges();
    assert.equal(getEvents(other, 'deletion').length, 1);
  });

  it('write one at a time: the second learns who holds the lease and can take it over', async () => {
    await begin();
    const lease = await one.store.acquireLease('c');
    assert.ok('release' in lease);
    const refused = await other.store.acquireLease('c');
    assert.equal('heldBy' in refused && refused.heldBy.owner, 'one');
    assert.equal((await openConversation(other.store, 'c')).heldBy?.owner, 'one');
    const taken = await other.store.takeOver('c');
    assert.ok('release' in taken);
    await waitFor(() => lease.lost.aborted);
    await lease.release();
    assert.equal('heldBy' in (await one.store.acquireLease('c')), true);
    await taken.release();
    const again = await one.store.acquireLease('c');
    assert.ok('release' in again);
    await again.release();
    assert.equal((await readdir(folder.path)).includes('c.lease'), false);
  });

  it('notice by their heartbeat that a lease was taken over, even if it was released again right away', async () => {
    // Without a store nothing watches the folder.
    const times = { ...DEFAULT_LEASE_TIMES, heartbeatMs: 20 };
    const [first, second] = ['one', 'other'].map(
      (owner) => new Leases(new NodeStorage(folder.path), owner, times),
    );
    assert.ok(first && second);
    const lease = await first.acquire('c');
    assert.ok('release' in lease);
    const taken = await second.acquire('c', true);
    assert.ok('release' in taken);
    await taken.release();
    await waitFor(() => lease.lost.aborted);
    await lease.release();
    await waitFor(async () => (await readdir(folder.path)).length === 0);
  });

  it('can acquire a lease while their previous one is being released or acquired', async () => {
    const first = await one.store.acquireLease('c');
    assert.ok('release' in first);
    const released = first.release();
    const [second, third] = await Promise.all([one.store.acquireLease('c'), one.store.acquireLease('c')]);
    await released;
    assert.ok('release' in second && 'release' in third);
    assert.ok((await readdir(folder.path)).includes('c.lease'));
    await Promise.all([second.release(), third.release()]);
  });

  it('never report themselves as another writer', async () => {
    await begin();
    await openConversation(one.store, 'c');
    for (let round = 0; round < 100; round++) {
      const lease = await one.store.acquireLease('c');
      assert.ok('release' in lease);
      await lease.release();
    }
    // Events about another window come after all earlier events of the folder.
    await openConversation(other.store, 'c');
    other.store.appendToTranscript('c', message('last', 'The last'));
    await waitFor(() => getEvents(one, 'records').length > 0);
    assert.deepEqual(getEvents(one, 'writer'), []);
  });

  it('keep a lease until its last user releases it', async () => {
    await begin();
    const { store } = folder.window('one', { heartbeatMs: 20 });
    const [first, second] = [await store.acquireLease('c'), await store.acquireLease('c')];
    assert.ok('release' in first && 'release' in second);
    await first.release();
    const name = path.join(folder.path, 'c.lease');
    const { mtimeMs } = await stat(name);
    await waitFor(async () => (await stat(name)).mtimeMs > mtimeMs);
    assert.ok('heldBy' in (await other.store.acquireLease('c')));
    await second.release();
  });

  it('take over when the writer sends no heartbeats, and the writer learns that its lease is lost', async () => {
    await begin();
    one.store.appendToTranscript('c', reply('r'));
    one.store.appendToTranscript('c', chunk('r', 'half'));
    await one.store.flush('c');
    const later = folder.window('later', leaseTimes);
    const name = path.join(folder.path, 'c.lease');
    await writeFile(name, 'token 1000 a window that crashed');
    const written = new Date(now);
    await utimes(name, written, written);
    const { heldBy, conversation } = await openConversation(later.store, 'c');
    assert.equal(heldBy?.owner, 'a window that crashed');
    const last = conversation.turns.at(-1);
    assert.equal(last?.kind === 'reply' && last.ending, undefined);
    // The list goes by the times of files, which no clock of a test can stop.
    const patient = folder.window('patient', { staleMs: 600_000 });
    assert.equal((await patient.store.listConversations()).conversations[0]?.streaming, true);
    now += leaseTimes.staleMs;
    const event = await waitFor(() => getEvents(later, 'writer').find((each) => each.heldBy === undefined));
    assert.equal(event.id, 'c');
    assert.equal((await later.store.listConversations()).conversations[0]?.streaming, false);
    const turn = (await readAllTurns(later.store, 'c')).at(-1);
    assert.equal(turn?.kind === 'reply' && turn.ending, 'interrupted');
    const lease = await later.store.acquireLease('c');
    assert.ok('release' in lease);
  });

  it('report when another starts and stops writing', async () => {
    await begin();
    await openConversation(other.store, 'c');
    const lease = await one.store.acquireLease('c');
    assert.ok('release' in lease);
    await waitFor(() => getEvents(other, 'writer').at(-1)?.heldBy?.owner === 'one');
    await lease.release();
    await waitFor(() => getEvents(other, 'writer').at(-1)?.heldBy === undefined);
  });

  it('read the end of a reply before they report that its writer stopped', async () => {
    await begin();
    const events: StoreEvent['type'][] = [];
    const onError = (error: unknown) => assert.fail(String(error));
    const unwatched = new ConversationStore(
      new UnwatchedStorage(folder.path),
      'unwatched',
      onError,
      // It takes the writer for alive, however slow the machine is.
      { ...leaseTimes, staleMs: 600_000 },
    );
    unwatched.onStoreEvent(({ type }) => events.push(type));
    const lease = await one.store.acquireLease('c');
    assert.ok('release' in lease);
    one.store.appendToTranscript('c', reply('r'));
    await one.store.flush('c');
    assert.equal((await openConversation(unwatched, 'c')).heldBy?.owner, 'one');
    one.store.appendToTranscript('c', ended('r'));
    await one.store.flush('c');
    await lease.release();
    await unwatched.reportWriter('c');
    assert.deepEqual(events, ['records', 'writer']);
    await unwatched.dispose();
  });

  it('keep drafts across a restart, with no file for an empty one', async () => {
    one.store.drafts.set('c', 'typed ');
    one.store.drafts.set('c', 'typed last');
    assert.equal(await one.store.drafts.get('c'), 'typed last');
    await waitFor(async () => (await readdir(folder.path)).includes('c.draft'));
    assert.equal(await other.store.drafts.get('c'), 'typed last');
    one.store.drafts.set('d', 'unsaved yet');
    one.store.drafts.set('c', '');
    await one.store.dispose();
    assert.equal(await other.store.drafts.get('d'), 'unsaved yet');
    assert.equal((await readdir(folder.path)).includes('c.draft'), false);
  });
});
