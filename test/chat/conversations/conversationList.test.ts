import assert from 'node:assert/strict';
import { appendFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DEFAULT_LEASE_TIMES } from '../../../src/chat/store/files/lease';
import type { Storage } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { createEndingStorage, type EndingStorage } from '../support/endingStorage';
import { HeldStorage } from '../support/heldStorage';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import { acquire } from '../support/writing';

describe('The list of conversations that a disk refused to list', () => {
  let fixture: ChatFixture;
  let other: ChatFixture;

  beforeEach(async () => {
    fixture = await startChat();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    await fixture.replies.whenDone(id);
    const storage = new RefusingStorage(fixture.folder);
    other = await fixture.otherWindow({ createStorage: () => storage });
    storage.refuses = (step) => step === 'list';
    await assert.rejects(other.chat.load(), /Refused/);
    storage.refuses = () => false;
  });
  afterEach(async () => {
    await other.close();
    await fixture.close();
  });

  const assertListed = async () => {
    // Pages wait for this.
    await other.chat.whenListed;
    assert.deepEqual(
      other.chat.listConversations().map(({ name }) => name),
      ['Hello'],
    );
  };

  it('is read when the window gets the focus', async () => {
    await other.chat.readListChanges();
    await assertListed();
  });

  it('is read for whatever needs it next', async () => {
    await other.chat.load();
    await assertListed();
  });
});

describe('The list of conversations', () => {
  it('has a change that comes while the file is read', async () => {
    const fixture = await startChat();
    const { id } = fixture.newConversation();
    await fixture.replies.send(id, 'Hello');
    await fixture.ended(id);
    await fixture.replies.whenDone(id);
    const disk = new HeldStorage(fixture.folder, `${id}.jsonl`);
    const other = await fixture.otherWindow({ createStorage: () => disk });
    const listing = other.chat.load();
    await disk.isReading;
    fixture.chat.update(id, { name: 'Renamed' });
    await fixture.chat.whenSaved(id);
    const refreshing = other.store.readFolderChanges(id);
    // It may only have been read when the first read has ended.
    await Promise.race([refreshing, setTimeout(50)]);
    disk.release();
    await Promise.all([listing, refreshing]);
    assert.equal(other.chat.getSummary(id)?.name, 'Renamed');
    await other.close();
    await fixture.close();
  });
});

describe('A conversation that is only listed, and that another window writes', () => {
  /** Timers of the reader wait for a little longer. */
  const STALE_MS = 50;
  let fixture: ChatFixture;
  let disk: EndingStorage;
  let writer: ChatFixture;
  let reader: ChatFixture;
  /** The reader's clock, in ms. */
  let time: number;
  let id: string;

  const openReader = (createStorage = (folder: string): Storage => new NodeStorage(folder)) =>
    fixture.otherWindow({
      createStorage,
      leaseTimes: { ...DEFAULT_LEASE_TIMES, staleMs: STALE_MS, now: () => time },
    });
  const isStreaming = (window = reader) => window.chat.getSummary(id)?.streaming;
  const getLeasePath = () => path.join(fixture.folder, `${id}.lease`);
  /** Lets the process of the writer end. */
  const crash = () => disk.endAfter(0);
  /** Lets the reader see no heartbeat for so long that the writer counts as gone. */
  const missHeartbeats = async () => {
    time += STALE_MS;
    await waitUntil('no reply streams', () => isStreaming() === false);
  };

  beforeEach(async () => {
    time = 0;
    fixture = await startChat();
    writer = await fixture.otherWindow({
      owner: 'writer',
      leaseTimes: { ...DEFAULT_LEASE_TIMES, heartbeatMs: 2 ** 30 },
      createStorage: (folder) => {
        disk = createEndingStorage(folder, () => undefined);
        return disk;
      },
    });
    reader = await openReader();
    await reader.chat.load();
    ({ id } = writer.newConversation());
    const permission = await acquire(writer.chat, id);
    writer.chat.writer.putTurn(permission, { kind: 'message', id: 'm', text: 'Question', at: 1 });
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;
    writer.chat.writer.putTurn(permission, reply);
    await writer.chat.whenSaved(id);
    await waitUntil('the reply streams', () => isStreaming());
    // It has seen the lease.
    await reader.store.watchWriter(id);
  });
  afterEach(async () => {
    // What a window that crashed can't remove.
    await writer.store.dispose();
    writer.takeErrors();
    await writer.close();
    await reader.close();
    await fixture.close();
  });

  it('is shown as streaming until its window crashes', async () => {
    crash();
    await missHeartbeats();
    assert.ok(reader.events.some((event) => event.type === 'changed' && event.conversationId === id));
  });

  it('is shown as streaming again when the heartbeats of its window return', async () => {
    crash();
    await missHeartbeats();
    await appendFile(getLeasePath(), ' ');
    await waitUntil('the reply streams', () => isStreaming());
  });

  it('is shown as streaming again when the window gets the focus, although nothing reported the heartbeats', async () => {
    crash();
    const unwatched = await openReader((folder) => new UnwatchedStorage(folder));
    await unwatched.chat.load();
    for (const passedMs of [0, STALE_MS]) {
      time += passedMs;
      await unwatched.store.watchWriter(id);
    }
    assert.equal(isStreaming(unwatched), false);
    await appendFile(getLeasePath(), ' ');
    await unwatched.chat.readListChanges();
    await waitUntil('the reply streams', () => isStreaming(unwatched));
    await unwatched.close();
  });

  it('isn’t shown as streaming after a restart if its window crashed long ago', async () => {
    crash();
    await utimes(getLeasePath(), 1, 1);
    const later = await openReader();
    await later.chat.load();
    await later.store.watchWriter(id);
    assert.equal(isStreaming(later), false);
    assert.deepEqual(later.events, []);
    await later.close();
  });
});
