import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { HeldStorage } from '../support/heldStorage';
import { MachineState } from '../support/memoryMirror';
import { type MirroredWindow, openMirroredWindow } from '../support/mirroredWindow';
import { RefusingStorage } from '../support/refusingStorage';

const DAY_MS = 24 * 3600_000;

describe('Conversations whose storage folder was lost', () => {
  let fixture: ChatFixture;
  let state: MachineState;
  let windows: MirroredWindow[];
  let folders: string[];
  let folder: string;

  const open = (storage = new NodeStorage(folder), onError?: (error: unknown) => void) => {
    const window = openMirroredWindow(fixture, storage, state, onError);
    windows.push(window);
    return window;
  };
  const useNewFolder = async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-mirror-'));
    folders.push(folder);
  };
  /** Opens a window on a rebuilt container. */
  const reopen = async (window: MirroredWindow) => {
    await close(window);
    await useNewFolder();
    return open();
  };
  /** Opens a window on another machine, to which Settings Sync brought the synced part. */
  const openOnOtherMachine = async () => {
    const synced = state.parts.get('synced');
    state = new MachineState();
    if (synced !== undefined) state.parts.set('synced', synced);
    await useNewFolder();
    return open();
  };
  const close = async (window: MirroredWindow) => {
    windows = windows.filter((each) => each !== window);
    await window.close();
  };
  /** Creates a disk that creates the transcript that is written first, but is too full to write it. */
  const createDiskThatRefusesOne = () => {
    const storage = new RefusingStorage(folder);
    let refused: string | undefined;
    storage.refuses = (step, name) => {
      if (step !== 'append' || !name.endsWith('.jsonl')) return false;
      refused ??= name;
      if (name === refused) writeFileSync(path.join(folder, name), '', { flag: 'a' });
      return name === refused;
    };
    return storage;
  };
  const countSent = () =>
    fixture.service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;
  const seen = (list: Awaited<ReturnType<MirroredWindow['list']>>) =>
    list
      .map(({ name, pinned, archived = false }) => ({ name, pinned, archived }))
      .toSorted((a, b) => a.name.localeCompare(b.name));

  beforeEach(async () => {
    fixture = await startChat();
    state = new MachineState();
    windows = [];
    folders = [];
    await useNewFolder();
  });
  afterEach(async () => {
    for (const window of windows) await window.close();
    await fixture.close();
    for (const each of folders) await rm(each, { recursive: true, force: true });
  });

  it('are listed again with their pins, archive states and names, and read from the service when they are opened', async () => {
    const before = open();
    const pinned = await before.say('Pinned');
    before.chat.setPinned(pinned, true);
    await before.remote.rename(pinned, 'My name');
    const archived = await before.say('Archived');
    await before.chat.setArchived(archived, true);
    await before.say('Ordinary');
    await before.chat.load();
    const after = await reopen(before);
    assert.deepEqual(seen(await after.list()), [
      { name: 'Archived', pinned: false, archived: true },
      { name: 'My name', pinned: true, archived: false },
    ]);
    assert.deepEqual(
      (await after.fromService.list()).map(({ name }) => name),
      ['Ordinary'],
    );
    // Its id is the same, so links and open tabs find it.
    const opened = await after.chat.openConversation(pinned);
    assert.equal(opened?.turns.length, 0);
    await after.messageSync.fetchMessages(pinned);
    const texts = after.chat.findConversation(pinned)?.turns.map((turn) => 'text' in turn && turn.text);
    assert.deepEqual(texts, ['Pinned', 'Pinned']);
    assert.equal(after.chat.findConversation(pinned)?.bot?.id, 'echo');
    await after.chat.whenSaved(pinned);
    // What was read is stored as usual.
    await close(after);
    const restarted = open();
    assert.equal((await restarted.chat.openWhole(pinned))?.turns.length, 2);
    assert.equal((await restarted.list()).length, 2);
  });

  it('have their draft, chips and queue, which is paused and sends nothing by itself', async () => {
    const before = open();
    const id = await before.say('First');
    before.chat.composers.setDraft(id, 'A draft');
    const chip = { id: 'c', kind: 'selection', name: 'a.ts', text: 'text' } as const;
    before.chat.composers.setState(id, { context: [chip] });
    await before.chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
    const after = await reopen(before);
    const sent = countSent();
    assert.deepEqual(seen(await after.list()), [{ name: 'First', pinned: false, archived: false }]);
    const opened = await after.chat.openConversation(id);
    assert.equal(opened?.draft, 'A draft');
    assert.deepEqual(opened?.composing?.context, [chip]);
    assert.deepEqual([opened?.queue?.paused, opened?.queue?.messages[0]?.text], ['reopened', 'Queued']);
    await after.messageSync.fetchMessages(id);
    assert.equal(after.chat.findConversation(id)?.queue?.paused, 'reopened');
    assert.equal(countSent(), sent);
  });

  it('ask before they send a queued message that a window with another folder may have sent', async () => {
    const local = open();
    const id = await local.say('First');
    await local.chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
    await useNewFolder();
    const remote = open();
    await remote.list();
    local.queueRunner.resume(id);
    await waitUntil('the message is sent', () => local.chat.findConversation(id)?.queue === undefined);
    await local.replies.whenDone(id);
    const sent = countSent();
    await remote.chat.openConversation(id);
    await remote.messageSync.fetchMessages(id);
    await remote.queueRunner.resume(id);
    await waitUntil(
      'the queue is paused again',
      () => remote.chat.findConversation(id)?.queue?.paused === 'maybeSent',
    );
    assert.equal(countSent(), sent);
    // Unless the user sends it all the same.
    assert.equal(await remote.queueRunner.sendNow(id, 'q'), 'sent');
    await remote.replies.whenDone(id);
    assert.equal(countSent(), sent + 1);
  });

  it('have no draft and no queue that were sent before', async () => {
    const before = open();
    const id = await before.say('First');
    before.chat.setPinned(id, true);
    before.chat.composers.setDraft(id, 'A draft');
    await before.chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }]);
    await waitUntil('the message is sent', async () => {
      before.queueRunner.resume(id);
      return before.chat.findConversation(id)?.queue === undefined;
    });
    await before.replies.whenDone(id);
    before.chat.composers.setDraft(id, '');
    const after = await reopen(before);
    await after.list();
    const opened = await after.chat.openConversation(id);
    assert.deepEqual([opened?.draft, opened?.queue], ['', undefined]);
  });

  it('have the mark of a queued message that was being sent, even if the window was killed', async () => {
    const before = open();
    const id = await before.say('First');
    await before.chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
    const permission = await before.chat.acquirePermission(id);
    assert.ok(permission && (await before.chat.queues.markSending(permission, 'q')));
    await permission.release();
    // A killed window writes nothing more.
    const killed = new Map(state.parts);
    await close(before);
    state = new MachineState();
    for (const [part, text] of killed) state.parts.set(part, text);
    await useNewFolder();
    const after = open();
    await after.list();
    assert.equal((await after.chat.openConversation(id))?.queue?.messages[0]?.sending, true);
  });

  it('do not come back if they were deleted, neither listed here nor as only on the service', async () => {
    const before = open();
    const id = await before.say('A secret');
    before.chat.setPinned(id, true);
    before.chat.composers.setDraft(id, 'A draft');
    const isMirrored = (text: string) => [...state.parts.values()].some((part) => part.includes(text));
    await waitUntil('the draft is mirrored', async () => isMirrored('A draft') && isMirrored('A secret'));
    // The service keeps it.
    await before.chat.deleteConversation(id);
    await before.chat.purge(id);
    const after = await reopen(before);
    assert.deepEqual([await after.list(), await after.fromService.list()], [[], []]);
    assert.equal(await after.chat.openConversation(id), undefined);
    assert.deepEqual([isMirrored('A draft'), isMirrored('A secret')], [false, false]);
    assert.equal(fixture.service.conversations.size, 1);
    // Unless the user opens it all the same, such as with a link.
    const [remoteId = ''] = fixture.service.conversations.keys();
    const opened = await after.fromService.openFromService(remoteId);
    assert.equal(after.chat.getSummary(opened)?.pinned, false);
  });

  it('come back if their deletion was undone', async () => {
    const before = open();
    const id = await before.say('Kept');
    before.chat.setPinned(id, true);
    await before.chat.deleteConversation(id);
    await before.chat.undelete(id);
    const after = await reopen(before);
    assert.deepEqual(seen(await after.list()), [{ name: 'Kept', pinned: true, archived: false }]);
  });

  it('are not added again while a disk refuses to undo their deletion', async () => {
    const storage = new RefusingStorage(folder);
    const before = open(storage);
    const id = await before.say('Kept');
    before.chat.setPinned(id, true);
    await before.chat.deleteConversation(id);
    storage.refuses = (step) => step === 'rename';
    await assert.rejects(before.chat.undelete(id), /Refused/);
    await close(before);
    const after = open();
    await after.list();
    await waitUntil('it is restored', () => after.chat.getSummary(id));
    assert.deepEqual(seen(await after.list()), [{ name: 'Kept', pinned: true, archived: false }]);
  });

  it('stay listed at the next start if they were archived and then continued', async () => {
    const before = open();
    const id = await before.say('First');
    await before.chat.setArchived(id, true);
    assert.equal(await before.replies.send(id, 'Second'), 'sent');
    await before.replies.whenDone(id);
    await close(before);
    const after = open();
    assert.deepEqual(seen(await after.list()), [{ name: 'First', pinned: false, archived: false }]);
  });

  it('are listed again although the folder can’t be listed to forget what is left of deleted ones', async () => {
    const before = open();
    before.chat.setPinned(await before.say('First'), true);
    const deleted = await before.say('Second');
    before.chat.setPinned(deleted, true);
    await before.chat.deleteConversation(deleted);
    await before.chat.purge(deleted);
    await close(before);
    for (const part of ['synced', 'local'] as const) {
      const items = Object.entries(state.read(part) as Record<string, { at: number }>).map(([key, item]) =>
        key.startsWith('deleted ') ? [key, { ...item, at: item.at - 2 * DAY_MS }] : [key, item],
      );
      state.parts.set(part, JSON.stringify(Object.fromEntries(items)));
    }
    await useNewFolder();
    const storage = new RefusingStorage(folder);
    const errors: unknown[] = [];
    const after = open(storage, (error) => errors.push(error));
    // Once the list was read, and abandoned deletions were looked for.
    await after.chat.load();
    storage.refuses = (step) => step === 'list' && errors.length === 0;
    assert.deepEqual(seen(await after.list()), [{ name: 'First', pinned: true, archived: false }]);
    assert.match(String(errors), /Refused to list/);
  });

  it('are not added again if they can’t be read at first', async () => {
    const before = open();
    const id = await before.say('First');
    before.chat.setPinned(id, true);
    await before.remote.rename(id, 'My name');
    await before.chat.whenSaved(id);
    await close(before);
    await rm(path.join(folder, 'index.json'));
    const transcript = path.join(folder, `${id}.jsonl`);
    const stored = await readFile(transcript, 'utf8');
    const storage = new RefusingStorage(folder);
    let reads = 0;
    storage.refuses = (step, name) => step === 'read' && name === path.basename(transcript) && reads++ === 0;
    const errors: unknown[] = [];
    const after = open(storage, (error) => errors.push(error));
    await after.list();
    assert.match(String(errors), /Refused to read/);
    await after.chat.readListChanges();
    assert.deepEqual(seen(after.chat.listConversations()), [
      { name: 'My name', pinned: true, archived: false },
    ]);
    await close(after);
    assert.equal(await readFile(transcript, 'utf8'), stored);
  });

  for (const where of ['on the same machine', 'on another machine, by their names on the service']) {
    it(`are listed again ${where}, although a disk refuses one of them, which is reported and listed later`, async () => {
      const before = open();
      const names = ['First', 'Second', 'Third'];
      for (const name of names) before.chat.setPinned(await before.say(name), true);
      await close(before);
      const synced = state.parts.get('synced') ?? assert.fail();
      if (where !== 'on the same machine') state = new MachineState();
      state.parts.set('synced', synced);
      await useNewFolder();
      const storage = createDiskThatRefusesOne();
      const errors: unknown[] = [];
      const after = open(storage, (error) => errors.push(error));
      await waitUntil('the others are listed', async () => (await after.list()).length === 2);
      await waitUntil('the refusal is reported', () => errors.length === 1);
      storage.refuses = () => false;
      await after.conversationMirror.restoreConversations();
      await waitUntil('all are listed', async () => (await after.list()).length === 3);
      assert.deepEqual((await after.list()).map(({ name }) => name).toSorted(), names);
    });
  }

  for (const extension of ['.draft', '.composing.draft', '.queue'])
    it(`are not listed without their ${extension} file if the disk refuses it until the window closes, but at the next start`, async () => {
      const before = open();
      const id = await before.say('First');
      before.chat.composers.setDraft(id, 'A draft');
      const chip = { id: 'c', kind: 'selection', name: 'a.ts', text: 'text' } as const;
      before.chat.composers.setState(id, { context: [chip] });
      await before.chat.queues.change(id, () => [{ id: 'q', text: 'Queued', context: [] }], 'stopped');
      await close(before);
      await useNewFolder();
      const storage = new RefusingStorage(folder);
      storage.refuses = (step, name) => step === 'replace' && name === `${id}${extension}`;
      const errors: unknown[] = [];
      const refused = open(storage, (error) => errors.push(error));
      assert.deepEqual(await refused.list(), []);
      assert.match(String(errors), /Refused to replace/);
      await close(refused);
      const after = open();
      assert.equal((await after.list()).length, 1);
      const { draft, composing, queue } = (await after.chat.openConversation(id)) ?? assert.fail();
      assert.deepEqual([draft, composing?.context], ['A draft', [chip]]);
      assert.equal(queue?.messages[0]?.text, 'Queued');
    });

  it('that a disk refuses when the window closes don’t keep what was typed from being saved', async () => {
    const before = open();
    const lost = await before.say('Lost');
    before.chat.setPinned(lost, true);
    await close(before);
    await useNewFolder();
    const storage = new HeldStorage(folder, `${lost}.jsonl`);
    const after = open(storage, () => undefined);
    void after.chat.load();
    await storage.isReading;
    const { id } = after.chat.createConversation({ id: 'echo', name: 'Echo' });
    after.chat.composers.setDraft(id, 'Typed');
    storage.appendFile = (name) => Promise.reject(new Error(`Refused to append ${name}`));
    const closing = close(after);
    storage.release();
    await closing;
    assert.equal(await open().chat.composers.getDraft(id), 'Typed');
  });

  it('are restored when the one shown last is opened, before any list is read', async () => {
    const before = open();
    const id = await before.say('Shown');
    before.chat.composers.setDraft(id, 'A draft');
    const after = await reopen(before);
    assert.equal((await after.chat.openConversation(id))?.draft, 'A draft');
    assert.equal((await after.list()).length, 1);
  });

  it('have the draft of a conversation that was on no service yet', async () => {
    const before = open();
    const { id } = before.chat.createConversation({ id: 'echo', name: 'Echo' });
    before.chat.composers.setDraft(id, 'Not sent yet');
    const after = await reopen(before);
    assert.equal(await after.chat.openConversation(id), undefined);
    assert.equal(await after.chat.composers.getDraft(id), 'Not sent yet');
  });

  it('are added once by two windows that start at the same time', async () => {
    const before = open();
    before.chat.setPinned(await before.say('Pinned'), true);
    await close(before);
    await useNewFolder();
    const [one, other] = [open(), open()];
    await Promise.all([one.list(), other.list()]);
    await Promise.all([one.chat.readListChanges(), other.chat.readListChanges()]);
    assert.deepEqual([one.chat.listConversations().length, other.chat.listConversations().length], [1, 1]);
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.jsonl')).length, 1);
  });

  it('are added once although another window adds one between two looks', async () => {
    const before = open();
    before.chat.setPinned(await before.say('Pinned'), true);
    await close(before);
    await useNewFolder();
    const lists = new EventEmitter();
    const [isListed, mayAnswer] = [once(lists, 'listed'), once(lists, 'answer')];
    class LateStorage extends NodeStorage {
      #lists = 0;
      override async listNames() {
        const names = await super.listNames();
        // After the first list, it looks whether an ID is taken.
        if (++this.#lists > 1) {
          lists.emit('listed');
          await mayAnswer;
        }
        return names;
      }
    }
    const late = open(new LateStorage(folder));
    const listing = late.list();
    await isListed;
    await open().list();
    lists.emit('answer');
    await listing;
    await late.chat.readListChanges();
    assert.equal(late.chat.listConversations().length, 1);
    assert.equal((await readdir(folder)).filter((name) => name.endsWith('.jsonl')).length, 1);
  });

  it('are not added again by a window that hasn’t heard that another one deleted them', async () => {
    const window = open();
    const id = await window.say('Pinned');
    window.chat.setPinned(id, true);
    const other = open();
    await Promise.all([window.list(), other.list()]);
    await other.chat.deleteConversation(id);
    await other.chat.purge(id);
    await waitUntil('it is gone', () => window.chat.getSummary(id) === undefined);
    await window.conversationMirror.restoreConversations();
    assert.deepEqual(await window.list(), []);
  });

  it('have nothing left of a queue that a window was changing while another one deleted them', async () => {
    const disk = new EventEmitter();
    const [isWritten, mayAnswer] = [once(disk, 'written'), once(disk, 'answer')];
    class LateStorage extends NodeStorage {
      override async replaceFile(...[name, bytes]: Parameters<NodeStorage['replaceFile']>) {
        await super.replaceFile(name, bytes);
        if (name.endsWith('.queue') && disk.emit('written')) await mayAnswer;
      }
    }
    const [window, other] = [open(new LateStorage(folder)), open()];
    await Promise.all([window.list(), other.list()]);
    const id = await other.say('Deleted');
    await window.chat.openConversation(id);
    const message = { id: 'queued', text: 'Queued', context: [] };
    const changing = window.chat.queues.change(id, () => [message], 'stopped');
    await isWritten;
    await other.chat.deleteConversation(id);
    await other.chat.purge(id);
    await waitUntil('it is gone', () => !window.chat.findConversation(id));
    disk.emit('answer');
    await changing;
    await window.chat.readListChanges();
    assert.equal(await window.chat.openConversation(id), undefined);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith(id)),
      [],
    );
    await close(window);
    assert.ok(![...state.parts.values()].some((part) => part.includes('Queued')));
  });

  it('stay deleted although another window undid its own deletion of them just before', async () => {
    const disk = new EventEmitter();
    const [isAsked, mayCreate] = [once(disk, 'asked'), once(disk, 'create')];
    class LateStorage extends NodeStorage {
      override async createFile(...[name, bytes]: Parameters<NodeStorage['createFile']>) {
        if (name.endsWith('.deleted.lease') && disk.emit('asked')) await mayCreate;
        return super.createFile(name, bytes);
      }
    }
    const [window, other] = [open(new LateStorage(folder)), open()];
    await Promise.all([window.list(), other.list()]);
    const id = await other.say('Pinned');
    other.chat.setPinned(id, true);
    await window.chat.openConversation(id);
    const deleting = window.chat.deleteConversation(id);
    await isAsked;
    await other.chat.deleteConversation(id);
    await other.chat.undelete(id);
    disk.emit('create');
    assert.ok(await deleting);
    await window.chat.purge(id);
    await waitUntil('it is gone', () => other.chat.getSummary(id) === undefined);
    assert.equal(await other.chat.openConversation(id), undefined);
    await other.conversationMirror.restoreConversations();
    assert.deepEqual([await window.list(), await other.list()], [[], []]);
  });

  it('from another machine are listed by its names on the service, except those that this account does not have', async () => {
    const before = open();
    const [here, gone] = [await before.say('From the other machine'), await before.say('Gone')];
    before.chat.setPinned(here, true);
    before.chat.setPinned(gone, true);
    await before.mirror.flush();
    const goneId = before.chat.getRemotePlace(gone)?.id ?? '';
    await fixture.connect().client.deleteConversation(goneId);
    const other = await openOnOtherMachine();
    await other.list();
    await waitUntil('the conversation is listed', async () => other.chat.listConversations().length === 1);
    await other.conversationMirror.restoreConversations();
    assert.deepEqual(seen(other.chat.listConversations()), [
      { name: 'From the other machine', pinned: true, archived: false },
    ]);
  });

  it('of another service are not listed', async () => {
    const before = open();
    before.chat.setPinned(await before.say('Pinned'), true);
    fixture.useBaseUrl('http://127.0.0.1:9/api/v1');
    const after = await reopen(before);
    assert.deepEqual(await after.list(), []);
  });

  it('take over the pin, name and archive state that another machine changed last', async () => {
    const one = open();
    const id = await one.say('Shared');
    one.chat.setPinned(id, true);
    await one.list();
    const remote = one.chat.getRemotePlace(id);
    await one.mirror.flush();
    // What Settings Sync brings from the other machine.
    const at = Date.now() + 1000;
    const key = `${remote?.baseUrl} ${remote?.id}`;
    const synced = {
      [`pinned ${key}`]: { at },
      [`archived ${key}`]: { at, value: true },
      [`name ${key}`]: { at, value: 'Renamed there' },
    };
    state.parts.set('synced', JSON.stringify(synced));
    one.conversationMirror.refresh();
    await waitUntil('the changes are shown', async () => one.chat.getSummary(id)?.name === 'Renamed there');
    assert.deepEqual(seen(one.chat.listConversations()), [
      { name: 'Renamed there', pinned: false, archived: true },
    ]);
    await close(one);
    assert.deepEqual(seen(await open().list()), [{ name: 'Renamed there', pinned: false, archived: true }]);
  });

  it('take over what another machine changed although a disk refuses one of them', async () => {
    const before = open();
    const ids = [await before.say('First'), await before.say('Second')];
    const keys = ids.map((id) => {
      const { baseUrl, id: remoteId } = before.chat.getRemotePlace(id) ?? assert.fail();
      return `name ${baseUrl} ${remoteId}`;
    });
    await close(before);
    const item = { at: Date.now() + 1000, value: 'Renamed there' };
    state.parts.set('synced', JSON.stringify(Object.fromEntries(keys.map((key) => [key, item]))));
    const errors: unknown[] = [];
    const after = open(createDiskThatRefusesOne(), (error) => errors.push(error));
    const renamed = (await after.list()).filter(({ name }) => name === 'Renamed there');
    assert.deepEqual([renamed.length, errors.length], [1, 1]);
  });

  it('keep their pins and archive states when their deletion is undone after another window has started', async () => {
    const one = open();
    const [pinned, archived] = [await one.say('Pinned'), await one.say('Archived')];
    one.chat.setPinned(pinned, true);
    await one.list();
    await one.chat.setArchived(archived, true);
    const before = seen(await one.list());
    for (const id of [pinned, archived]) await one.chat.deleteConversation(id);
    await one.mirror.flush();
    const other = open();
    assert.deepEqual(await other.list(), []);
    await other.conversationMirror.restoreConversations();
    for (const id of [pinned, archived]) assert.equal(await one.chat.undelete(id), true);
    await one.mirror.flush();
    await other.mirror.flush();
    for (const window of [one, other]) await close(window);
    const after = open();
    await after.list();
    await after.conversationMirror.restoreConversations();
    assert.deepEqual(seen(after.chat.listConversations()), before);
  });

  it('keep their pins and drafts when their deletion is undone after a window with another folder has started', async () => {
    const one = open();
    const id = await one.say('Pinned');
    one.chat.setPinned(id, true);
    one.chat.composers.setDraft(id, 'A draft');
    await one.list();
    await one.mirror.flush();
    await close(one);
    const again = open();
    await again.chat.openConversation(id);
    await again.chat.deleteConversation(id);
    await again.mirror.flush();
    const ownFolder = folder;
    await useNewFolder();
    const other = open();
    assert.deepEqual(await other.list(), []);
    await other.mirror.flush();
    assert.equal(await again.chat.undelete(id), true);
    await again.mirror.flush();
    for (const window of [again, other]) await close(window);
    folder = ownFolder;
    const after = open();
    assert.deepEqual(seen(await after.list()), [{ name: 'Pinned', pinned: true, archived: false }]);
    // If that folder is lost, too.
    const rebuilt = await reopen(after);
    assert.deepEqual(seen(await rebuilt.list()), [{ name: 'Pinned', pinned: true, archived: false }]);
    assert.equal((await rebuilt.chat.openConversation(id))?.draft, 'A draft');
  });

  it('keep their pins and archive states if their file stays after their deletion on another machine', async () => {
    const one = open();
    const id = await one.say('Both');
    one.chat.setPinned(id, true);
    await one.list();
    await one.chat.setArchived(id, true);
    const before = seen(await one.list());
    const { baseUrl, id: remoteId } = one.chat.getRemotePlace(id) ?? assert.fail();
    await close(one);
    const deletion = { [`deleted ${baseUrl} ${remoteId}`]: { at: Date.now(), value: true } };
    state.parts.set('synced', JSON.stringify({ ...(state.read('synced') as object), ...deletion }));
    const after = open();
    await after.list();
    await after.conversationMirror.restoreConversations();
    assert.deepEqual(seen(after.chat.listConversations()), before);
  });

  it('stay unpinned although this window hasn’t read from the mirror that another one pinned them', async () => {
    const [one, two] = [open(), open()];
    const id = await one.say('Shared');
    await Promise.all([one.list(), two.list()]);
    await two.chat.openConversation(id);
    one.chat.setPinned(id, true);
    await Promise.all([one.mirror.flush(), one.chat.whenSaved(id)]);
    await two.chat.readChanges(id);
    assert.equal(two.chat.getSummary(id)?.pinned, true);
    two.chat.setPinned(id, false);
    await Promise.all([two.mirror.flush(), two.chat.whenSaved(id)]);
    one.mirror.refresh();
    await one.chat.readChanges(id);
    assert.deepEqual(
      [one, two].map(({ chat }) => chat.getSummary(id)?.pinned),
      [false, false],
    );
  });

  it('stay deleted if Settings Sync brings the deletion while they are pinned here', async () => {
    const one = open();
    const id = await one.say('Shared');
    const others = [await one.say('Second'), await one.say('Third')];
    const places = others.map((each) => one.chat.getRemotePlace(each));
    one.chat.setPinned(id, true);
    await one.list();
    await one.mirror.flush();
    const { baseUrl, id: remoteId } = one.chat.getRemotePlace(id) ?? assert.fail();
    const key = `${baseUrl} ${remoteId}`;
    // The other machine deleted it before it heard of the pin.
    state.parts.set(
      'synced',
      JSON.stringify({ [`deleted ${key}`]: { at: Date.now() - 2 * DAY_MS, value: true } }),
    );
    one.conversationMirror.refresh();
    await one.mirror.flush();
    // The file here stays, with its pin; and neither of the two changes is lost.
    assert.equal(one.chat.getSummary(id)?.pinned, true);
    const synced = state.read('synced') as Record<string, { value?: unknown }>;
    assert.deepEqual([synced[`deleted ${key}`]?.value, synced[`pinned ${key}`]?.value], [true, true]);
    const after = await reopen(one);
    assert.deepEqual(await after.list(), []);
    assert.deepEqual((await after.fromService.list()).map(({ name }) => name).toSorted(), [
      'Second',
      'Third',
    ]);
    assert.equal(after.mirror.get('pinned', key), undefined);
    assert.equal(await after.chat.openConversation(id), undefined);
    assert.equal(after.mirror.get('listed', key), undefined);
    // Nor does a later pin of a machine that still has it bring it to another one.
    const third = await openOnOtherMachine();
    await third.list();
    for (const [index, place] of places.entries()) {
      const pin = { at: Date.now() + 1000, value: true };
      const later = { [`pinned ${key}`]: pin, [`pinned ${place?.baseUrl} ${place?.id}`]: pin };
      state.parts.set('synced', JSON.stringify({ ...(state.read('synced') as object), ...later }));
      third.conversationMirror.refresh();
      // The services are asked in turns: the second begins when all of the first are listed.
      await waitUntil('one more is listed', async () => third.chat.listConversations().length > index);
    }
    assert.deepEqual(
      seen(third.chat.listConversations()).map(({ name }) => name),
      ['Second', 'Third'],
    );
  });

  it('keep pins from before there was a mirror', async () => {
    const before = open();
    const id = await before.say('Pinned long ago');
    before.chat.update(id, { pinned: true });
    await close(before);
    state = new MachineState();
    const updated = open();
    await updated.list();
    const after = await reopen(updated);
    assert.deepEqual(seen(await after.list()), [{ name: 'Pinned long ago', pinned: true, archived: false }]);
  });
});
