import assert from 'node:assert/strict';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { exportJson, importJson } from '../../../src/chat/export/conversationFile';
import { Forks } from '../../../src/chat/forks/forks';
import type { Conversation } from '../../../src/chat/model/conversation';
import { moveQueuedMessage, type QueuedMessage } from '../../../src/chat/model/queuedMessage';
import type { Turn } from '../../../src/chat/model/turn';
import { repeat } from '../../support/repetition';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { type FailingStep, getFailureKinds } from '../support/failingStorage';
import { MachineState } from '../support/memoryMirror';
import { type MirroredWindow, openMirroredWindow } from '../support/mirroredWindow';
import { createFile } from '../support/person';
import { createChip, createConversation, StoryRun } from './support/storyRun';

/** Folders that are worked in at the same time, each with a service. */
const LANES = 4;
/** Broken promises of a story after which no more steps fail. */
const MAX_BROKEN = 5;

interface Story {
  /** What was there before: the second window does it. */
  prepare?(run: StoryRun): Promise<void>;
  act(run: StoryRun): Promise<void>;
}

/** The conversation `moss` with one reply. */
async function prepareMoss(run: StoryRun): Promise<void> {
  const { other } = run;
  createConversation(other, 'moss');
  await run.send('moss', 'First', [], other);
}

/** A draft, chips and a paused queue in `moss`. */
async function prepareUnsent(run: StoryRun): Promise<void> {
  await prepareMoss(run);
  const { chat } = run.other;
  chat.composers.setDraft('moss', 'A draft');
  chat.composers.addContext('moss', [createChip('chip')]);
  const message = { id: 'queued', text: run.text('Queued'), context: [] };
  assert.ok(await chat.queues.change('moss', () => [message], 'stopped'));
  await chat.whenSaved('moss');
  run.expect('moss', { draft: 'A draft', chips: ['chip'], queued: [message.text] });
}

const message = (id: string, text: string) => ({ id, text, context: [] });

/** Three messages in the paused queue of `moss`. */
async function prepareQueue(run: StoryRun): Promise<void> {
  await prepareMoss(run);
  const { chat } = run.other;
  const queued = ['Second', 'Third', 'Fourth'].map((text) => message(text, run.text(text)));
  await chat.whenSaved('moss');
  assert.ok(await chat.queues.change('moss', () => queued, 'stopped'));
  run.expect('moss', { queued: queued.map(({ text }) => text) });
}

/** Expects queued messages to have been sent, in this order. */
function expectSent(run: StoryRun, ...texts: readonly string[]): void {
  const { messages = [] } = run.expectation('moss');
  run.expect('moss', { messages: [...messages, ...texts.map((text) => run.text(text))], queued: [] });
}

const changeQueue = (
  run: StoryRun,
  change: (messages: readonly QueuedMessage[]) => readonly QueuedMessage[],
) =>
  run.insist(
    () => run.window.chat.queues.change('moss', change),
    (isChanged) => isChanged,
  );

/** A mirrored conversation `moss` of a window that was closed; returns what opens the next one. */
async function prepareMirrored(run: StoryRun) {
  const { home } = run;
  const state = new MachineState();
  const open = (isFailing: boolean) =>
    openMirroredWindow(home, run.folder.createStorage(home.folder, isFailing), state, (error) =>
      run.checkErrors([error]),
    );
  const before = open(false);
  await before.chat.load();
  createConversation(before, 'moss');
  await run.send('moss', 'First', [], before);
  before.chat.setPinned('moss', true);
  before.chat.composers.setDraft('moss', 'A draft');
  before.chat.composers.addContext('moss', [createChip('chip')]);
  const queued = run.text('Queued');
  assert.ok(await before.chat.queues.change('moss', () => [message('queued', queued)], 'stopped'));
  await before.close();
  run.expect('moss', { pinned: true, draft: 'A draft', chips: ['chip'], queued: [queued] });
  return open;
}

const stories: Record<string, Story> = {
  'sends a first message with a chip': {
    async act(run) {
      createConversation(run.window, 'moss');
      await run.send('moss', 'First', ['chip']);
      await run.other.chat.readListChanges();
      await run.open('moss', run.other);
    },
  },
  'opens a conversation and goes on': {
    prepare: prepareMoss,
    async act(run) {
      await run.open('moss');
      await run.send('moss', 'Second');
    },
  },
  'types a draft, adds chips and takes one away': {
    prepare: prepareMoss,
    async act(run) {
      const { composers } = run.window.chat;
      await run.open('moss');
      composers.setDraft('moss', 'A draft');
      composers.addContext('moss', [createChip('one'), createChip('two')]);
      await run.save('moss');
      composers.setDraft('moss', 'Another draft');
      composers.removeContext('moss', ['one']);
      await run.save('moss');
      run.expect('moss', { draft: 'Another draft', chips: ['two'] });
    },
  },
  'queues a message and edits it': {
    prepare: prepareMoss,
    async act(run) {
      const { window, home } = run;
      const { chat } = window;
      await run.open('moss');
      const script = home.service.script();
      chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss');
      await script.opened;
      chat.composers.setDraft('moss', run.text('Third'));
      chat.composers.addContext('moss', [createChip('chip')]);
      assert.equal(await run.submit('moss'), 'queued');
      const { id: messageId = '' } = chat.findConversation('moss')?.queue?.messages[0] ?? {};
      chat.queues.setEditing('moss', messageId);
      chat.composers.setQueuedEdit('moss', { messageId, text: run.text('Edited') });
      await changeQueue(run, (messages) => messages.map((each) => ({ ...each, text: run.text('Edited') })));
      chat.composers.setQueuedEdit('moss', undefined);
      chat.queues.setEditing('moss', undefined);
      const { messages = [] } = run.expectation('moss');
      run.expect('moss', { messages: [...messages.slice(0, -1), `${run.text('Edited')}\n\nchip`] });
      script.end();
      await run.settle('moss');
    },
  },
  'moves, edits and removes queued messages': {
    prepare: prepareQueue,
    async act(run) {
      const { composers } = run.window.chat;
      await run.open('moss');
      await changeQueue(run, (messages) =>
        messages[2]?.id === 'Fourth' ? moveQueuedMessage(messages, 'Fourth', -1) : messages,
      );
      composers.setQueuedEdit('moss', { messageId: 'Third', text: run.text('Edited') });
      await changeQueue(run, (messages) =>
        messages.map((each) => (each.id === 'Third' ? { ...each, text: run.text('Edited') } : each)),
      );
      composers.setQueuedEdit('moss', undefined);
      await changeQueue(run, (messages) => messages.filter(({ id }) => id !== 'Second'));
      await run.save('moss');
      run.expect('moss', { queued: [run.text('Fourth'), run.text('Edited')] });
    },
  },
  'goes on with a waiting queue': {
    prepare: prepareQueue,
    async act(run) {
      await run.open('moss');
      await run.window.queueRunner.resume('moss');
      await run.settle('moss');
      expectSent(run, 'Second', 'Third', 'Fourth');
    },
  },
  'sends one message of a waiting queue at once': {
    prepare: prepareQueue,
    async act(run) {
      const { window } = run;
      await run.open('moss');
      await run.until('it is sent', async () => {
        const result = await window.queueRunner.sendNow('moss', 'Third').catch((error: unknown) => {
          assert.ok(run.folder.isFailure(error), `${error}`);
        });
        if (result === 'sent') return true;
        assert.ok(run.folder.hasFailed, `not sent: ${result}`);
        await run.list();
        return false;
      });
      await window.replies.whenDone('moss');
      await run.save('moss');
      expectSent(run, 'Third');
      run.expect('moss', { queued: [run.text('Second'), run.text('Fourth')] });
    },
  },
  'stops a reply that a message waits for': {
    prepare: prepareMoss,
    async act(run) {
      const { window, home } = run;
      const { chat } = window;
      await run.open('moss');
      const script = home.service.script();
      chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss');
      await script.opened;
      const queued = message('third', run.text('Third'));
      await changeQueue(run, () => [queued]);
      window.queueRunner.stop('moss');
      await window.replies.whenDone('moss');
      script.end();
      await run.save('moss');
      run.expect('moss', { interrupted: { [run.text('Second')]: 'stopped' }, queued: [queued.text] });
    },
  },
  'unpins a conversation and takes one out of the archive': {
    async prepare(run) {
      await prepareMoss(run);
      createConversation(run.other, 'fern');
      await run.send('fern', 'Fern', [], run.other);
      for (const id of ['moss', 'fern']) {
        run.other.chat.setPinned(id, true);
        await run.other.chat.setArchived(id, true);
        await run.other.chat.whenSaved(id);
      }
    },
    async act(run) {
      const { chat } = run.window;
      await run.list();
      await run.open('moss');
      chat.setPinned('moss', false);
      await run.insist(() => chat.setArchived('moss', false));
      await run.save('moss');
      await run.insist(() => chat.setArchived('fern', false));
      run.expect('fern', { pinned: true });
    },
  },
  'exports a conversation and imports it as a copy': {
    prepare: prepareMoss,
    async act(run) {
      const { chat } = run.window;
      await run.insist(() => chat.load());
      const read = (await run.insist(() => chat.readConversation('moss'))) ?? assert.fail();
      const taken = await run.insist(() => chat.getTakenIds());
      assert.ok(taken.has('moss'));
      const { conversation } = importJson(new TextEncoder().encode(exportJson(read)), (id) => taken.has(id));
      chat.importConversation(conversation);
      const { id, name } = conversation;
      await run.save(id);
      run.expect(id, { messages: [run.text('First')], imported: 1, name });
    },
  },
  'imports a conversation again that was deleted': {
    prepare: prepareUnsent,
    async act(run) {
      const { chat } = run.window;
      await run.list();
      await run.insist(() => chat.deleteConversation('moss'));
      await run.folder.whenQuiet();
      await run.purge('moss');
      const taken = await run.insist(() => chat.getTakenIds());
      // If it couldn't be removed, a copy is made.
      assert.ok(run.folder.hasFailed || !taken.has('moss'));
      if (taken.has('moss')) return;
      run.expected.delete('moss');
      importTurns(run.window, run, [{ kind: 'message', id: 'One', text: 'One', at: 1 }]);
      await run.save('moss');
    },
  },
  'renames, pins and archives': {
    async prepare(run) {
      await prepareMoss(run);
      createConversation(run.other, 'fern');
      await run.send('fern', 'Fern', [], run.other);
    },
    async act(run) {
      const { chat, remote } = run.window;
      await run.list();
      await run.open('moss');
      await run.insist(() => remote.rename('moss', run.text('Renamed')));
      chat.setPinned('moss', true);
      await run.insist(() => chat.setArchived('moss', true));
      await run.save('moss');
      await run.insist(() => chat.setArchived('fern', true));
      await run.insist(() => chat.updateAnywhere('fern', { pinned: true }));
      run.expect('moss', { name: run.text('Renamed'), pinned: true, archived: true });
      run.expect('fern', { pinned: true, archived: true });
    },
  },
  'reads along while another window writes': {
    prepare: prepareMoss,
    async act(run) {
      const { other, home, window } = run;
      await run.list();
      await run.open('moss');
      await run.open('moss', other);
      const script = home.service.script();
      other.chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss', other);
      await script.opened;
      script.chunk(run.text('Some'));
      await other.until(({ type }) => type === 'chunk');
      await other.remote.rename('moss', run.text('Renamed'));
      await run.folder.whenQuiet();
      script.chunk(' more');
      script.end();
      await run.settle('moss', other);
      await run.upload('moss', 'notes.txt', other);
      other.chat.setPinned('moss', true);
      await run.save('moss', other);
      run.expect('moss', { name: run.text('Renamed'), pinned: true });
      await run.until('the reply is there', async () => {
        await run.list();
        return !window.chat.findConversation('moss')?.heldByOtherWindow;
      });
    },
  },
  'deletes a conversation and undoes it': {
    prepare: prepareUnsent,
    async act(run) {
      const { chat } = run.window;
      await run.insist(() => chat.load());
      await run.open('moss');
      await run.insist(() => chat.deleteConversation('moss'));
      await run.folder.whenQuiet();
      await chat.undelete('moss').catch((error: unknown) => {
        assert.ok(run.folder.isFailure(error));
        // It is restored at the next start.
        run.complete = [];
      });
    },
  },
  'deletes a conversation for good': {
    prepare: prepareUnsent,
    async act(run) {
      const { chat } = run.window;
      await run.insist(() => chat.load());
      await run.open('moss');
      chat.composers.setDraft('moss', 'Another draft');
      await run.insist(() => chat.deleteConversation('moss'));
      await run.folder.whenQuiet();
      await run.purge('moss');
    },
  },
  'has a conversation open that another window deletes': {
    prepare: prepareUnsent,
    async act(run) {
      const { window, other } = run;
      await run.insist(() => window.chat.load());
      await run.open('moss');
      window.chat.composers.setDraft('moss', 'Another draft');
      await other.chat.deleteConversation('moss');
      await run.folder.whenQuiet();
      await run.purge('moss', other);
      await run.folder.whenQuiet();
      // As far as it is still shown.
      window.chat.composers.addContext('moss', [createChip('late')]);
      window.chat.setPinned('moss', true);
      await window.chat.whenSaved('moss').catch(() => undefined);
      await run.folder.whenQuiet();
    },
  },
  'has a conversation open whose deletion another window undoes': {
    prepare: prepareUnsent,
    async act(run) {
      const { window, other } = run;
      await run.insist(() => window.chat.load());
      await run.open('moss');
      await other.chat.deleteConversation('moss');
      await run.folder.whenQuiet();
      await other.chat.undelete('moss');
      await run.folder.whenQuiet();
    },
  },
  'completes a deletion that a window left': {
    async prepare(run) {
      await prepareUnsent(run);
      createConversation(run.other, 'fern');
      await run.send('fern', 'Fern', [], run.other);
      const { folder } = run.home;
      const closed = await run.home.otherWindow();
      await closed.chat.deleteConversation('moss');
      await closed.chat.deleteConversation('fern');
      await closed.close();
      // It couldn't restore one of them.
      await writeFile(path.join(folder, 'fern.undone'), '');
      run.expected.set('moss', 'deleted');
    },
    async act(run) {
      await run.list();
      await run.insist(() => run.window.remote.completeDeletions());
      // What couldn't be done is done at the next start.
      if (run.folder.hasFailed) run.complete = [];
    },
  },
  'stops a reply, and sends a queued message at once': {
    prepare: prepareMoss,
    async act(run) {
      const { window, home } = run;
      const { chat, queueRunner } = window;
      await run.open('moss');
      const script = home.service.script();
      chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss');
      await script.opened;
      chat.composers.setDraft('moss', run.text('Third'));
      await run.submit('moss');
      const { id = '' } = chat.findConversation('moss')?.queue?.messages[0] ?? {};
      await run.insist(() => queueRunner.sendNow('moss', id));
      run.expect('moss', { interrupted: { [run.text('Second')]: 'stopped' } });
      await run.settle('moss');
      script.end();
    },
  },
  'continues in a fork': {
    prepare: prepareMoss,
    async act(run) {
      const { window } = run;
      const name = run.text('transcript.md');
      const forks = new Forks(window, () => createFile(name), 'fork');
      await run.list();
      const create = () => forks.create('moss', {});
      const id = (await run.insist(create)) ?? assert.fail();
      await run.until('it is uploaded', () => isUploaded(window.chat.findConversation(id)));
      await run.save(id);
      await run.save('moss');
      run.expect(id, { documents: [name], name: `${run.text('First')} (fork)` });
      const { forks: links } = await run.open('moss');
      assert.deepEqual(
        links?.map((link) => link.id),
        [id],
      );
    },
  },
  'closes the window and opens another one': {
    prepare: prepareMoss,
    async act(run) {
      const { chat } = run.window;
      await run.open('moss');
      await run.send('moss', 'Second');
      chat.composers.setDraft('moss', 'A draft');
      chat.composers.addContext('moss', [createChip('chip')]);
      const message = { id: 'queued', text: run.text('Queued'), context: [] };
      await run.insist(
        () => chat.queues.change('moss', () => [message], 'stopped'),
        (changed) => changed,
      );
      chat.composers.setQueuedEdit('moss', { messageId: 'queued', text: 'An edit' });
      await run.save('moss');
      await run.restart();
      await run.insist(() => run.window.chat.load());
      await run.open('moss');
      run.window.chat.composers.addContext('moss', [createChip('two')]);
      await run.save('moss');
      run.expect('moss', {
        draft: 'A draft',
        chips: ['chip', 'two'],
        queued: [message.text],
        queuedEdit: 'An edit',
      });
    },
  },
  'closes the window while a reply is coming': {
    prepare: prepareMoss,
    async act(run) {
      const { window, home } = run;
      await run.open('moss');
      const script = home.service.script();
      window.chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss');
      await script.opened;
      await run.restart();
      await run.open('moss');
      run.expect('moss', { interrupted: { [run.text('Second')]: 'interrupted' } });
      script.end();
    },
  },
  'writes a conversation again whose file was lost': {
    prepare: prepareMoss,
    async act(run) {
      await run.open('moss');
      await run.folder.whenQuiet();
      await rm(path.join(run.home.folder, 'moss.jsonl'));
      // The other one isn't told.
      run.complete = ['one'];
      run.window.chat.setPinned('moss', true);
      await run.save('moss');
      await run.send('moss', 'Second');
      run.expect('moss', { pinned: true });
    },
  },
  'starts with a mirror, and the folder is there': {
    async prepare(run) {
      const open = await prepareMirrored(run);
      await rm(path.join(run.home.folder, 'index.json'), { force: true });
      run.openWindow = () => open(true);
    },
    async act(run) {
      const { conversationMirror } = run.window as MirroredWindow;
      await run.insist(() => run.window.chat.load());
      await conversationMirror.whenRestored;
      await run.insist(async () => conversationMirror.restoreConversations());
      await run.list();
    },
  },
  'sends a mirrored queue': {
    async prepare(run) {
      const open = await prepareMirrored(run);
      run.openWindow = () => open(true);
    },
    async act(run) {
      await run.list();
      await run.open('moss');
      await run.window.queueRunner.resume('moss');
      await run.settle('moss');
      expectSent(run, 'Queued');
      await run.restart();
      await run.list();
      await run.open('moss');
    },
  },
  'deletes a mirrored conversation for good': {
    async prepare(run) {
      const open = await prepareMirrored(run);
      run.openWindow = () => open(true);
    },
    async act(run) {
      const { chat } = run.window;
      await run.list();
      await run.open('moss');
      await run.insist(() => chat.deleteConversation('moss'));
      await run.folder.whenQuiet();
      await run.purge('moss');
      await run.restart();
      const { conversationMirror } = run.window as MirroredWindow;
      await run.insist(() => run.window.chat.load());
      await conversationMirror.whenRestored;
      await run.insist(async () => conversationMirror.restoreConversations());
      // What couldn't be removed is gone when the next window has started.
      if (run.folder.hasFailed) run.complete = [];
    },
  },
  'closes the window right after typing': {
    prepare: prepareMoss,
    async act(run) {
      const { chat } = run.window;
      await run.open('moss');
      await run.save('moss');
      chat.composers.setDraft('moss', 'A draft');
      chat.composers.addContext('moss', [createChip('chip')]);
      chat.setPinned('moss', true);
      await run.restart();
      await run.open('moss');
      run.expect('moss', { draft: 'A draft', chips: ['chip'], pinned: true });
    },
  },
  'queues a message that another window sends': {
    prepare: prepareMoss,
    async act(run) {
      const { window, other, home } = run;
      await run.open('moss');
      const script = home.service.script();
      window.chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss');
      await script.opened;
      window.chat.composers.setDraft('moss', run.text('Third'));
      await run.submit('moss');
      await run.folder.whenQuiet();
      await run.open('moss', other);
      // From now on both send it as soon as they can.
      await other.queueRunner.resume('moss');
      script.end();
      await run.settle('moss');
      await run.settle('moss', other);
      // A window without a lease doesn't keep the other one out, which takes its reply for interrupted.
      if (run.folder.hasFailed) run.complete = ['one'];
    },
  },
  'edits a queued message that another window sends': {
    prepare: prepareMoss,
    async act(run) {
      const { window, other } = run;
      await run.open('moss', other);
      assert.ok(
        await other.chat.queues.change('moss', () => [message('queued', run.text('Second'))], 'stopped'),
      );
      await run.open('moss');
      window.chat.queues.setEditing('moss', 'queued');
      window.chat.composers.setQueuedEdit('moss', { messageId: 'queued', text: 'An edit' });
      await run.save('moss');
      await other.queueRunner.resume('moss');
      await run.settle('moss', other);
      run.expect('moss', { messages: [run.text('First'), run.text('Second')] });
      run.typed.set('moss', ['An edit']);
    },
  },
  'takes a conversation over from another window': {
    prepare: prepareMoss,
    async act(run) {
      const { window, other, home } = run;
      await run.open('moss');
      const script = home.service.script();
      other.chat.composers.setDraft('moss', run.text('Second'));
      await run.submit('moss', other);
      await script.opened;
      script.chunk('Some');
      await other.until((event) => event.type === 'chunk');
      await run.folder.whenQuiet();
      await run.until('the conversation is taken over', async () => {
        await window.replies.takeOver('moss');
        await run.folder.whenQuiet();
        return !other.replies.isBusy('moss');
      });
      script.end();
      await script.closed;
      await run.folder.whenQuiet();
      run.expect('moss', { interrupted: { [run.text('Second')]: 'interrupted' } });
      await run.send('moss', 'Third');
    },
  },
  'finds its pinned conversation again after the folder was lost': {
    async prepare(run) {
      const open = await prepareMirrored(run);
      const { folder } = run.home;
      for (const name of await readdir(folder)) await rm(path.join(folder, name));
      await run.other.chat.readListChanges();
      run.openWindow = () => open(true);
    },
    async act(run) {
      const { chat, messageSync, conversationMirror } = run.window as MirroredWindow;
      await run.insist(() => chat.load());
      await conversationMirror.whenRestored;
      await run.insist(async () => conversationMirror.restoreConversations());
      await run.open('moss');
      await messageSync.fetchMessages('moss');
      if (run.folder.hasFailed) await messageSync.fetchMessages('moss');
      await run.save('moss');
    },
  },
  'reads the messages of another machine': {
    prepare: prepareMoss,
    async act(run) {
      const { window, home, other } = run;
      await run.open('moss');
      const { client } = home.connect();
      const remoteId = other.chat.findConversation('moss')?.remote?.id ?? assert.fail();
      const content = run.text('Elsewhere');
      for await (const _ of client.streamReply({ conversationId: remoteId, content }, {}));
      await window.messageSync.fetchMessages('moss');
      if (run.folder.hasFailed) await window.messageSync.fetchMessages('moss');
      await run.save('moss');
      run.expect('moss', { messages: [run.text('First'), content] });
    },
  },
  'opens a long conversation': {
    async prepare(run) {
      const turns = Array.from({ length: 60 }, (_, index): Turn => {
        return { kind: 'message', id: `turn-${index}`, text: `${index} ${'x'.repeat(2000)}`, at: index + 1 };
      });
      importTurns(run.other, run, turns);
      await run.other.chat.whenSaved('moss');
    },
    async act(run) {
      const { chat } = run.window;
      await run.insist(() => chat.openConversation('moss'));
      await run.folder.whenQuiet();
      await run.open('moss');
      chat.setPinned('moss', true);
      await run.save('moss');
      run.expect('moss', { pinned: true });
    },
  },
  'adds a document': {
    prepare: prepareMoss,
    async act(run) {
      await run.open('moss');
      await run.upload('moss', 'notes.txt');
      await run.save('moss');
    },
  },
  'adds a document to a new conversation and sends a message at once': {
    async act(run) {
      createConversation(run.window, 'moss');
      run.window.chat.composers.setDraft('moss', run.text('First'));
      await run.submit('moss');
      await run.upload('moss', run.text('notes.txt'));
      await run.settle('moss');
    },
  },
  'imports a conversation': {
    async act(run) {
      await run.insist(() => run.window.chat.load());
      const turns = ['One', 'Two'].map((text): Turn => ({ kind: 'message', id: text, text, at: 1 }));
      importTurns(run.window, run, turns);
      await run.save('moss');
    },
  },
  'lists, searches and reads conversations': {
    async prepare(run) {
      await prepareMoss(run);
      createConversation(run.other, 'fern');
      await run.send('fern', 'Fern', [], run.other);
      const { folder } = run.home;
      for (const name of ['moss.queue.lease-0123', 'index.json.0123.tmp']) {
        await writeFile(path.join(folder, name), '');
        await utimes(path.join(folder, name), 1, 1);
      }
    },
    async act(run) {
      const { chat } = run.window;
      await run.list();
      const names = await run.insist(async () => {
        const found: string[] = [];
        for await (const { id } of chat.scan(undefined, 'fern')) found.push(id);
        return found;
      });
      assert.ok(names.includes('fern'));
      assert.equal((await run.insist(() => chat.readConversation('moss')))?.turns.length, 2);
      createConversation(run.other, 'fungus');
      await run.send('fungus', 'Fungus', [], run.other);
      await run.folder.whenQuiet();
    },
  },
  'sends a message after a window that has died': {
    async prepare(run) {
      await prepareMoss(run);
      const { folder } = run.home;
      await writeFile(path.join(folder, 'moss.lease'), 'dead1234 1 dead');
      await writeFile(path.join(folder, 'moss.queue.lease'), 'dead5678 1 dead');
    },
    async act(run) {
      await run.open('moss');
      await run.send('moss', 'Second');
    },
  },
  'sends after a message of another window': {
    prepare: prepareMoss,
    async act(run) {
      await run.open('moss');
      await run.open('moss', run.other);
      await run.send('moss', 'Second', [], run.other);
      await run.send('moss', 'Third');
      await run.send('moss', 'Fourth', [], run.other);
    },
  },
};

function isUploaded({ turns = [] }: Partial<Conversation> = {}): boolean {
  return turns.some((turn) => turn.kind === 'document' && turn.state === 'attached');
}

function importTurns({ chat }: { chat: ChatFixture['chat'] }, run: StoryRun, turns: readonly Turn[]): void {
  const about = { name: run.text('Imported'), unread: false, pinned: false, draft: '', createdAt: 1 };
  chat.importConversation({ id: 'moss', bot: { id: 'echo', name: 'Echo' }, turns, ...about });
  const messages = turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : []));
  run.expect('moss', { messages, imported: messages.length, name: about.name });
}

/**
 * Runs each story once as it is, and then once for each step of its window on the disk and each way in which that can fail; `npm test`
 * leaves every other one out. A failure that breaks a promise is named as in `refused 2 readFile moss.jsonl`: the second time
 * that the window reads this file. `PARLEY_FAILING_STEP` is the name of one to run alone.
 */
describe('A window in which a step on the disk fails once keeps what it promises when it', () => {
  const lanes: ChatFixture[] = [];
  let count = 0;
  const rejections = new Set<unknown>();
  const listeners = process.listeners('unhandledRejection');
  before(async () => {
    process
      .removeAllListeners('unhandledRejection')
      .on('unhandledRejection', (reason) => rejections.add(reason));
    for (let lane = 0; lane < LANES; lane++) lanes.push(await startChat());
  });
  after(async () => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
    for (const lane of lanes) await lane.close();
  });

  /** Returns the steps of the window. */
  async function tell(story: Story, lane: ChatFixture, failing?: FailingStep): Promise<readonly string[]> {
    const home = await lane.otherMachine();
    const run = new StoryRun(home, `StoryRun${++count}`, failing);
    try {
      await run.start(async () => story.prepare?.(run));
      await story.act(run);
      await run.check();
      for (const reason of rejections) assert.ok(!run.folder.isFailure(reason), 'nobody handles a rejection');
      return run.folder.steps;
    } finally {
      // After a broken promise, a window may not close either.
      await run.end().catch(() => undefined);
      await home.close();
    }
  }

  for (const [title, story] of Object.entries(stories)) {
    it(title, async () => {
      const steps = await tell(story, lanes[0] ?? assert.fail());
      const failures = steps.flatMap((step) => getFailureKinds(step).map((kind) => ({ kind, step })));
      const wanted = process.env.PARLEY_FAILING_STEP;
      const left = failures
        .filter((each, index) => (wanted ? formatStep(each) === wanted : index % repeat(2, 1) === 0))
        .values();
      const broken: string[] = [];
      const work = async (lane: ChatFixture) => {
        for (const failing of left) {
          await tell(story, lane, failing).catch((error: unknown) => {
            broken.push(`${formatStep(failing)}: ${inspect(error)}`);
          });
          if (broken.length >= MAX_BROKEN) return;
        }
      };
      await Promise.all(lanes.map(work));
      assert.equal(broken.length, 0, broken.join('\n\n'));
      assert.deepEqual([...rejections], [], 'nobody handles a rejection');
    });
  }
});

const formatStep = ({ kind, step }: FailingStep) => `${kind} ${step}`;
