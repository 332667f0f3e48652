import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { moveQueued } from '../../../src/chat/model/queue';
import { MessageSender } from '../../../src/chat/replies/messageSender';
import { AppendError } from '../../../src/chat/store/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { openBytes } from '../../../src/host/platform/openBytes';
import { type ChatFixture, startChat } from '../support/chatFixture';

const toFile = (name: string, text: string) => {
  const open = () => openBytes(new TextEncoder().encode(text));
  return { name, contentType: 'text/markdown', opened: open(), reopen: async () => open() };
};

describe('QueueRunner', () => {
  let fixture: ChatFixture;
  let sending: MessageSender;
  let id: string;

  const start = async (...options: Parameters<typeof startChat>) => {
    fixture = await startChat(...options);
    sending = new MessageSender(fixture, {
      refer: (name) => `See “${name}”.`,
      contextIsIn: (name) => `(See “${name}”.)`,
      toFile,
    });
    ({ id } = fixture.newConversation());
  };
  beforeEach(() => start());
  afterEach(() => fixture.close());

  const conversation = ({ chat } = fixture) => chat.find(id) ?? assert.fail();
  const queued = (window = fixture) => conversation(window).queue?.messages.map(({ text }) => text) ?? [];
  const queuedId = (index: number) => conversation().queue?.messages[index]?.id ?? assert.fail();
  const paused = (window = fixture) => conversation(window).queue?.paused;
  const said = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const endings = () =>
    conversation().turns.flatMap((turn) => (turn.kind === 'reply' ? [turn.ending ?? 'none'] : []));
  const send = (text: string, time?: 'ready' | 'now') =>
    sending.send(id, { text, context: [], ...(time && { time }) });
  const replied = (count: number) =>
    fixture.until(() => endings().length === count && endings().at(-1) !== 'none');
  /** Begins a reply that goes on until the script ends it, and queues messages behind it. */
  const queueBehindReply = async (...texts: string[]) => {
    const script = fixture.service.script();
    assert.equal(await send('first'), 'sent');
    await script.opened;
    for (const text of texts) assert.equal(await send(text), 'queued');
    return script;
  };
  /** Adds a document that the service converts until `finish`. */
  const addConverting = async (name = 'handbook.md') => {
    await fixture.uploads.add(id, toFile(name, 'Zebras sleep.')).finished;
  };
  const finish = (result?: 'synced' | 'sync_failed', name = 'handbook.md') =>
    fixture.service.conversions.finish(name, result);

  describe('while a reply streams', () => {
    it('keeps messages, and sends each after the complete reply to the one before', async () => {
      const script = await queueBehindReply('second', 'third', 'fourth');
      assert.deepEqual(queued(), ['second', 'third', 'fourth']);
      assert.deepEqual(said(), ['first']);
      script.end();
      await replied(4);
      assert.deepEqual(said(), ['first', 'second', 'third', 'fourth']);
      assert.deepEqual(endings(), ['complete', 'complete', 'complete', 'complete']);
      assert.equal(conversation().queue, undefined);
    });

    it('clears the composer once the queue is on the disk, and keeps web search with the message', async () => {
      fixture.chat.composers.setComposing(id, { webSearch: false });
      const script = await queueBehindReply();
      fixture.chat.composers.setComposing(id, { webSearch: true });
      fixture.chat.composers.setDraft(id, 'What is new?');
      await send('What is new?');
      assert.equal(conversation().draft, '');
      assert.equal((await fixture.store.queues.read(id))[0]?.webSearch, true);
      fixture.chat.composers.setComposing(id, { webSearch: false });
      script.end();
      await replied(2);
      assert.match(JSON.stringify(fixture.service.requests.at(-1)?.body), /"is_web_search":true/);
    });

    it('leaves a message in the composer where the disk does not take the queue', async () => {
      const script = await queueBehindReply();
      await mkdir(path.join(fixture.folder, `${id}.queue`, 'in the way'), { recursive: true });
      fixture.chat.composers.setDraft(id, 'second');
      assert.equal(await send('second'), 'unsaved');
      assert.deepEqual([conversation().draft, conversation().queue], ['second', undefined]);
      assert.notDeepEqual(fixture.takeErrors(), []);
      script.end();
      await replied(1);
    });

    it('sends nothing that the disk can’t mark as sent first', async () => {
      const script = await queueBehindReply('second');
      // In one step: without its file the queue would be read as empty.
      const file = path.join(fixture.folder, `${id}.queue`);
      await symlink(fixture.folder, `${file}.link`);
      await rename(`${file}.link`, file);
      script.end();
      await fixture.until(() => paused() !== undefined);
      assert.deepEqual([paused(), queued(), said()], ['unsaved', ['second'], ['first']]);
      await rm(file);
      assert.notDeepEqual(fixture.takeErrors(), []);
    });

    it('does not queue an empty message', async () => {
      const script = await queueBehindReply();
      assert.equal(await send(' \n'), 'empty');
      assert.deepEqual(queued(), []);
      script.end();
    });
  });

  describe('pauses', () => {
    const resumes = async (...texts: string[]) => {
      await fixture.queueRunner.resume(id);
      await fixture.until(() => said().length === 1 + texts.length && endings().at(-1) !== 'none');
      assert.deepEqual(said(), ['first', ...texts]);
    };

    it('after a stopped reply, until it is resumed', async () => {
      await queueBehindReply('second', 'third');
      fixture.replies.stop(id);
      await replied(1);
      assert.equal(paused(), 'stopped');
      assert.deepEqual(queued(), ['second', 'third']);
      await resumes('second', 'third');
    });

    it('where the reply is stopped in the moment in which it ends', async () => {
      const script = await queueBehindReply('second');
      const ended = fixture.until(({ type }) => type === 'ended');
      script.end();
      await ended;
      fixture.queueRunner.stop(id);
      await fixture.replies.done(id);
      assert.deepEqual([endings(), paused(), queued()], [['complete'], 'stopped', ['second']]);
      await resumes('second');
    });

    it('where the person stops it while its next message is on its way', async () => {
      const script = await queueBehindReply('second');
      const { queues } = fixture.chat;
      script.end();
      await replied(1);
      await fixture.replies.done(id);
      queues.pause(id, 'stopped');
      await queues.settle();
      // Whatever was begun has come to its end.
      await fixture.queueRunner.sendNow(id, 'unknown');
      assert.deepEqual([paused(), queued(), said()], ['stopped', ['second'], ['first']]);
      assert.deepEqual(
        (await fixture.store.queues.read(id)).map(({ sending: mark }) => mark),
        [undefined],
      );
      await resumes('second');
    });

    it('after an interrupted reply', async () => {
      const script = await queueBehindReply('second');
      script.chunk('Be');
      script.close();
      await replied(1);
      assert.equal(paused(), 'interrupted');
      await resumes('second');
    });

    it('after a failed reply', async () => {
      const script = await queueBehindReply('second', 'third');
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 500, body: {} });
      script.end();
      await replied(2);
      assert.deepEqual([paused(), queued()], ['failed', ['third']]);
    });

    it('after a 402, with the refused message first again, which is not sent until it is resumed', async () => {
      await fixture.close();
      await start({ quota: 1 });
      const script = await queueBehindReply('second', 'third');
      script.end();
      await fixture.until(() => queued().length === 2 && endings().length === 2);
      assert.deepEqual([paused(), queued()], ['quotaReached', ['second', 'third']]);
      assert.equal(conversation().draft, '');
      const posts = () => fixture.service.requests.filter(({ path }) => path.endsWith('/messages/stream'));
      assert.equal(posts().length, 2);
      await fixture.queueRunner.resume(id);
      await fixture.until(() => endings().length === 3 && queued().length === 2);
      assert.deepEqual([posts().length, paused(), queued()], [3, 'quotaReached', ['second', 'third']]);
    });

    it('not for a message that was sent past a paused queue', async () => {
      await queueBehindReply('second');
      fixture.replies.stop(id);
      await replied(1);
      await fixture.replies.done(id);
      assert.equal(await send('urgent'), 'sent');
      await replied(2);
      assert.deepEqual([said(), queued(), paused()], [['first', 'urgent'], ['second'], 'stopped']);
    });
  });

  describe('while a document is converted', () => {
    beforeEach(async () => {
      await fixture.close();
      await start({ profile: 'hosted', conversionMs: Number.POSITIVE_INFINITY });
    });

    const listed = () =>
      fixture.until((event) => event.type === 'turn' && JSON.stringify(event).includes('syncing'));

    it('holds a message until the document is ready, and sends it exactly once', async () => {
      await addConverting();
      assert.equal(await send('How do zebras sleep?'), 'queued');
      fixture.service.conversions.list('handbook.md');
      await listed();
      assert.deepEqual(said(), []);
      finish();
      await replied(1);
      await fixture.queueRunner.resume(id);
      assert.deepEqual(said(), ['How do zebras sleep?']);
    });

    it('holds a message from the beginning of the upload', async () => {
      const { finished } = fixture.uploads.add(id, toFile('handbook.md', 'Zebras sleep.'));
      assert.equal(await send('How do zebras sleep?'), 'queued');
      await finished;
      finish();
      await replied(1);
      assert.deepEqual(said(), ['How do zebras sleep?']);
    });

    it('sends at once what does not want to wait', async () => {
      await addConverting();
      assert.equal(await send('How do zebras sleep?', 'now'), 'sent');
      await replied(1);
    });

    it('pauses when the conversion fails, and sends without the document when it is resumed', async () => {
      await addConverting();
      await send('How do zebras sleep?');
      finish('sync_failed');
      await fixture.until(() => paused() !== undefined);
      assert.deepEqual([paused(), said()], ['documentFailed', []]);
      await fixture.queueRunner.resume(id);
      await replied(1);
      assert.deepEqual(said(), ['How do zebras sleep?']);
    });

    it('holds a long message that became a document', async () => {
      const text = `# Of zebras\n\n${'The zebra sleeps standing up. '.repeat(100)}`;
      assert.equal(await sending.send(id, { text, context: [], overflow: 'document' }), 'queued');
      assert.deepEqual([queued(), said()], [['See “Of zebras.md”.'], []]);
      finish('synced', 'Of zebras.md');
      await replied(1);
      assert.deepEqual(said(), ['See “Of zebras.md”.']);
    });

    it('holds a message until a document from another machine is converted', async () => {
      await fixture.close();
      await start({ profile: 'hosted', listingMs: 0, conversionMs: Number.POSITIVE_INFINITY });
      await send('first');
      await replied(1);
      const other = await fixture.otherMachine();
      const { remote } = conversation();
      const { id: otherId } = other.newConversation();
      if (remote) other.chat.change(otherId, { remote });
      await other.uploads.add(otherId, toFile('plan.md', 'Zebras wake.')).finished;
      await other.close();
      fixture.documentStatus.show(new Set([id]));
      await fixture.until(() => conversation().listed?.documents.length === 1);
      assert.equal(await send('What does the plan say?'), 'queued');
      fixture.documentStatus.show(new Set());
      finish('synced', 'plan.md');
      await replied(2);
      assert.deepEqual(said(), ['first', 'What does the plan say?']);
    });

    it('does not make a message wait for a document that was added after it', async () => {
      const script = await queueBehindReply('second');
      await addConverting();
      script.end();
      await replied(2);
      assert.deepEqual(said(), ['first', 'second']);
    });

    it('sends without waiting where the service tells nothing of documents', async () => {
      await fixture.close();
      await start({ profile: 'minimal' });
      await addConverting();
      await send('How do zebras sleep?');
      await replied(1);
      assert.equal(conversation().queue, undefined);
    });

    it('asks for documents no more once nothing waits for them', async () => {
      await addConverting();
      await send('How do zebras sleep?');
      const isQuestion = ({ path }: { path: string }) => path.includes('/documents?');
      await fixture.service.waitForRequest(isQuestion);
      await fixture.chat.queues.change(id, () => []);
      const before = fixture.service.requests.filter(isQuestion).length;
      // Far longer than the pause between two questions.
      const script = fixture.service.script();
      await send('Now then', 'now');
      await script.chunks(['a', 'b', 'c', 'd', 'e'], 40);
      script.end();
      await replied(1);
      assert.equal(fixture.service.requests.filter(isQuestion).length, before);
    });
  });

  describe('sendNow', () => {
    it('stops the reply, sends the message before the others, and goes on with them', async () => {
      await queueBehindReply('second', 'third');
      assert.equal(await fixture.queueRunner.sendNow(id, queuedId(1)), 'sent');
      await replied(3);
      assert.deepEqual(said(), ['first', 'third', 'second']);
      assert.deepEqual(endings(), ['stopped', 'complete', 'complete']);
    });

    it('does not wait for a document, and leaves a paused queue paused', async () => {
      await fixture.close();
      await start({ conversionMs: Number.POSITIVE_INFINITY });
      await addConverting();
      await send('one');
      await send('two');
      finish('sync_failed');
      await fixture.until(() => paused() !== undefined);
      await fixture.queueRunner.sendNow(id, queuedId(1));
      await replied(1);
      assert.deepEqual([said(), queued(), paused()], [['two'], ['one'], 'documentFailed']);
    });

    it('sends a message once, however often it is asked', async () => {
      await queueBehindReply('second');
      const second = queuedId(0);
      const results = await Promise.all([1, 2, 3].map(() => fixture.queueRunner.sendNow(id, second)));
      await fixture.until(() => queued().length === 0 && endings().at(-1) !== 'none');
      assert.equal(results.filter((result) => result === 'sent').length, 1);
      assert.deepEqual(said(), ['first', 'second']);
    });
  });

  describe('a message that is being edited', () => {
    it('is not sent, nor what comes after it, until the person is done', async () => {
      const script = await queueBehindReply('second', 'third');
      const second = queuedId(0);
      fixture.chat.queues.setEditing(id, second);
      script.end();
      await replied(1);
      await fixture.replies.done(id);
      assert.deepEqual(queued(), ['second', 'third']);
      await fixture.chat.queues.change(id, (messages) =>
        messages.map((each) => (each.id === second ? { ...each, text: 'changed' } : each)),
      );
      fixture.chat.queues.setEditing(id, undefined);
      await replied(3);
      assert.deepEqual(said(), ['first', 'changed', 'third']);
    });
  });

  it('does not send a message that the person begins to edit while it is on its way', async () => {
    const script = await queueBehindReply('second');
    script.end();
    await replied(1);
    await fixture.replies.done(id);
    fixture.chat.queues.setEditing(id, queuedId(0));
    await fixture.queueRunner.sendNow(id, 'unknown');
    assert.deepEqual([queued(), said()], [['second'], ['first']]);
    fixture.chat.queues.setEditing(id, undefined);
    await replied(2);
    assert.deepEqual(said(), ['first', 'second']);
  });

  it('pauses when the page in which a message is edited goes', async () => {
    const script = await queueBehindReply('second');
    fixture.chat.queues.setEditing(id, queuedId(0));
    script.end();
    await replied(1);
    fixture.chat.queues.abandonEditing(id);
    await fixture.queueRunner.sendNow(id, 'unknown');
    assert.deepEqual([paused(), queued(), said()], ['reopened', ['second'], ['first']]);
    fixture.chat.queues.abandonEditing(id);
    await fixture.queueRunner.resume(id);
    await replied(2);
    assert.equal(paused(), undefined);
  });

  it('moves messages by one place, and none past an end', () => {
    const messages = ['a', 'b', 'c'].map((each) => ({ id: each, text: each, context: [] }));
    const order = (of: string, step: 1 | -1) => moveQueued(messages, of, step).map((each) => each.id);
    assert.deepEqual(order('a', 1), ['b', 'a', 'c']);
    assert.deepEqual(order('c', -1), ['a', 'c', 'b']);
    assert.deepEqual(order('a', -1), ['a', 'b', 'c']);
    assert.deepEqual(order('c', 1), ['a', 'b', 'c']);
    assert.deepEqual(order('unknown', 1), ['a', 'b', 'c']);
  });

  describe('in a window that opens after a crash', () => {
    it('has the whole queue, paused, and sends nothing until it is resumed', async () => {
      await queueBehindReply('second', 'third');
      // The window that was killed does nothing more.
      fixture.queueRunner.dispose();
      const next = await fixture.otherWindow();
      await next.chat.open(id);
      assert.deepEqual([queued(next), paused(next)], [['second', 'third'], 'reopened']);
      fixture.replies.stop(id);
      await fixture.replies.done(id);
      await next.until(() => !conversation(next).heldElsewhere);
      assert.deepEqual(said(), ['first']);
      await next.queueRunner.resume(id);
      await next.until(() => queued(next).length === 0 && said().length === 3);
      await next.close();
      assert.deepEqual(said(), ['first', 'second', 'third']);
    });

    it('shows a message whose request may have left as one, and sends it only when asked', async () => {
      const script = await queueBehindReply('second', 'third');
      // Killed between the mark and the turn.
      fixture.queueRunner.dispose();
      assert.equal(await fixture.chat.queues.markSending(id, queuedId(0)), true);
      script.end();
      await replied(1);
      await fixture.replies.done(id);
      const next = await fixture.otherWindow();
      await next.chat.open(id);
      assert.deepEqual(
        conversation(next).queue?.messages.map(({ sending: mark }) => mark),
        [true, undefined],
      );
      await next.queueRunner.resume(id);
      await next.until(() => paused(next) === 'maybeSent');
      assert.deepEqual(said(), ['first']);
      await next.queueRunner.sendNow(id, conversation(next).queue?.messages[0]?.id ?? '');
      await next.until((event) => event.type === 'ended');
      await next.replies.done(id);
      assert.deepEqual([said(), queued(next)], [['first', 'second'], ['third']]);
      await next.close();
    });

    it('has the queue of a conversation in which nothing was said yet', async () => {
      fixture.queueRunner.dispose();
      await fixture.chat.queues.change(id, () => [{ id: 'm1', text: 'first', context: [] }]);
      const next = await fixture.otherWindow();
      assert.equal(await next.chat.open(id), undefined);
      next.chat.create(conversation().bot, id);
      await next.chat.restore(id);
      assert.deepEqual([queued(next), paused(next)], [['first'], 'reopened']);
      assert.deepEqual(
        next.chat.drafted().map((each) => each.id),
        [id],
      );
      await next.close();
    });

    it('has a message that left without its turn on the disk, as one that may have been sent', async () => {
      await fixture.close();
      let full = false;
      class FillingStorage extends NodeStorage {
        override async append(...[name, ...rest]: Parameters<NodeStorage['append']>) {
          if (full) throw new AppendError(name, 0, new Error('Full'));
          return super.append(name, ...rest);
        }
      }
      await start(undefined, (folder) => new FillingStorage(folder));
      const script = await queueBehindReply('second', 'third');
      full = true;
      script.end();
      await fixture.until(() => said().length === 2);
      fixture.queueRunner.dispose();
      await fixture.chat.queues.settle();
      assert.deepEqual(queued(), ['third']);
      const next = await fixture.otherWindow();
      await next.chat.open(id);
      const marks = conversation(next).queue?.messages.map(({ text, sending: mark }) => [text, mark]);
      full = false;
      await next.close();
      assert.deepEqual(marks, [
        ['second', true],
        ['third', undefined],
      ]);
    });

    it('takes a message that has become a turn for sent, though the queue’s file still has it', async () => {
      const script = await queueBehindReply('second');
      const file = await fixture.store.queues.read(id);
      script.end();
      await replied(2);
      await fixture.replies.done(id);
      await fixture.store.queues.write(id, file);
      const next = await fixture.otherWindow();
      await next.chat.open(id);
      assert.equal(conversation(next).queue, undefined);
      await next.close();
    });
  });

  describe('in two windows', () => {
    it('sends each message once, though both are told to go on', async () => {
      await queueBehindReply('second', 'third', 'fourth');
      fixture.replies.stop(id);
      await replied(1);
      await fixture.replies.done(id);
      const other = await fixture.otherWindow();
      await other.chat.open(id);
      await Promise.all([fixture.queueRunner.resume(id), other.queueRunner.resume(id)]);
      await fixture.until(() => said().length === 4 && queued().length === 0);
      await other.until(() => queued(other).length === 0);
      await Promise.all([fixture.replies.done(id), other.replies.done(id)]);
      assert.deepEqual(said(), ['first', 'second', 'third', 'fourth']);
      await other.close();
    });

    it('queues a message that is sent while the other window writes, and sends it after that', async () => {
      await send('first');
      await replied(1);
      await fixture.replies.done(id);
      const other = await fixture.otherWindow();
      await other.chat.open(id);
      const lease = await other.chat.acquire(id);
      assert.equal(await send('second'), 'queued');
      await lease?.release();
      await replied(2);
      assert.deepEqual([said(), queued()], [['first', 'second'], []]);
      await other.close();
    });

    it('keeps what both queue at the same time', async () => {
      await queueBehindReply('second');
      const other = await fixture.otherWindow();
      await other.chat.open(id);
      const add = ({ chat }: ChatFixture, name: string) =>
        chat.queues.change(id, (messages) => [...messages, { id: name, text: name, context: [] }]);
      const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
      await Promise.all(names.map((name, index) => add(index % 2 === 0 ? fixture : other, name)));
      const stored = await fixture.store.queues.read(id);
      assert.deepEqual(stored.map(({ text }) => text).toSorted(), [...names, 'second']);
      await other.close();
    });

    it('shows what the other window changed', async () => {
      await queueBehindReply('second', 'third');
      const other = await fixture.otherWindow();
      await other.chat.open(id);
      await fixture.chat.queues.change(id, (messages) => messages.slice(1));
      await other.until(() => queued(other).length === 1);
      assert.deepEqual(queued(other), ['third']);
      await other.chat.queues.change(id, () => []);
      await fixture.until(() => queued().length === 0);
      await other.close();
    });
  });
});
