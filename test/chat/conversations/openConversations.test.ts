import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { HeldStorage } from '../support/heldStorage';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import { acquire } from '../support/writing';

describe('A conversation that is being opened', () => {
  let fixture: ChatFixture;
  let id: string;
  const chip = (name: string) => ({ id: name, kind: 'selection', name, text: name }) as const;

  beforeEach(async () => {
    fixture = await startChat();
    const { chat, replies } = fixture;
    ({ id } = fixture.newConversation());
    await replies.send(id, 'Hello');
    await replies.whenDone(id);
    chat.composers.addContext(id, [chip('stored')]);
    await chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
    chat.composers.setQueuedEdit(id, { messageId: 'q', text: 'Typed' });
    await chat.whenSaved(id);
  });
  afterEach(() => fixture.close());

  it('keeps its chips and the text typed in its queue if a second caller adds a chip', async () => {
    const disk = new HeldStorage(fixture.folder, `${id}.composing.draft`);
    const other = await fixture.otherWindow({ createStorage: () => disk });
    const opened = other.chat.openConversation(id);
    await disk.isReading;
    const added = other.chat
      .openConversation(id)
      .then(() => other.chat.composers.addContext(id, [chip('added')]));
    disk.release();
    await Promise.all([opened, added]);
    await other.close();
    const { context, queuedEdit } = await fixture.store.composers.get(id);
    assert.deepEqual([context, queuedEdit?.text], [[chip('stored'), chip('added')], 'Typed']);
  });

  it('is missing if its file was created, but never written', async () => {
    const { chat, folder } = fixture;
    await writeFile(path.join(folder, 'empty.jsonl'), '');
    assert.equal(await chat.openConversation('empty'), undefined);
    assert.equal(await chat.readConversation('empty'), undefined);
    assert.deepEqual([...(await chat.getTakenIds())], [id]);
    await chat.load();
    assert.deepEqual(
      chat.listConversations().map((each) => each.id),
      [id],
    );
  });

  it('isn’t left open if another window deletes it while it is read', async () => {
    let answer: () => void = () => undefined;
    const isRead = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let release: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      release = resolve;
    });
    class SlowStorage extends UnwatchedStorage {
      isSlow = false;
      override async readFile(...[name, ...range]: Parameters<NodeStorage['readFile']>) {
        const bytes = await super.readFile(name, ...range);
        if (!this.isSlow || name !== `${id}.jsonl`) return bytes;
        answer();
        await mayAnswer;
        return bytes;
      }
    }
    const disk = new SlowStorage(fixture.folder);
    const other = await fixture.otherWindow({ createStorage: () => disk });
    await other.chat.load();
    disk.isSlow = true;
    const opened = other.chat.openConversation(id);
    await isRead;
    await fixture.chat.deleteConversation(id);
    await other.chat.readListChanges();
    release();
    assert.equal(await opened, undefined);
    assert.equal(other.chat.findConversation(id), undefined);
    await other.close();
  });

  /** Opens a window in which reads of a file fail: by default, the first one. `read` counts from 1. */
  const openFailing = (failing: string, fails: (read: number) => boolean = (read) => read === 1) => {
    let reads = 0;
    class FailingStorage extends NodeStorage {
      override async readFile(...[name, ...range]: Parameters<NodeStorage['readFile']>) {
        if (name === failing && fails(++reads)) throw new Error('The disk failed');
        return super.readFile(name, ...range);
      }
    }
    return fixture.otherWindow({ createStorage: (folder) => new FailingStorage(folder) });
  };

  it('gets its chips and the text typed in its queue later if they can’t be read at once', async () => {
    const other = await openFailing(`${id}.composing.draft`);
    await other.chat.openConversation(id);
    assert.deepEqual(other.takeErrors().map(String), ['Error: The disk failed']);
    await other.until(({ type }) => type === 'composing');
    const { context, queuedEdit } = other.chat.findConversation(id)?.composing ?? assert.fail();
    assert.deepEqual([context, queuedEdit?.text], [[chip('stored')], 'Typed']);
    await other.close();
  });

  it('loses no chips and no text typed in its queue if a chip is added before they can be read', async () => {
    const other = await openFailing(`${id}.composing.draft`);
    await other.chat.openConversation(id);
    other.takeErrors();
    other.chat.composers.addContext(id, [chip('added')]);
    await other.chat.whenSaved(id);
    other.chat.composers.addContext(id, [chip('last')]);
    other.chat.composers.removeContext(id, ['added']);
    await other.close();
    const { context, queuedEdit } = await fixture.store.composers.get(id);
    assert.deepEqual([context, queuedEdit?.text], [[chip('stored'), chip('last')], 'Typed']);
  });

  it('loses no text typed in its queue if another message is edited before it can be read', async () => {
    let isBroken = true;
    const other = await openFailing(`${id}.composing.draft`, () => isBroken);
    await other.chat.openConversation(id);
    const edit = { messageId: 'q2', text: 'Another' };
    await other.chat.queues.change(id, (messages) => [
      ...messages,
      { id: 'q2', text: 'Queued', context: [] },
    ]);
    other.chat.composers.setQueuedEdit(id, edit);
    isBroken = false;
    await other.chat.whenSaved(id);
    assert.notDeepEqual(other.takeErrors(), []);
    const { draft, composing } = other.chat.findConversation(id) ?? assert.fail();
    assert.deepEqual([draft, composing?.queuedEdit], ['Typed', edit]);
    await other.close();
    const stored = await fixture.store.composers.get(id);
    assert.deepEqual([await fixture.store.drafts.get(id), stored.queuedEdit], ['Typed', edit]);
  });

  it('gets its chips only once if it is closed and opened again before they can be read', async () => {
    const other = await openFailing(`${id}.composing.draft`);
    await other.chat.openConversation(id);
    other.takeErrors();
    await fixture.chat.deleteConversation(id);
    await other.until(({ type }) => type === 'deleted');
    await fixture.chat.undelete(id);
    await other.chat.openConversation(id);
    await other.chat.whenSaved(id);
    assert.deepEqual(other.chat.findConversation(id)?.composing?.context, [chip('stored')]);
    await other.close();
  });

  it('shows what another window adds to its queue while the queue is read', async () => {
    const queued = (name: string) => ({ id: name, text: name, context: [] });
    await fixture.chat.queues.change(id, () => [queued('stored')], 'stopped');
    const disk = new EventEmitter();
    const isRead = once(disk, 'read');
    const isReleased = once(disk, 'released');
    class SlowStorage extends NodeStorage {
      override async readFile(...[name, ...range]: Parameters<NodeStorage['readFile']>) {
        const bytes = await super.readFile(name, ...range);
        if (name === `${id}.queue` && disk.emit('read')) await isReleased;
        return bytes;
      }
    }
    const other = await fixture.otherWindow({ createStorage: (folder) => new SlowStorage(folder) });
    const isReported = new Promise<void>((resolve) =>
      other.store.onStoreEvent(({ type }) => type === 'queue' && resolve()),
    );
    const opened = other.chat.openConversation(id);
    await isRead;
    await fixture.chat.queues.change(id, (messages) => [...messages, queued('added')]);
    await isReported;
    disk.emit('released');
    await opened;
    await other.chat.queues.whenSettled();
    assert.deepEqual(other.chat.findConversation(id)?.queue, {
      messages: [queued('stored'), queued('added')],
      paused: 'reopened',
    });
    await other.close();
  });

  it('shows a queue that can’t be read at once when the window gets the focus, and holds it back', async () => {
    const queued = (name: string) => ({ id: name, text: name, context: [] });
    await fixture.chat.queues.change(id, () => [queued('stored')], 'stopped');
    const other = await openFailing(`${id}.queue`);
    await other.chat.load();
    await other.chat.openConversation(id);
    assert.deepEqual(other.takeErrors().map(String), ['Error: The disk failed']);
    assert.equal(other.chat.findConversation(id)?.queue, undefined);
    await other.chat.readListChanges();
    await other.until(({ type }) => type === 'queue');
    assert.deepEqual(other.chat.findConversation(id)?.queue, {
      messages: [queued('stored')],
      paused: 'reopened',
    });
    await other.close();
  });

  it('holds back a queue that can’t be read at once when a message is added to it', async () => {
    const queued = (name: string) => ({ id: name, text: name, context: [] });
    await fixture.chat.queues.change(id, () => [queued('stored')], 'stopped');
    const other = await openFailing(`${id}.queue`);
    await other.chat.openConversation(id);
    other.takeErrors();
    assert.ok(await other.chat.queues.change(id, (messages) => [...messages, queued('added')]));
    assert.deepEqual(other.chat.findConversation(id)?.queue, {
      messages: [queued('stored'), queued('added')],
      paused: 'reopened',
    });
    await other.close();
  });

  it('gets its chips although the disk fails when it is checked which window writes it', async () => {
    const permission = await acquire(fixture.chat, id);
    let reads = 0;
    class FailingStorage extends UnwatchedStorage {
      override async readFile(...[name, ...range]: Parameters<UnwatchedStorage['readFile']>) {
        if (name === `${id}.lease` && ++reads === 2) throw new Error('The disk failed');
        return super.readFile(name, ...range);
      }
    }
    const other = await fixture.otherWindow({
      owner: 'other',
      createStorage: (folder) => new FailingStorage(folder),
    });
    const { heldByOtherWindow, composing } = (await other.chat.openConversation(id)) ?? assert.fail();
    assert.deepEqual([heldByOtherWindow, composing?.context], [true, [chip('stored')]]);
    assert.deepEqual(other.takeErrors().map(String), ['Error: The disk failed']);
    await permission.release();
    await other.close();
  });
});

describe('A conversation whose earlier turns a disk refused to read', () => {
  const LENGTH = 1000;
  let fixture: ChatFixture;
  let other: ChatFixture;

  beforeEach(async () => {
    fixture = await startChat();
    const { id: _, ...rest } = fixture.newConversation();
    const turns = Array.from({ length: LENGTH }, (__, index) => {
      return { kind: 'message', id: `m${index}`, text: 'What is moss? '.repeat(10), at: index } as const;
    });
    fixture.chat.importConversation({ ...rest, id: 'long', turns });
    await fixture.chat.whenSaved('long');
    const storage = new RefusingStorage(fixture.folder);
    other = await fixture.otherWindow({ createStorage: () => storage });
    await other.chat.load();
    // Once its last turns are read.
    storage.refuses = (step, name) =>
      step === 'read' && name === 'long.jsonl' && other.chat.findConversation('long') !== undefined;
    await other.chat.openConversation('long');
    await assert.rejects(other.chat.openWhole('long'), /Refused/);
    storage.refuses = () => false;
    other.takeErrors();
  });
  afterEach(async () => {
    await other.close();
    await fixture.close();
  });

  const assertWhole = async () => {
    await other.until(({ type }) => type === 'earlierTurns');
    const { earlier, turns } = other.chat.findConversation('long') ?? assert.fail();
    assert.deepEqual([earlier, turns.length], [false, LENGTH]);
  };

  it('gets them when it is opened again', async () => {
    await other.chat.openConversation('long');
    await assertWhole();
  });

  it('gets them when the window gets the focus', async () => {
    await other.chat.readListChanges();
    await assertWhole();
  });

  it('gets them for what needs all of it', async () => {
    assert.equal((await other.chat.openWhole('long'))?.turns.length, LENGTH);
    await assertWhole();
  });
});
