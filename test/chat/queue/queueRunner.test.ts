import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { moveQueuedMessage, type QueuedMessage } from '../../../src/chat/model/queuedMessage';
import type { MessageSender } from '../../../src/chat/replies/messageSender';
import { DEFAULT_LEASE_TIMES } from '../../../src/chat/store/files/lease';
import { AppendError } from '../../../src/chat/store/files/storage';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { createMessageSender, createTextFile } from '../support/messageSender';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import { acquire } from '../support/writing';

describe('QueueRunner', () => {
  let fixture: ChatFixture;
  let sending: MessageSender;
  let id: string;

  const start = async (...options: Parameters<typeof startChat>) => {
    fixture = await startChat(...options);
    sending = createMessageSender(fixture);
    ({ id } = fixture.newConversation());
  };
  beforeEach(() => start());
  afterEach(() => fixture.close());

  const getConversation = ({ chat } = fixture) => chat.findConversation(id) ?? assert.fail();
  const getQueuedTexts = (window = fixture) =>
    getConversation(window).queue?.messages.map(({ text }) => text) ?? [];
  const getQueuedId = (index: number) => getConversation().queue?.messages[index]?.id ?? assert.fail();
  const getQueuedEdit = (window: ChatFixture) => getConversation(window).composing?.queuedEdit;
  const getPauseReason = (window = fixture) => getConversation(window).queue?.paused;
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const getEndings = () =>
    getConversation().turns.flatMap((turn) => (turn.kind === 'reply' ? [turn.ending ?? 'none'] : []));
  const send = (text: string, time?: 'ready' | 'now') =>
    sending.send(id, { text, context: [], ...(time && { time }) });
  const waitForReplies = (count: number) =>
    fixture.until(() => getEndings().length === count && getEndings().at(-1) !== 'none');
  /** Starts a reply that streams until the script ends it, and queues messages after it. */
  const queueBehindReply = async (...texts: string[]) => {
    const script = fixture.service.script();
    assert.equal(await send('first'), 'sent');
    await script.opened;
    for (const text of texts) assert.equal(await send(text), 'queued');
    return script;
  };
  /** Adds a document that the service is converting until `finish` is called. */
  const addConvertingDocument = async (name = 'handbook.md') => {
    await fixture.uploads.add(id, createTextFile(name, 'Zebras sleep.')).finished;
  };
  const finishConversion = (result?: 'synced' | 'sync_failed', name = 'handbook.md') =>
    fixture.service.conversions.finish(name, result);

  describe('while a reply streams', () => {
    it('queues messages and sends each after the previous reply is complete', async () => {
      const script = await queueBehindReply('second', 'third', 'fourth');
      assert.deepEqual(getQueuedTexts(), ['second', 'third', 'fourth']);
      assert.deepEqual(getSentTexts(), ['first']);
      script.end();
      await waitForReplies(4);
      assert.deepEqual(getSentTexts(), ['first', 'second', 'third', 'fourth']);
      assert.deepEqual(getEndings(), ['complete', 'complete', 'complete', 'complete']);
      assert.equal(getConversation().queue, undefined);
    });

    it('clears the composer once the queue is saved, and stores web search with the message', async () => {
      fixture.chat.composers.setState(id, { webSearch: false });
      const script = await queueBehindReply();
      fixture.chat.composers.setState(id, { webSearch: true });
      fixture.chat.composers.setDraft(id, 'What is new?');
      await send('What is new?');
      assert.equal(getConversation().draft, '');
      assert.equal((await fixture.store.queues.read(id))[0]?.webSearch, true);
      fixture.chat.composers.setState(id, { webSearch: false });
      script.end();
      await waitForReplies(2);
      assert.match(JSON.stringify(fixture.service.requests.at(-1)?.body), /"is_web_search":true/);
    });

    it("leaves a message in the composer when the queue can't be saved", async () => {
      await fixture.close();
      // No watcher reports the folder later.
      await start({}, (folder) => new UnwatchedStorage(folder));
      const script = await queueBehindReply();
      await mkdir(path.join(fixture.folder, `${id}.queue`, 'in the way'), { recursive: true });
      fixture.chat.composers.setDraft(id, 'second');
      assert.equal(await send('second'), 'unsaved');
      assert.deepEqual([getConversation().draft, getConversation().queue], ['second', undefined]);
      assert.notDeepEqual(fixture.takeErrors(), []);
      script.end();
      await waitForReplies(1);
    });

    it("does not send a message when the mark that it is being sent can't be saved", async () => {
      const script = await queueBehindReply('second');
      // Replace it atomically: a missing file would be read as an empty queue.
      const file = path.join(fixture.folder, `${id}.queue`);
      await symlink(fixture.folder, `${file}.link`);
      await rename(`${file}.link`, file);
      script.end();
      await fixture.until(() => getPauseReason() !== undefined);
      assert.deepEqual(
        [getPauseReason(), getQueuedTexts(), getSentTexts()],
        ['unsaved', ['second'], ['first']],
      );
      assert.equal(await fixture.queueRunner.sendNow(id, getQueuedId(0)), 'empty');
      await rm(file);
      assert.notDeepEqual(fixture.takeErrors(), []);
    });

    it("pauses when what other windows wrote can't be read before a message is sent", async () => {
      await fixture.close();
      let disk: RefusingStorage | undefined;
      await start({}, (folder) => {
        disk = new RefusingStorage(folder);
        return disk;
      });
      const script = await queueBehindReply('second');
      assert.ok(disk);
      disk.refuses = (step, name) => step === 'stat' && name === `${id}.jsonl`;
      script.end();
      await fixture.until(() => getPauseReason() !== undefined);
      assert.deepEqual([getQueuedTexts(), getSentTexts()], [['second'], ['first']]);
      disk.refuses = () => false;
      await fixture.queueRunner.resume(id);
      await waitForReplies(2);
      assert.deepEqual(getSentTexts(), ['first', 'second']);
      assert.notDeepEqual(fixture.takeErrors(), []);
    });

    it('does not queue an empty message', async () => {
      const script = await queueBehindReply();
      assert.equal(await send(' \n'), 'empty');
      assert.deepEqual(getQueuedTexts(), []);
      script.end();
    });
  });

  describe('pausing', () => {
    const resumes = async (...texts: string[]) => {
      await fixture.queueRunner.resume(id);
      await fixture.until(() => getSentTexts().length === 1 + texts.length && getEndings().at(-1) !== 'none');
      assert.deepEqual(getSentTexts(), ['first', ...texts]);
    };

    it('pauses after a stopped reply until it is resumed', async () => {
      await queueBehindReply('second', 'third');
      fixture.replies.stop(id);
      await waitForReplies(1);
      assert.equal(getPauseReason(), 'stopped');
      assert.deepEqual(getQueuedTexts(), ['second', 'third']);
      await resumes('second', 'third');
    });

    it('pauses when the reply is stopped just as it ends', async () => {
      const script = await queueBehindReply('second');
      const ended = fixture.until(({ type }) => type === 'ended');
      script.end();
      await ended;
      fixture.queueRunner.stop(id);
      await fixture.replies.whenDone(id);
      assert.deepEqual(
        [getEndings(), getPauseReason(), getQueuedTexts()],
        [['complete'], 'stopped', ['second']],
      );
      await resumes('second');
    });

    it('pauses when the user stops while the next message is being sent', async () => {
      const script = await queueBehindReply('second');
      const { queues } = fixture.chat;
      script.end();
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      queues.pause(id, 'stopped');
      await queues.whenSettled();
      // All background work has finished.
      await fixture.queueRunner.sendNow(id, 'unknown');
      assert.deepEqual(
        [getPauseReason(), getQueuedTexts(), getSentTexts()],
        ['stopped', ['second'], ['first']],
      );
      assert.deepEqual(
        (await fixture.store.queues.read(id)).map(({ sending: mark }) => mark),
        [undefined],
      );
      await resumes('second');
    });

    it('pauses after an interrupted reply', async () => {
      const script = await queueBehindReply('second');
      script.chunk('Be');
      script.close();
      await waitForReplies(1);
      assert.equal(getPauseReason(), 'interrupted');
      await resumes('second');
    });

    it('pauses after a failed reply', async () => {
      const script = await queueBehindReply('second', 'third');
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 500, body: {} });
      script.end();
      await waitForReplies(2);
      assert.deepEqual([getPauseReason(), getQueuedTexts()], ['failed', ['third']]);
    });

    it('pauses after a 402 with the refused message first, and sends it only when resumed', async () => {
      await fixture.close();
      await start({ quota: 1 });
      const script = await queueBehindReply('second', 'third');
      script.end();
      await fixture.until(() => getQueuedTexts().length === 2 && getEndings().length === 2);
      assert.deepEqual([getPauseReason(), getQueuedTexts()], ['quotaReached', ['second', 'third']]);
      assert.equal(getConversation().draft, '');
      const posts = () => fixture.service.requests.filter(({ path }) => path.endsWith('/messages/stream'));
      assert.equal(posts().length, 2);
      await fixture.queueRunner.resume(id);
      await fixture.until(() => getEndings().length === 3 && getQueuedTexts().length === 2);
      assert.deepEqual(
        [posts().length, getPauseReason(), getQueuedTexts()],
        [3, 'quotaReached', ['second', 'third']],
      );
    });

    it('pauses with the reason for which the service refuses the last message, and queues it again', async () => {
      for (const [status, reason] of [
        [422, 'refused'],
        [402, 'quotaReached'],
      ] as const) {
        const script = await queueBehindReply('last');
        const body = { message: 'No', errors: { content: ['no'] } };
        fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status, body });
        script.end();
        await fixture.until(() => getPauseReason() !== undefined);
        assert.deepEqual([getPauseReason(), getQueuedTexts()], [reason, ['last']]);
        await fixture.chat.queues.change(id, () => []);
        assert.equal(getConversation().draft, '');
      }
    });

    it('shows only why the service refused a message, when others follow it', async () => {
      const script = await queueBehindReply('second', 'third');
      const reasons = new Set<unknown>();
      fixture.chat.onChatEvent(() => reasons.add(getPauseReason()));
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body: {} });
      script.end();
      await fixture.until(() => getPauseReason() !== undefined && getQueuedTexts().length === 2);
      assert.deepEqual([...reasons], [undefined, 'quotaReached']);
    });

    it('returns a refused message to the composer when it can’t be queued again', async () => {
      const script = await queueBehindReply('second');
      const { queues } = fixture.chat;
      const change = queues.change.bind(queues);
      queues.change = async (...args) => args[2] === undefined && change(...args);
      fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 402, body: {} });
      script.end();
      await fixture.until(({ type }) => type === 'draft');
      assert.deepEqual([getConversation().draft, getQueuedTexts()], ['second', []]);
    });

    it('pauses at a message that can’t be sent as it is', async () => {
      await fixture.chat.queues.change(id, () => [{ id: 'm1', text: 'x'.repeat(2001), context: [] }]);
      await fixture.until(() => getPauseReason() !== undefined);
      assert.deepEqual([getPauseReason(), getSentTexts()], ['refused', []]);
      assert.equal((await fixture.store.queues.read(id))[0]?.sending, undefined);
      assert.equal(await fixture.queueRunner.sendNow(id, 'm1'), 'tooLong');
    });

    it('sends a message that bypasses a paused queue without resuming it', async () => {
      await queueBehindReply('second');
      fixture.replies.stop(id);
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      assert.equal(await send('urgent'), 'sent');
      await waitForReplies(2);
      assert.deepEqual(
        [getSentTexts(), getQueuedTexts(), getPauseReason()],
        [['first', 'urgent'], ['second'], 'stopped'],
      );
    });
  });

  describe('while a document is being converted', () => {
    beforeEach(async () => {
      await fixture.close();
      await start({ profile: 'hosted', conversionMs: Number.POSITIVE_INFINITY });
    });

    const listed = () =>
      fixture.until((event) => event.type === 'turn' && JSON.stringify(event).includes('syncing'));

    it('holds back a message until the document is ready, and sends it exactly once', async () => {
      await addConvertingDocument();
      assert.equal(await send('How do zebras sleep?'), 'queued');
      fixture.service.conversions.list('handbook.md');
      await listed();
      assert.deepEqual(getSentTexts(), []);
      finishConversion();
      await waitForReplies(1);
      await fixture.queueRunner.resume(id);
      assert.deepEqual(getSentTexts(), ['How do zebras sleep?']);
    });

    it('holds back a message from the start of the upload', async () => {
      const { finished } = fixture.uploads.add(id, createTextFile('handbook.md', 'Zebras sleep.'));
      assert.equal(await send('How do zebras sleep?'), 'queued');
      await finished;
      finishConversion();
      await waitForReplies(1);
      assert.deepEqual(getSentTexts(), ['How do zebras sleep?']);
    });

    it('sends a message right away when it does not wait for documents', async () => {
      await addConvertingDocument();
      assert.equal(await send('How do zebras sleep?', 'now'), 'sent');
      await waitForReplies(1);
    });

    it('pauses when the conversion fails, and sends without the document when resumed', async () => {
      await addConvertingDocument();
      await send('How do zebras sleep?');
      finishConversion('sync_failed');
      await fixture.until(() => getPauseReason() !== undefined);
      assert.deepEqual([getPauseReason(), getSentTexts()], ['documentFailed', []]);
      await fixture.queueRunner.resume(id);
      await waitForReplies(1);
      assert.deepEqual(getSentTexts(), ['How do zebras sleep?']);
    });

    it('holds back a long message that was uploaded as a document', async () => {
      const text = `# Of zebras\n\n${'The zebra sleeps standing up. '.repeat(100)}`;
      assert.equal(await sending.send(id, { text, context: [], overflow: 'document' }), 'queued');
      assert.deepEqual([getQueuedTexts(), getSentTexts()], [['See “Of zebras.md”.'], []]);
      finishConversion('synced', 'Of zebras.md');
      await waitForReplies(1);
      assert.deepEqual(getSentTexts(), ['See “Of zebras.md”.']);
    });

    it('holds back a message until a document from another machine is converted', async () => {
      await fixture.close();
      await start({ profile: 'hosted', listingMs: 0, conversionMs: Number.POSITIVE_INFINITY });
      await send('first');
      await waitForReplies(1);
      const other = await fixture.otherMachine();
      const { remote } = getConversation();
      const { id: otherId } = other.newConversation();
      if (remote) other.chat.update(otherId, { remote });
      await other.uploads.add(otherId, createTextFile('plan.md', 'Zebras wake.')).finished;
      await other.close();
      fixture.documentStatus.setVisible(new Set([id]));
      await fixture.until(() => getConversation().listed?.documents.length === 1);
      assert.equal(await send('What does the plan say?'), 'queued');
      fixture.documentStatus.setVisible(new Set());
      finishConversion('synced', 'plan.md');
      await waitForReplies(2);
      assert.deepEqual(getSentTexts(), ['first', 'What does the plan say?']);
    });

    it('does not hold back a message for a document that was added later', async () => {
      const script = await queueBehindReply('second');
      await addConvertingDocument();
      script.end();
      await waitForReplies(2);
      assert.deepEqual(getSentTexts(), ['first', 'second']);
    });

    it('sends without waiting when the service has no document status', async () => {
      await fixture.close();
      await start({ profile: 'minimal' });
      await addConvertingDocument();
      await send('How do zebras sleep?');
      await waitForReplies(1);
      assert.equal(getConversation().queue, undefined);
    });

    it('stops polling documents when no message waits for them', async () => {
      await addConvertingDocument();
      await send('How do zebras sleep?');
      const isQuestion = ({ path }: { path: string }) => path.includes('/documents?');
      await fixture.service.waitForRequest(isQuestion);
      await fixture.chat.queues.change(id, () => []);
      const script = fixture.service.script();
      await send('Now then', 'now');
      // A question that was on its way has arrived before the message.
      await script.opened;
      const before = fixture.service.requests.filter(isQuestion).length;
      // Much longer than the polling interval.
      await script.chunks(['a', 'b', 'c', 'd', 'e'], 40);
      script.end();
      await waitForReplies(1);
      assert.equal(fixture.service.requests.filter(isQuestion).length, before);
    });
  });

  describe('sendNow', () => {
    it('stops the reply, sends the message before the others, and then continues with them', async () => {
      await queueBehindReply('second', 'third');
      assert.equal(await fixture.queueRunner.sendNow(id, getQueuedId(1)), 'sent');
      await waitForReplies(3);
      assert.deepEqual(getSentTexts(), ['first', 'third', 'second']);
      assert.deepEqual(getEndings(), ['stopped', 'complete', 'complete']);
    });

    it('does not wait for a document, and leaves a paused queue paused', async () => {
      await fixture.close();
      await start({ conversionMs: Number.POSITIVE_INFINITY });
      await addConvertingDocument();
      await send('one');
      await send('two');
      finishConversion('sync_failed');
      await fixture.until(() => getPauseReason() !== undefined);
      await fixture.queueRunner.sendNow(id, getQueuedId(1));
      await waitForReplies(1);
      assert.deepEqual(
        [getSentTexts(), getQueuedTexts(), getPauseReason()],
        [['two'], ['one'], 'documentFailed'],
      );
    });

    it('sends a message once when called repeatedly', async () => {
      await queueBehindReply('second');
      const second = getQueuedId(0);
      const results = await Promise.all([1, 2, 3].map(() => fixture.queueRunner.sendNow(id, second)));
      await fixture.until(() => getQueuedTexts().length === 0 && getEndings().at(-1) !== 'none');
      assert.equal(results.filter((result) => result === 'sent').length, 1);
      assert.deepEqual(getSentTexts(), ['first', 'second']);
    });
  });

  describe('sendNow, without effect', () => {
    it('is refused for an unknown message or conversation', async () => {
      for (const conversationId of [id, 'unknown'])
        assert.equal(await fixture.queueRunner.sendNow(conversationId, 'unknown'), 'empty');
    });

    for (const { title, free } of [
      { title: 'already writes', free: 0 },
      { title: 'starts writing meanwhile', free: 1 },
    ])
      it(`leaves the message in the queue when another window ${title}`, async () => {
        await queueBehindReply('second');
        fixture.queueRunner.stop(id);
        await waitForReplies(1);
        await fixture.replies.whenDone(id);
        const { chat } = fixture;
        const acquire = chat.acquirePermission.bind(chat);
        let calls = 0;
        chat.acquirePermission = async (...args) => (calls++ < free ? acquire(...args) : undefined);
        assert.equal(await fixture.queueRunner.sendNow(id, getQueuedId(0)), 'otherWindow');
        assert.deepEqual([getQueuedTexts(), getPauseReason(), calls], [['second'], 'stopped', free + 1]);
        chat.queues.resume(id);
        await fixture.queueRunner.sendNow(id, 'unknown');
        assert.deepEqual([getQueuedTexts(), getPauseReason()], [['second'], undefined]);
        chat.acquirePermission = acquire;
        assert.equal(await fixture.queueRunner.sendNow(id, getQueuedId(0)), 'sent');
        await waitForReplies(2);
        assert.deepEqual(getSentTexts(), ['first', 'second']);
      });
  });

  it('pauses when the reply to a message that was sent before the others fails', async () => {
    await queueBehindReply('second', 'third');
    fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 500, body: {} });
    assert.equal(await fixture.queueRunner.sendNow(id, getQueuedId(0)), 'sent');
    await waitForReplies(2);
    await fixture.replies.whenDone(id);
    assert.deepEqual([getPauseReason(), getQueuedTexts()], ['failed', ['third']]);
  });

  it('pauses when the reply to a message that was sent before the others fails while a disk is slow', async () => {
    await fixture.close();
    class SlowStorage extends NodeStorage {
      override async createFile(...[name, bytes]: Parameters<NodeStorage['createFile']>) {
        if (name === 'other.lease') await waitForReplies(2);
        return super.createFile(name, bytes);
      }
    }
    await start({}, (folder) => new SlowStorage(folder));
    await queueBehindReply('second', 'third');
    fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status: 500, body: {} });
    let other: Promise<unknown> | undefined;
    const subscription = fixture.chat.onChatEvent((event) => {
      // Until it has this lease, no other one is released.
      if (event.type === 'turn' && event.turn.kind === 'message')
        other ??= fixture.store.acquireLease('other');
    });
    assert.equal(await fixture.queueRunner.sendNow(id, getQueuedId(0)), 'sent');
    await other;
    subscription.dispose();
    await fixture.replies.whenDone(id);
    assert.deepEqual([getPauseReason(), getQueuedTexts()], ['failed', ['third']]);
  });

  it('removes a message that turns out to be sent when the earlier turns are read', async () => {
    const turns = Array.from({ length: 3000 }, (_, index) => ({
      ...{ kind: 'message' as const, id: `m${index}`, text: 'What is moss? '.repeat(5), at: index },
    }));
    fixture.chat.importConversation({ ...getConversation(), id: 'long', turns });
    await fixture.chat.whenSaved('long');
    await fixture.store.queues.write('long', [{ id: 'm0', text: 'What is moss?', context: [] }]);
    const next = await fixture.otherWindow();
    const opened = await next.chat.openConversation('long');
    assert.deepEqual([opened?.earlier, opened?.queue?.messages.length], [true, 1]);
    const whole = await next.chat.openWhole('long');
    assert.deepEqual([whole?.turns.length, whole?.queue], [3000, undefined]);
    await next.close();
  });

  describe('while a message is being edited', () => {
    it('holds back the message and those after it until editing ends', async () => {
      const script = await queueBehindReply('second', 'third');
      const second = getQueuedId(0);
      fixture.chat.queues.setEditing(id, second);
      script.end();
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      assert.equal(await send('fourth'), 'queued');
      assert.deepEqual(getQueuedTexts(), ['second', 'third', 'fourth']);
      assert.equal(await send('urgent', 'now'), 'sent');
      await waitForReplies(2);
      await fixture.chat.queues.change(id, (messages) =>
        messages.map((each) => (each.id === second ? { ...each, text: 'changed' } : each)),
      );
      fixture.chat.queues.setEditing(id, undefined);
      await waitForReplies(5);
      assert.deepEqual(getSentTexts(), ['first', 'urgent', 'changed', 'third', 'fourth']);
    });
  });

  it('keeps the text in the editor of a queued message when its page or its window is gone, and holds it back', async () => {
    const script = await queueBehindReply('second');
    const edit = { messageId: getQueuedId(0), text: 'second, changed' };
    fixture.chat.queues.setEditing(id, edit.messageId);
    fixture.chat.composers.setQueuedEdit(id, edit);
    fixture.chat.queues.setEditing(id, undefined);
    script.end();
    await waitForReplies(1);
    await fixture.replies.whenDone(id);
    await fixture.queueRunner.sendNow(id, 'unknown');
    assert.deepEqual([getQueuedTexts(), getSentTexts()], [['second'], ['first']]);
    await fixture.chat.whenSaved(id);
    const reopened = await fixture.otherWindow();
    await reopened.chat.openConversation(id);
    assert.deepEqual(getConversation(reopened).composing?.queuedEdit, edit);
    await reopened.close();
    fixture.chat.composers.setQueuedEdit(id, undefined);
    await waitForReplies(2);
    assert.deepEqual(getSentTexts(), ['first', 'second']);
  });

  it('does not send a message when editing starts just before it is sent', async () => {
    const script = await queueBehindReply('second');
    script.end();
    await waitForReplies(1);
    await fixture.replies.whenDone(id);
    fixture.chat.queues.setEditing(id, getQueuedId(0));
    await fixture.queueRunner.sendNow(id, 'unknown');
    assert.deepEqual([getQueuedTexts(), getSentTexts()], [['second'], ['first']]);
    fixture.chat.queues.setEditing(id, undefined);
    await waitForReplies(2);
    assert.deepEqual(getSentTexts(), ['first', 'second']);
  });

  it('pauses when the page in which a message is being edited closes', async () => {
    const script = await queueBehindReply('second');
    fixture.chat.queues.setEditing(id, getQueuedId(0));
    script.end();
    await waitForReplies(1);
    fixture.chat.queues.abandonEditing(id);
    await fixture.queueRunner.sendNow(id, 'unknown');
    assert.deepEqual(
      [getPauseReason(), getQueuedTexts(), getSentTexts()],
      ['reopened', ['second'], ['first']],
    );
    fixture.chat.queues.abandonEditing(id);
    await fixture.queueRunner.resume(id);
    await waitForReplies(2);
    assert.equal(getPauseReason(), undefined);
  });

  it('puts the text in the editor of a message that another window sends into the draft, once', async () => {
    const script = await queueBehindReply('second');
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    const messageId = getQueuedId(0);
    other.chat.queues.setEditing(id, messageId);
    other.chat.composers.setQueuedEdit(id, { messageId, text: 'second, changed' });
    other.chat.composers.setDraft(id, 'draft');
    script.end();
    await other.until(() => getConversation(other).turns.length === 4 && !getQueuedEdit(other));
    await waitForReplies(2);
    await fixture.replies.whenDone(id);
    const { draft, composing } = getConversation(other);
    assert.deepEqual([draft, composing?.queuedEdit], ['second, changed\n\ndraft', undefined]);
    assert.equal(other.events.filter((event) => event.type === 'draft' && event.text === draft).length, 1);
    assert.equal(getConversation().draft, '');
    await other.close();
  });

  it('leaves what is typed next alone in a window that has only read the text in the editor', async () => {
    const script = await queueBehindReply('second');
    const messageId = getQueuedId(0);
    const { composers, queues } = fixture.chat;
    composers.setQueuedEdit(id, { messageId, text: 'second, changed' });
    await fixture.chat.whenSaved(id);
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    await queues.change(id, ([message]) => (message ? [{ ...message, text: 'final' }] : []));
    composers.setQueuedEdit(id, undefined);
    composers.setDraft(id, 'next');
    composers.addContext(id, [{ id: 'chip', kind: 'selection', name: 'chip', text: 'chip' }]);
    await fixture.chat.whenSaved(id);
    script.end();
    await other.until(() => getConversation(other).composing?.queuedEdit === undefined);
    await other.chat.whenSaved(id);
    await waitForReplies(2);
    await fixture.replies.whenDone(id);
    await other.close();
    const next = await fixture.otherWindow();
    await next.chat.openConversation(id);
    const { draft, composing } = getConversation(next);
    assert.deepEqual([draft, composing?.context.map((chip) => chip.id)], ['next', ['chip']]);
    await next.close();
  });

  it('shows the text in the editor in the draft after a reload, and stores it there once something is typed', async () => {
    const script = await queueBehindReply('second');
    const before = await fixture.otherWindow();
    await before.chat.openConversation(id);
    before.chat.composers.setQueuedEdit(id, { messageId: getQueuedId(0), text: 'second, changed' });
    await before.close();
    const reloaded = await fixture.otherWindow();
    await reloaded.chat.openConversation(id);
    script.end();
    await reloaded.until(({ type }) => type === 'draft');
    assert.equal(getConversation(reloaded).draft, 'second, changed');
    reloaded.chat.composers.setDraft(id, 'second, changed again');
    await waitForReplies(2);
    await fixture.replies.whenDone(id);
    await reloaded.close();
    const next = await fixture.otherWindow();
    await next.chat.openConversation(id);
    const { draft, composing } = getConversation(next);
    assert.deepEqual([draft, composing?.queuedEdit], ['second, changed again', undefined]);
    await next.close();
  });

  it('puts the text in the editor of a message that another window removes into the draft', async () => {
    const script = await queueBehindReply('second');
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    fixture.chat.composers.setQueuedEdit(id, { messageId: getQueuedId(0), text: 'second, changed' });
    await other.chat.queues.change(id, () => []);
    await fixture.until(({ type }) => type === 'draft');
    const { draft, composing } = getConversation();
    assert.deepEqual([draft, composing?.queuedEdit], ['second, changed', undefined]);
    script.end();
    await waitForReplies(1);
    await fixture.replies.whenDone(id);
    await other.close();
    assert.equal(await fixture.store.drafts.get(id), 'second, changed');
    assert.deepEqual(getSentTexts(), ['first']);
  });

  it('keeps the text in the editor of a removed message if the window is killed before the draft is written', async () => {
    let steps: string[] = [];
    class RecordingStorage extends NodeStorage {
      override async replaceFile(...[name, bytes]: Parameters<NodeStorage['replaceFile']>) {
        await super.replaceFile(name, bytes);
        // Not the index, which has a timer of its own.
        if (name.startsWith(id)) steps.push(`write ${name}`);
      }
      override async removeFile(name: string) {
        if (name.startsWith(id)) steps.push(`remove ${name}`);
        return super.removeFile(name);
      }
    }
    const script = await queueBehindReply('second');
    const other = await fixture.otherWindow({ createStorage: (folder) => new RecordingStorage(folder) });
    await other.chat.openConversation(id);
    other.chat.composers.setQueuedEdit(id, { messageId: getQueuedId(0), text: 'second, changed' });
    await other.chat.whenSaved(id);
    steps = [];
    await fixture.chat.queues.change(id, () => []);
    await other.until(({ type }) => type === 'draft');
    await waitUntil('both are stored', () => steps.length === 2);
    assert.deepEqual(steps, [`write ${id}.draft`, `remove ${id}.composing.draft`]);
    script.end();
    await waitForReplies(1);
    await fixture.replies.whenDone(id);
    await other.close();
  });

  it('puts the text in the editor of a message that was sent while the window was closed into the draft', async () => {
    const script = await queueBehindReply('second');
    const closed = await fixture.otherWindow();
    await closed.chat.openConversation(id);
    closed.chat.composers.setQueuedEdit(id, { messageId: getQueuedId(0), text: 'second, changed' });
    await closed.close();
    script.end();
    await waitForReplies(2);
    await fixture.replies.whenDone(id);
    const next = await fixture.otherWindow();
    await next.chat.openConversation(id);
    const { draft, composing } = getConversation(next);
    assert.deepEqual([draft, composing?.queuedEdit], ['second, changed', undefined]);
    await next.close();
  });

  it('forgets the text in the editor of a message that was sent with it', async () => {
    const script = await queueBehindReply('second');
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    other.chat.composers.setQueuedEdit(id, { messageId: getQueuedId(0), text: 'second, changed' });
    await fixture.chat.queues.change(id, (messages) =>
      messages.map((message) => ({ ...message, text: 'second, changed' })),
    );
    script.end();
    await other.until(() => getConversation(other).turns.length === 4 && !getQueuedEdit(other));
    const { draft, composing } = getConversation(other);
    assert.deepEqual([draft, composing?.queuedEdit], ['', undefined]);
    await waitForReplies(2);
    await fixture.replies.whenDone(id);
    await other.close();
  });

  it('moves messages by one place within the bounds of the queue', () => {
    const messages = ['a', 'b', 'c'].map((each) => ({ id: each, text: each, context: [] }));
    const order = (of: string, step: 1 | -1) => moveQueuedMessage(messages, of, step).map((each) => each.id);
    assert.deepEqual(order('a', 1), ['b', 'a', 'c']);
    assert.deepEqual(order('c', -1), ['a', 'c', 'b']);
    assert.deepEqual(order('a', -1), ['a', 'b', 'c']);
    assert.deepEqual(order('c', 1), ['a', 'b', 'c']);
    assert.deepEqual(order('unknown', 1), ['a', 'b', 'c']);
  });

  describe('in a window opened after a crash', () => {
    it('sends a message although the window died just when it took the conversation over', async () => {
      assert.equal(await send('first'), 'sent');
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      const lease = path.join(fixture.folder, `${id}.lease`);
      await writeFile(lease, 'before 1 one that died earlier');
      await writeFile(`${lease}-before`, 'after 1 the one that died');
      const leaseTimes = { ...DEFAULT_LEASE_TIMES, staleMs: 50 };
      const next = await fixture.otherWindow({ owner: 'next', leaseTimes });
      await next.chat.openConversation(id);
      assert.ok(await next.chat.queues.change(id, () => [{ id: 'second', text: 'second', context: [] }]));
      await next.until(({ type }) => type === 'ended');
      assert.deepEqual(getSentTexts(), ['first', 'second']);
      await next.close();
    });

    it('restores the whole queue as paused, and sends nothing until it is resumed', async () => {
      await queueBehindReply('second', 'third');
      // The killed window does nothing more.
      fixture.queueRunner.dispose();
      const next = await fixture.otherWindow();
      await next.chat.openConversation(id);
      assert.deepEqual([getQueuedTexts(next), getPauseReason(next)], [['second', 'third'], 'reopened']);
      fixture.replies.stop(id);
      await fixture.replies.whenDone(id);
      await next.until(() => !getConversation(next).heldByOtherWindow);
      assert.deepEqual([getSentTexts(), getPauseReason(next)], [['first'], 'reopened']);
      await next.queueRunner.resume(id);
      await next.until(() => getQueuedTexts(next).length === 0 && getSentTexts().length === 3);
      await next.close();
      assert.deepEqual(getSentTexts(), ['first', 'second', 'third']);
    });

    it('shows a message that may have been sent as such, and sends it only when asked to', async () => {
      const script = await queueBehindReply('second', 'third');
      // Killed after the mark and before the turn.
      fixture.queueRunner.dispose();
      const permission = await acquire(fixture.chat, id);
      assert.equal(await fixture.chat.queues.markSending(permission, getQueuedId(0)), true);
      await permission.release();
      script.end();
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      const next = await fixture.otherWindow();
      await next.chat.openConversation(id);
      assert.deepEqual(
        getConversation(next).queue?.messages.map(({ sending: mark }) => mark),
        [true, undefined],
      );
      await next.queueRunner.resume(id);
      await next.until(() => getPauseReason(next) === 'maybeSent');
      assert.deepEqual(getSentTexts(), ['first']);
      await next.queueRunner.sendNow(id, getConversation(next).queue?.messages[0]?.id ?? '');
      await next.until((event) => event.type === 'ended');
      await next.replies.whenDone(id);
      assert.deepEqual([getSentTexts(), getQueuedTexts(next)], [['first', 'second'], ['third']]);
      await next.close();
    });

    it('restores the queue of a conversation without turns', async () => {
      fixture.queueRunner.dispose();
      await fixture.chat.queues.change(id, () => [{ id: 'm1', text: 'first', context: [] }]);
      const next = await fixture.otherWindow();
      assert.equal(await next.chat.openConversation(id), undefined);
      next.chat.createConversation(getConversation().bot, id);
      await next.chat.restoreComposer(id);
      assert.deepEqual([getQueuedTexts(next), getPauseReason(next)], [['first'], 'reopened']);
      assert.deepEqual(
        next.chat.getDrafted().map((each) => each.id),
        [id],
      );
      await next.close();
    });

    it('restores a message that was sent before its turn was saved as one that may have been sent', async () => {
      await fixture.close();
      let full = false;
      class FillingStorage extends NodeStorage {
        override async appendFile(...[name, ...rest]: Parameters<NodeStorage['appendFile']>) {
          if (full) throw new AppendError(name, 0, new Error('Full'));
          return super.appendFile(name, ...rest);
        }
      }
      await start(undefined, (folder) => new FillingStorage(folder));
      const script = await queueBehindReply('second', 'third');
      full = true;
      script.end();
      await fixture.until(() => getSentTexts().length === 2);
      fixture.queueRunner.dispose();
      await fixture.chat.queues.whenSettled();
      assert.deepEqual(getQueuedTexts(), ['third']);
      const next = await fixture.otherWindow();
      await next.chat.openConversation(id);
      const marks = getConversation(next).queue?.messages.map(({ text, sending: mark }) => [text, mark]);
      full = false;
      await next.close();
      assert.deepEqual(marks, [
        ['second', true],
        ['third', undefined],
      ]);
    });

    it('removes a message that has become a turn although it is still in the queue file', async () => {
      const script = await queueBehindReply('second');
      const file = await fixture.store.queues.read(id);
      script.end();
      await waitForReplies(2);
      await fixture.replies.whenDone(id);
      await fixture.store.queues.write(id, file);
      const next = await fixture.otherWindow();
      await next.chat.openConversation(id);
      assert.equal(getConversation(next).queue, undefined);
      await next.close();
    });
  });

  describe('in two windows', () => {
    it('sends each message once when both are resumed', async () => {
      await queueBehindReply('second', 'third', 'fourth');
      fixture.replies.stop(id);
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      await Promise.all([fixture.queueRunner.resume(id), other.queueRunner.resume(id)]);
      await fixture.until(() => getSentTexts().length === 4 && getQueuedTexts().length === 0);
      await other.until(() => getQueuedTexts(other).length === 0);
      await Promise.all([fixture.replies.whenDone(id), other.replies.whenDone(id)]);
      assert.deepEqual(getSentTexts(), ['first', 'second', 'third', 'fourth']);
      await other.close();
    });

    it('sends what the other made of a queued message, although no watcher reported it', async () => {
      await fixture.close();
      await start({}, (folder) => new UnwatchedStorage(folder));
      const script = await queueBehindReply('second');
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      const edit = (message: QueuedMessage) => ({ ...message, text: 'edited' });
      assert.ok(await other.chat.queues.change(id, (messages) => messages.map(edit)));
      script.end();
      await waitForReplies(2);
      await fixture.replies.whenDone(id);
      assert.deepEqual(getSentTexts(), ['first', 'edited']);
      await other.close();
    });

    it('queues a message sent while the other window writes, and sends it afterwards', async () => {
      await send('first');
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      const lease = await other.chat.acquirePermission(id);
      assert.equal(await send('second'), 'queued');
      await lease?.release();
      await waitForReplies(2);
      assert.deepEqual([getSentTexts(), getQueuedTexts()], [['first', 'second'], []]);
      // The window releases the conversation soon.
      let next: Awaited<ReturnType<typeof other.chat.acquirePermission>>;
      while (!next) next = await other.chat.acquirePermission(id);
      await next.release();
      await other.close();
    });

    it('sends a message once although the window that sent it can’t save its turn', async () => {
      await fixture.close();
      let storage: RefusingStorage | undefined;
      await start({}, (folder) => {
        storage = new RefusingStorage(folder);
        return storage;
      });
      const first = await queueBehindReply('second', 'third');
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      const second = fixture.service.script();
      if (storage) storage.refuses = (step, name) => step === 'append' && name.endsWith('.jsonl');
      first.end();
      await second.opened;
      await other.queueRunner.resume(id);
      // Nothing is sent while the other window has the conversation.
      await other.queueRunner.sendNow(id, 'unknown');
      assert.equal(getPauseReason(other), undefined);
      fixture.queueRunner.dispose();
      second.end();
      await other.until(() => getPauseReason(other) !== undefined || getSentTexts().length > 2);
      assert.deepEqual(
        getConversation(other).queue?.messages.map(({ text, sending: mark }) => [text, mark]),
        [
          ['second', true],
          ['third', undefined],
        ],
      );
      assert.deepEqual([getPauseReason(other), getSentTexts()], ['maybeSent', ['first', 'second']]);
      if (storage) storage.refuses = () => false;
      await fixture.chat.whenSaved(id);
      await other.until(() => getQueuedTexts(other).length === 1);
      assert.deepEqual(getQueuedTexts(other), ['third']);
      await other.close();
    });

    it('sends a message once whose turn can’t be saved, although another deletes and restores the conversation', async () => {
      await fixture.close();
      const storage: RefusingStorage[] = [];
      await start({}, (folder) => {
        storage.push(new RefusingStorage(folder));
        return storage[0] ?? assert.fail();
      });
      const first = await queueBehindReply('second');
      const second = fixture.service.script();
      for (const each of storage) each.refuses = (step) => step === 'append';
      first.end();
      await second.opened;
      second.end();
      await waitForReplies(2);
      await fixture.replies.whenDone(id);
      const other = await fixture.otherWindow();
      await other.chat.deleteConversation(id);
      await fixture.until(({ type }) => type === 'deleted');
      await other.chat.undelete(id);
      await fixture.chat.openConversation(id);
      assert.deepEqual(getQueuedTexts(), []);
      for (const each of storage) each.refuses = () => false;
      await fixture.chat.whenSaved(id);
      const reader = await fixture.otherWindow();
      const stored = await reader.chat.openWhole(id);
      const texts = stored?.turns.flatMap((turn) => (turn.kind === 'message' ? [turn.text] : []));
      assert.deepEqual(
        [texts, stored?.queue, getSentTexts()],
        [['first', 'second'], undefined, ['first', 'second']],
      );
      await reader.close();
      fixture.takeErrors();
      await other.close();
    });

    it('hides a message that the other window removed when it gets the focus, although no watcher reported it', async () => {
      const script = await queueBehindReply('second');
      const other = await fixture.otherWindow({ createStorage: (folder) => new UnwatchedStorage(folder) });
      await other.chat.load();
      await other.chat.openConversation(id);
      await fixture.chat.queues.change(id, () => []);
      await other.chat.readListChanges();
      await other.chat.queues.whenSettled();
      assert.deepEqual(getQueuedTexts(other), []);
      script.end();
      await waitForReplies(1);
      await fixture.replies.whenDone(id);
      await other.close();
    });

    it('keeps the mark of a message that is being sent when another message is queued', async () => {
      await queueBehindReply('second');
      const permission = await acquire(fixture.chat, id);
      assert.equal(await fixture.chat.queues.markSending(permission, getQueuedId(0)), true);
      await send('third');
      const marks = async () => (await fixture.store.queues.read(id)).map(({ sending: mark }) => mark);
      assert.deepEqual(await marks(), [true, undefined]);
      assert.equal(getConversation().queue?.messages[0]?.sending, undefined);
      await fixture.chat.queues.unmarkSending(id, getQueuedId(0));
      assert.deepEqual(await marks(), [undefined, undefined]);
      await permission.release();
    });

    it('keeps all messages queued by both at the same time', async () => {
      await queueBehindReply('second');
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      const add = ({ chat }: ChatFixture, name: string) =>
        chat.queues.change(id, (messages) => [...messages, { id: name, text: name, context: [] }]);
      const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
      await Promise.all(names.map((name, index) => add(index % 2 === 0 ? fixture : other, name)));
      const stored = await fixture.store.queues.read(id);
      assert.deepEqual(stored.map(({ text }) => text).toSorted(), [...names, 'second']);
      await other.close();
    });

    it('shows changes made by the other window', async () => {
      await queueBehindReply('second', 'third');
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      await fixture.chat.queues.change(id, (messages) => messages.slice(1));
      await other.until(() => getQueuedTexts(other).length === 1);
      assert.deepEqual(getQueuedTexts(other), ['third']);
      await other.chat.queues.change(id, () => []);
      await fixture.until(() => getQueuedTexts().length === 0);
      await other.close();
    });
  });
});
