import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findLastReply, isStreaming } from '../../../src/chat/model/conversation';
import type { ReplyTurn } from '../../../src/chat/model/turn';
import { DEFAULT_LEASE_TIMES } from '../../../src/chat/store/files/lease';
import type { Message } from '../../../src/client/models';
import { ServiceError, type ServiceErrorCode } from '../../../src/client/serviceError';
import { NodeStorage } from '../../../src/host/platform/nodeStorage';
import { demoBots } from '../../service/demo/demoBots';
import { waitUntil } from '../../support/waitUntil';
import { type ChatFixture, sendAgain, startChat } from '../support/chatFixture';
import { RefusingStorage } from '../support/refusingStorage';
import { UnwatchedStorage } from '../support/unwatchedStorage';
import { putTurn, writeTo } from '../support/writing';

const STALE_MS = 50;

describe('Replies', () => {
  let fixture: ChatFixture;
  let id: string;
  beforeEach(async () => {
    fixture = await startChat({ bots: demoBots });
    ({ id } = fixture.newConversation());
  });
  afterEach(() => fixture.close());

  const find = () => fixture.chat.findConversation(id) ?? assert.fail();
  const findLast = () => find().turns.findLast((turn) => turn.kind === 'reply') ?? assert.fail();
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  const countRequests = () =>
    fixture.service.requests.filter(({ path }) => path.endsWith('/messages/stream')).length;
  const send = async (text: string) => {
    assert.equal(await fixture.replies.send(id, text), 'sent');
    return fixture.ended(id);
  };
  /** Lets the request for the next reply fail. */
  const failNext = (status = 500) =>
    fixture.service.inject({ name: 'status', on: 'POST /messages/stream', status, body: {} });
  /** Sends a message that the service fails to answer. */
  const sendFailing = (text: string) => {
    failNext();
    return send(text);
  };
  const createError = (code: ServiceErrorCode) =>
    new ServiceError(code, { operation: 'POST', message: 'no', maySend: false });

  it('are one per conversation, also when two messages are sent at the same time', async () => {
    const { replies } = fixture;
    assert.deepEqual(await Promise.all([replies.send(id, 'one'), replies.send(id, 'two')]), ['sent', 'busy']);
    await fixture.ended(id);
    assert.deepEqual(getSentTexts(), ['one']);
    assert.equal(await replies.send('unknown', 'one'), 'noBot');
  });

  it('aren’t requested while one streams in another window', async () => {
    const reply = { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 } as const;
    await putTurn(fixture.chat, id, reply);
    assert.equal(await fixture.replies.send(id, 'one'), 'busy');
    assert.equal(countRequests(), 0);
  });

  it('store their bot, and where their message comes from', async () => {
    const reply = await send('one');
    assert.deepEqual([reply.bot, 'skipped' in reply], ['Echo', false]);
    failNext(402);
    assert.equal(await fixture.replies.send(id, 'two', { via: 'tool' }), 'sent');
    await fixture.replies.whenDone(id);
    assert.deepEqual([findLast().ending, find().draft], ['failed', '']);
    const messages = find().turns.filter((turn) => turn.kind === 'message');
    assert.deepEqual(
      messages.map((message) => 'via' in message && message.via),
      [false, 'tool'],
    );
  });

  describe('when they are retried', () => {
    it('send the message of the reply once, even if Retry is chosen twice', async () => {
      await send('one');
      const failed = await sendFailing('two');
      assert.equal(find().draft, '');
      const retry = () => fixture.replies.retry(id, failed.id, sendAgain);
      assert.deepEqual(await Promise.all([retry(), retry()]), ['sent', 'empty']);
      assert.equal((await fixture.ended(id)).text, 'two');
      assert.deepEqual([getSentTexts(), countRequests()], [['one', 'two'], 3]);
      assert.deepEqual(
        find().turns.map(({ kind }) => kind),
        ['message', 'reply', 'message', 'reply'],
      );
    });

    it('return the text to the composer when the service refuses it now', async () => {
      const failed = await sendFailing('one');
      failNext(402);
      assert.equal(await fixture.replies.retry(id, failed.id, sendAgain), 'sent');
      await fixture.ended(id);
      assert.equal(find().draft, 'one');
      assert.equal(await fixture.replies.retry(id, findLast().id, sendAgain), 'empty');
    });

    it('keep what was received before', async () => {
      const script = fixture.service.script();
      assert.equal(await fixture.replies.send(id, 'one'), 'sent');
      script.chunk('Be');
      await fixture.until(({ type }) => type === 'chunk');
      script.close();
      const cut = await fixture.ended(id);
      assert.equal(await fixture.replies.retry(id, cut.id, sendAgain), 'sent');
      await fixture.ended(id);
      const texts = find().turns.flatMap((turn) => (turn.kind === 'reply' ? [turn.text] : []));
      assert.deepEqual(texts, ['Be', 'one']);
    });

    it('keep what another window completed while the lease was acquired, and send nothing', async () => {
      const { failure: _, ...failed } = await sendFailing('one');
      await fixture.replies.whenDone(id);
      const lease = new EventEmitter();
      const isAcquiring = once(lease, 'acquiring');
      const mayAcquire = once(lease, 'acquire');
      class SlowStorage extends NodeStorage {
        override async createFile(name: string, bytes: Uint8Array) {
          if (name === `${id}.lease` && lease.emit('acquiring')) await mayAcquire;
          return super.createFile(name, bytes);
        }
      }
      const other = await fixture.otherWindow({ createStorage: (folder) => new SlowStorage(folder) });
      await other.chat.openConversation(id);
      const retried = other.replies.retry(id, failed.id, sendAgain);
      await isAcquiring;
      await putTurn(fixture.chat, id, { ...failed, text: 'Late', ending: 'complete' });
      await fixture.chat.whenSaved(id);
      lease.emit('acquire');
      assert.equal(await retried, 'empty');
      const { turns } = other.chat.findConversation(id) ?? assert.fail();
      const texts = turns.flatMap((turn) => (turn.kind === 'reply' ? [turn.text] : []));
      assert.deepEqual(texts, ['Late']);
      await other.close();
    });

    it('send nothing if another window has sent the message, even if nothing reported it', async () => {
      fixture.useKey('wrong');
      const failed = await send('one');
      await fixture.replies.whenDone(id);
      const other = await fixture.otherWindow({ createStorage: (folder) => new UnwatchedStorage(folder) });
      await other.chat.openConversation(id);
      fixture.useKey(fixture.service.key);
      assert.equal(await fixture.replies.retry(id, failed.id, sendAgain), 'sent');
      await fixture.replies.whenDone(id);
      assert.equal(await other.replies.retry(id, failed.id, sendAgain), 'empty');
      assert.deepEqual(getSentTexts(), ['one']);
      assert.deepEqual(other.chat.findConversation(id)?.turns, find().turns);
      await other.close();
    });

    it('send nothing if it can’t be read whether another window has sent the message', async () => {
      const failed = await sendFailing('one');
      await fixture.replies.whenDone(id);
      let disk: RefusingStorage | undefined;
      const other = await fixture.otherWindow({
        createStorage: (folder) => {
          disk = new RefusingStorage(folder);
          return disk;
        },
      });
      await other.chat.openConversation(id);
      assert.ok(disk);
      disk.refuses = (step, name) => step === 'stat' && name === `${id}.jsonl`;
      const requests = countRequests();
      await assert.rejects(other.replies.retry(id, failed.id, sendAgain), /Refused to stat/);
      assert.equal(countRequests(), requests);
      disk.refuses = () => false;
      assert.equal(await other.replies.retry(id, failed.id, sendAgain), 'sent');
      await other.ended(id);
      other.takeErrors();
      await other.close();
    });

    it('send nothing if the message, the reply or the conversation is missing', async () => {
      const { replies, chat } = fixture;
      assert.equal(await replies.retry('unknown', 'r', sendAgain), 'empty');
      assert.equal(await replies.retry(id, 'r', sendAgain), 'empty');
      const complete = await send('one');
      assert.equal(await replies.retry(id, complete.id, sendAgain), 'empty');
      const failure = { code: 'service', maySend: true } as const;
      await putTurn(chat, id, { ...complete, id: 'r', messageId: '', ending: 'failed', failure });
      assert.equal(await replies.retry(id, 'r', sendAgain), 'empty');
      assert.equal(countRequests(), 1);
    });

    it('say that another window is writing', async () => {
      const failed = await sendFailing('one');
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      await fixture.replies.whenDone(id);
      const permission = await other.chat.acquirePermission(id);
      assert.equal(await fixture.replies.retry(id, failed.id, sendAgain), 'otherWindow');
      await permission?.release();
      await other.close();
    });
  });

  it('start when the message is saved, and are done when they are saved, also if that fails', async () => {
    const { chat, replies, service } = fixture;
    const steps: unknown[] = [];
    chat.whenSaved = async () => {
      steps.push('saving');
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      steps.push(countRequests(), findLast().ending);
      throw new Error('ENOSPC');
    };
    const script = service.script();
    assert.equal(await replies.send(id, 'one'), 'sent');
    script.end();
    await replies.whenDone(id);
    assert.deepEqual(steps, ['saving', 0, undefined, 'saving', 1, 'complete']);
    assert.equal(replies.isBusy(id), false);
  });

  it('are not done until they are saved, also after they have ended', async () => {
    const { chat, replies, service } = fixture;
    const script = service.script();
    assert.equal(await replies.send(id, 'one'), 'sent');
    await script.opened;
    let save: (() => void) | undefined;
    const saved = new Promise<void>((resolve) => {
      save = resolve;
    });
    chat.whenSaved = () => saved;
    script.end();
    await fixture.ended(id);
    while (replies.isBusy(id)) await setImmediate();
    const steps: string[] = [];
    const done = replies.whenDone(id).then(() => steps.push('done'));
    const disposed = replies.dispose().then(() => steps.push('disposed'));
    const other = replies.whenDone('other').then(() => steps.push('no reply in the other conversation'));
    await other;
    await setImmediate();
    steps.push('saved');
    save?.();
    await Promise.all([done, disposed]);
    assert.deepEqual(steps, ['no reply in the other conversation', 'saved', 'done', 'disposed']);
    assert.equal(findLast().ending, 'complete');
  });

  it('are not sent by a window that closes while it waits to write', async () => {
    const { chat, replies, service } = fixture;
    const acquire = chat.acquirePermission.bind(chat);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    chat.acquirePermission = async (...args) => {
      await held;
      return acquire(...args);
    };
    const steps: string[] = [];
    const sending = replies.send(id, 'one').then((result) => steps.push(result));
    const disposed = replies.dispose().then(() => steps.push('disposed'));
    await setImmediate();
    assert.deepEqual(steps, []);
    release?.();
    await Promise.all([sending, disposed]);
    assert.deepEqual(steps.toSorted(), ['busy', 'disposed']);
    assert.deepEqual([chat.findConversation(id)?.turns.length, service.requests.length], [0, 0]);
    assert.equal(replies.isBusy(id), false);
  });

  it('are not sent by a window that has closed', async () => {
    const failed = await sendFailing('one');
    await fixture.replies.whenDone(id);
    await fixture.replies.dispose();
    assert.equal(await fixture.replies.send(id, 'two'), 'busy');
    assert.equal(await fixture.replies.retry(id, failed.id, sendAgain), 'empty');
    assert.deepEqual([findLast().id, countRequests()], [failed.id, 1]);
  });

  it('report whether there is one to stop', async () => {
    assert.equal(fixture.replies.stop(id), false);
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    await script.opened;
    assert.equal(fixture.replies.stop(id), true);
    assert.equal((await fixture.ended(id)).ending, 'stopped');
  });

  it('are interrupted when another window takes over, which may then write', async () => {
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    await script.opened;
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    assert.equal(await other.chat.acquirePermission(id), undefined);
    await other.replies.takeOver(id);
    const { ending, failure, id: turnId } = await fixture.ended(id);
    assert.deepEqual([ending, failure], ['interrupted', { code: 'interrupted', maySend: false }]);
    await fixture.replies.whenDone(id);
    // The first window looks for the rest of the reply, and has the lease while it stores what it found.
    await fixture.messageSync.findCompleteReply(id, turnId);
    const permission = await other.chat.acquirePermission(id);
    assert.equal(permission?.kind, 'leased');
    await permission?.release();
    await other.close();
  });

  it('are interrupted, without what came later, when another window takes over before the last chunk', async () => {
    const other = await fixture.otherWindow();
    fixture.connect().client.streamReply = async function* () {
      yield 'Be';
      await other.replies.takeOver(id);
      await fixture.store.checkLease(id);
      yield 'rlin';
    };
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    const { ending, text } = await fixture.ended(id);
    assert.deepEqual([ending, text], ['interrupted', 'Be']);
    await other.close();
  });

  it('are interrupted, without a gap, when another window deletes the conversation and restores it', async () => {
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    await script.opened;
    script.chunk('Ber');
    await fixture.until(({ type }) => type === 'chunk');
    await fixture.chat.whenSaved(id);
    const other = await fixture.otherWindow();
    await other.chat.load();
    await other.chat.deleteConversation(id);
    await fixture.until(({ type }) => type === 'deleted');
    script.chunk('li');
    assert.equal(await other.chat.undelete(id), true);
    await fixture.chat.openConversation(id);
    script.chunk('n');
    script.end();
    await fixture.replies.whenDone(id);
    await other.chat.openConversation(id);
    for (const { chat } of [fixture, other]) {
      const { ending, text } = findLastReply(chat.findConversation(id) ?? assert.fail()) ?? {};
      assert.deepEqual([ending, text], ['interrupted', 'Ber']);
    }
    await other.close();
  });

  it('aren’t requested when another window takes over before they start', async () => {
    const other = await fixture.otherWindow();
    const { acquirePermission: acquire } = fixture.chat;
    fixture.chat.acquirePermission = async (...args) => {
      const permission = await acquire.apply(fixture.chat, args);
      await other.replies.takeOver(id);
      await permission?.check();
      return permission;
    };
    assert.equal(await fixture.replies.send(id, 'one'), 'otherWindow');
    assert.deepEqual([find().turns, countRequests()], [[], 0]);
    await other.close();
  });

  it('stream again in other windows when the heartbeats of their window return', async () => {
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    script.chunk('begun');
    await fixture.until(({ type }) => type === 'chunk');
    await fixture.store.flush(id);
    let time = 0;
    // A window is gone as soon as two looks see the same heartbeat.
    let stepMs = STALE_MS;
    const leaseTimes = { ...DEFAULT_LEASE_TIMES, staleMs: STALE_MS, now: () => (time += stepMs) };
    const other = await fixture.otherWindow({ leaseTimes });
    // What it finds on the service would be written to the conversation.
    other.useKey(undefined);
    const conversation = (await other.chat.openConversation(id)) ?? assert.fail();
    await other.until(({ type }) => type === 'ended');
    stepMs = 0;
    await waitUntil('the reply streams', () => isStreaming(conversation));
    assert.deepEqual(
      [findLastReply(conversation)?.failure, conversation.heldByOtherWindow],
      [undefined, true],
    );
    script.chunk(', and complete');
    script.end();
    await waitUntil('the reply has ended', () => !isStreaming(conversation));
    const { ending, failure, text } = findLastReply(conversation) ?? {};
    assert.deepEqual([ending, failure, text], ['complete', undefined, 'begun, and complete']);
    await other.close();
  });

  it('of a crashed window stay interrupted when the heartbeats of another window return', async () => {
    const lease = path.join(fixture.folder, `${id}.lease`);
    await putTurn(fixture.chat, id, { kind: 'reply', id: 'r', messageId: 'm', bot: 'Echo', text: '', at: 1 });
    await fixture.chat.whenSaved(id);
    await writeFile(lease, 'token 1000 a window that crashed');
    let time = 0;
    let stepMs = 0;
    const leaseTimes = { ...DEFAULT_LEASE_TIMES, staleMs: STALE_MS, now: () => (time += stepMs) };
    const other = await fixture.otherWindow({ leaseTimes });
    const writers: (string | undefined)[] = [];
    other.store.onStoreEvent((event) => {
      if (event.type === 'writer') writers.push(event.isBack ? 'back' : event.heldBy?.owner);
    });
    const conversation = (await other.chat.openConversation(id)) ?? assert.fail();
    assert.ok(isStreaming(conversation));
    stepMs = STALE_MS;
    await other.until(({ type }) => type === 'ended');
    await writeFile(lease, 'other-token 2000 another');
    await waitUntil('the other window is gone', () => writers.at(-2) === 'another');
    await appendFile(lease, ' ');
    await waitUntil('the other window is back', () => writers.includes('back'));
    assert.deepEqual([isStreaming(conversation), findLastReply(conversation)?.id], [false, 'r']);
    await other.close();
    await rm(lease);
  });

  it('release the conversation for other windows', async () => {
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    await fixture.replies.whenDone(id);
    const other = await fixture.otherWindow();
    await other.chat.openConversation(id);
    const permission = await other.chat.acquirePermission(id);
    assert.equal(permission?.kind, 'leased');
    await permission?.release();
    await other.close();
  });

  it('are saved as interrupted when their window has closed', async () => {
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    await script.opened;
    await fixture.replies.dispose();
    assert.equal(findLast().ending, 'interrupted');
  });

  it('say that the service no longer has the conversation', async () => {
    await send('one');
    await fixture.connect().client.deleteConversation(find().remote?.id ?? '');
    const { ending, failure } = await send('two');
    assert.deepEqual([ending, failure], ['failed', { code: 'gone', maySend: true }]);
    assert.equal(find().remote?.gone, true);
  });

  it('aren’t requested again unasked if the conversation was gone after the message was accepted', async () => {
    for (const on of ['GET stream', 'GET /conversations/{id}'] as const)
      fixture.service.inject({ name: 'status', on, status: 404 });
    const { id: turnId, ending, failure } = await send('one');
    assert.deepEqual([ending, failure], ['failed', { code: 'gone', maySend: false }]);
    let asked = false;
    const decline = async () => {
      asked = true;
      return false;
    };
    assert.equal(await fixture.replies.retry(id, turnId, decline), 'empty');
    assert.deepEqual([asked, getSentTexts()], [true, ['one']]);
  });

  for (const { end, ending } of [
    { end: () => void fixture.replies.stop(id), ending: 'stopped' },
    { end: () => void fixture.replies.dispose(), ending: 'interrupted' },
  ] as const)
    it(`are ${ending} while the service is asked whether it still has the conversation`, async () => {
      // No answer comes, and no deadline ends the wait for one.
      fixture.useDeadlines({ firstHeader: 2 ** 31 - 1 });
      await send('one');
      failNext(404);
      const { service } = fixture;
      service.inject({ name: 'hang', on: 'GET /conversations/{id}' });
      const isAsked = () =>
        service.requests.some(({ method, path }) => method === 'GET' && /\/conversations\/[^/]+$/.test(path));
      assert.equal(await fixture.replies.send(id, 'two'), 'sent');
      await waitUntil('the service is asked', isAsked);
      end();
      await waitUntil('the reply has ended', () => findLast().ending !== undefined);
      assert.deepEqual([findLast().ending, find().remote?.gone], [ending, undefined]);
    });

  describe('whose stream fails', () => {
    for (const { texts, code, ending } of [
      { texts: ['Be'], code: 'service', ending: 'interrupted' },
      { texts: [], code: 'interrupted', ending: 'interrupted' },
      { texts: [], code: 'service', ending: 'failed' },
    ] as const)
      it(`are ${ending} after ${texts.length} chunks and the error “${code}”`, async () => {
        const { client } = fixture.connect();
        client.streamReply = async function* () {
          yield* texts;
          throw createError(code);
        };
        const reply = await send('one');
        assert.deepEqual([reply.ending, reply.text, reply.failure?.code], [ending, texts.join(''), code]);
      });
  });

  it('say that an unreadable part was skipped', async () => {
    const { client } = fixture.connect();
    client.streamReply = async function* (_message, { onSkipped } = {}) {
      onSkipped?.();
      yield 'Be';
    };
    const reply = await send('one');
    assert.deepEqual([reply.ending, reply.skipped], ['complete', true]);
  });

  it('end once, and are found among later turns', async () => {
    const script = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'one'), 'sent');
    await script.opened;
    const at = Date.now();
    const document = { name: 'a.md', size: 1, sent: 1, at, state: 'attached' } as const;
    fixture.chat.writer.putDocument(id, { kind: 'document', id: 'd', ...document });
    script.chunk('Be');
    await fixture.until(({ type }) => type === 'chunk');
    await writeTo(fixture.chat, id, (permission) =>
      fixture.chat.writer.endReply(permission, { ...findLast(), ending: 'stopped' }),
    );
    script.end();
    await fixture.replies.whenDone(id);
    assert.deepEqual([findLast().ending, findLast().text], ['stopped', 'Be']);
    assert.equal(fixture.events.filter(({ type }) => type === 'ended').length, 1);
    const next = fixture.service.script();
    assert.equal(await fixture.replies.send(id, 'two'), 'sent');
    await next.opened;
    fixture.chat.writer.putDocument(id, { kind: 'document', id: 'd2', ...document });
    next.end();
    assert.equal((await fixture.ended(id)).ending, 'complete');
  });

  it('are done when they were removed while they streamed', async () => {
    for (const end of ['end', 'close'] as const) {
      const script = fixture.service.script();
      assert.equal(await fixture.replies.send(id, 'one'), 'sent');
      await script.opened;
      await writeTo(fixture.chat, id, (permission) =>
        fixture.chat.writer.removeTurn(permission, findLast().id),
      );
      script[end]();
      await fixture.replies.whenDone(id);
    }
    assert.deepEqual(
      find().turns.map(({ kind }) => kind),
      ['message', 'message'],
    );
  });

  describe('with web search', () => {
    const unanswered = { code: 'unanswered', maySend: false };
    const invalid = { code: 'invalidResponse', reason: 'empty', maySend: false };
    for (const { title, answer, ending, failure, chunks } of [
      { title: 'are complete', answer: { content: 'Be' }, ending: 'complete', chunks: 1 },
      {
        title: 'fail if the service says so, and keep the text',
        answer: { content: 'Sorry', failedResponding: true },
        ...{ ending: 'failed', failure: unanswered, chunks: 1 },
      },
      {
        title: 'fail without a text if the service says so',
        answer: { content: '', failedResponding: true },
        ...{ ending: 'failed', failure: unanswered, chunks: 0 },
      },
      {
        title: 'are invalid without a text',
        answer: { content: '' },
        ...{ ending: 'failed', failure: invalid, chunks: 0 },
      },
      {
        title: 'are invalid if the answer is the message itself',
        answer: { content: 'one', machine: false },
        ...{ ending: 'failed', failure: invalid, chunks: 0 },
      },
    ])
      it(title, async () => {
        const { client } = fixture.connect();
        client.createMessage = async (): Promise<Message> => ({ id: 'm', sources: [], ...answer });
        fixture.chat.composers.setState(id, { webSearch: true });
        const reply: ReplyTurn = await send('one');
        assert.deepEqual([reply.ending, reply.failure, reply.skipped], [ending, failure, undefined]);
        assert.equal(fixture.events.filter(({ type }) => type === 'chunk').length, chunks);
        const end = fixture.events.findIndex(({ type }) => type === 'ended');
        const later = fixture.events.slice(end).filter(({ type }) => type === 'turn').length;
        // What else the service says about the reply.
        assert.equal(later, failure === unanswered ? 1 : 0);
        assert.equal(find().draft, '');
      });
  });
});
