import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { findDocument } from '../../../src/chat/model/conversation';
import type { PauseReason } from '../../../src/chat/model/queuedMessage';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { openBytes } from '../../../src/host/platform/openBytes';
import { findPendingDocuments } from '../../../src/shared/view/documentReadiness';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

const LIST = 'GET /documents';
const JUST_OVER_AN_HOUR_MS = 61 * 60_000;

describe('A queued message that waits for a document', () => {
  let fixture: ChatFixture;
  let id: string;
  let turnId: string;

  const start = async (options: LocalServiceOptions) => {
    fixture = await startChat({ profile: 'hosted', conversionMs: Number.POSITIVE_INFINITY, ...options });
    ({ id } = fixture.newConversation());
    await upload('plan.md');
  };
  const upload = async (name: string) => {
    const open = () => openBytes(new TextEncoder().encode('text'));
    const file = { name, contentType: 'text/markdown', opened: open(), reopen: async () => open() };
    const started = fixture.uploads.add(id, confirmed(file));
    ({ turnId } = started);
    await started.finished;
  };
  afterEach(() => fixture.close());

  const find = () => fixture.chat.findConversation(id) ?? assert.fail();
  const getTurn = () => findDocument(find(), turnId) ?? assert.fail();
  const enqueue = (paused?: PauseReason) =>
    fixture.chat.queues.change(
      id,
      () => [{ id: 'm1', text: 'What?', context: [], documents: [turnId] }],
      paused,
    );
  const getSentTexts = () =>
    [...fixture.service.messages.values()].flatMap(({ machine, content }) => (machine ? [] : [content]));
  /** Resolves when the service has received one more request for the list than before. */
  const waitForList = (count: number) => {
    const requests = () => fixture.service.requests.filter(({ path }) => path.includes('/documents?'));
    const before = requests().length;
    return fixture.service.waitForRequest(() => requests().length >= before + count);
  };
  const waitForReply = () => fixture.until(({ type }) => type === 'ended');

  it('waits on when the service answers once without a list', async () => {
    await start({ listingMs: 0 });
    fixture.service.inject({ name: 'empty-200', on: LIST });
    await enqueue();
    await fixture.until(() => getTurn().status === 'syncing');
    assert.deepEqual(getSentTexts(), []);
    fixture.service.conversions.finish('plan.md');
    await waitForReply();
    assert.deepEqual(getSentTexts(), ['What?']);
  });

  it('waits on when a service that has listed documents answers several times without a list', async () => {
    await start({ listingMs: 0 });
    await enqueue();
    await fixture.until(() => getTurn().status === 'syncing');
    fixture.service.inject({ name: 'empty-200', on: LIST, times: 3 });
    await waitForList(4);
    assert.deepEqual(getSentTexts(), []);
    fixture.service.conversions.finish('plan.md');
    await waitForReply();
    assert.deepEqual(getSentTexts(), ['What?']);
  });

  for (const { state, listingMs } of [
    { state: 'isn’t listed, as if the service had renamed it', listingMs: Number.POSITIVE_INFINITY },
    { state: 'is still being converted', listingMs: 0 },
  ]) {
    it(`pauses the queue when the document ${state} an hour after it was accepted, and is sent on Resume`, async () => {
      await start({ listingMs });
      await enqueue();
      await waitForList(2);
      assert.equal(find().queue?.paused, undefined);
      fixture.chat.writer.putDocument(id, { ...getTurn(), acceptedAt: Date.now() - JUST_OVER_AN_HOUR_MS });
      await fixture.until(() => find().queue?.paused !== undefined);
      assert.deepEqual([find().queue?.paused, getSentTexts()], ['documentLate', []]);
      await fixture.chat.queues.whenSettled();
      assert.equal(getTurn().status, listingMs === 0 ? 'syncing' : undefined);
      await fixture.queueRunner.resume(id);
      await waitForReply();
      assert.deepEqual(getSentTexts(), ['What?']);
    });
  }

  describe('that is queued after its document was late', () => {
    const enqueueSecond = () =>
      fixture.chat.queues.change(id, () => [
        { id: 'm2', text: 'And now?', context: [], documents: findPendingDocuments(find().turns) },
      ]);

    const waitForSecondReply = () =>
      fixture.until(
        (event) =>
          event.type === 'ended' &&
          event.turn.id === find().turns.filter(({ kind }) => kind === 'reply')[1]?.id,
      );

    beforeEach(async () => {
      await start({ listingMs: 0 });
      fixture.documentStatus.setVisible(new Set([id]));
      await enqueue();
      await fixture.until(() => getTurn().status === 'syncing');
      fixture.chat.writer.putDocument(id, { ...getTurn(), acceptedAt: Date.now() - JUST_OVER_AN_HOUR_MS });
      await fixture.until(() => find().queue?.paused !== undefined);
      await fixture.queueRunner.resume(id);
      await waitForReply();
      assert.deepEqual([getSentTexts(), getTurn().status], [['What?'], 'syncing']);
    });

    it('pauses the queue again', async () => {
      await enqueueSecond();
      await fixture.until(() => find().queue?.paused !== undefined);
      assert.deepEqual([find().queue?.paused, getSentTexts()], ['documentLate', ['What?']]);
      await fixture.queueRunner.resume(id);
      await waitForSecondReply();
      assert.deepEqual(getSentTexts(), ['What?', 'And now?']);
    });

    it('pauses the queue again when the service no longer lists the document', async () => {
      assert.equal(await fixture.serviceDocuments.removeDocument(id, getTurn().documentId ?? ''), true);
      assert.deepEqual([find().listed?.documents, getTurn().status], [[], 'syncing']);
      // Its last poll; without a message, no other follows.
      await new Promise((resolve) => setTimeout(resolve, 150));
      await enqueueSecond();
      await fixture.until(() => find().queue?.paused !== undefined);
      assert.equal(find().queue?.paused, 'documentLate');
    });

    it('is sent when the document is ready by now', async () => {
      fixture.service.conversions.finish('plan.md');
      await enqueueSecond();
      await waitForSecondReply();
      assert.deepEqual([getSentTexts(), getTurn().status], [['What?', 'And now?'], 'synced']);
    });
  });

  for (const { how, listingMs } of [
    { how: 'that isn’t listed', listingMs: Number.POSITIVE_INFINITY },
    { how: 'that is still being converted', listingMs: 0 },
  ]) {
    it(`still waits for a document ${how} when that is late in a window that doesn’t run the queue`, async () => {
      await start({ listingMs });
      await enqueue('stopped');
      fixture.chat.writer.putDocument(id, { ...getTurn(), acceptedAt: Date.now() - JUST_OVER_AN_HOUR_MS });
      await fixture.chat.whenSaved(id);
      const other = await fixture.otherWindow();
      await other.chat.openConversation(id);
      const looked = other.until(({ type }) => type === 'documents');
      other.documentStatus.setVisible(new Set([id]));
      await looked;
      await setImmediate();
      await other.chat.queues.whenSettled();
      const { queue, turns } = other.chat.findConversation(id) ?? {};
      assert.deepEqual([queue?.paused, queue?.messages[0]?.documents], ['reopened', [turnId]]);
      assert.deepEqual(findPendingDocuments(turns ?? []), [turnId]);
      await other.close();
    });

    it(`pauses the queue on Resume for a document ${how}, which was late while the queue was paused`, async () => {
      await start({ listingMs });
      await enqueue('stopped');
      fixture.documentStatus.setVisible(new Set([id]));
      await waitForList(1);
      fixture.chat.writer.putDocument(id, { ...getTurn(), acceptedAt: Date.now() - JUST_OVER_AN_HOUR_MS });
      await waitForList(2);
      await fixture.queueRunner.resume(id);
      await fixture.until(() => find().queue?.paused === 'documentLate');
      assert.deepEqual(getSentTexts(), []);
    });
  }

  it('is sent when a document is ready that was uploaded again an hour after its response was lost', async () => {
    await start({ listingMs: 0 });
    fixture.documentStatus.setVisible(new Set([id]));
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
    await upload('lost.md');
    fixture.chat.writer.putDocument(id, { ...getTurn(), acceptedAt: Date.now() - JUST_OVER_AN_HOUR_MS });
    await waitForList(2);
    await fixture.uploads.retry(turnId, async () => true);
    assert.equal(getTurn().state, 'attached');
    await enqueue();
    fixture.service.conversions.finish('lost.md');
    await waitForReply();
    assert.deepEqual(getSentTexts(), ['What?']);
  });

  it('still waits for the others when one of its documents is late', async () => {
    await start({ listingMs: 0 });
    const late = { ...getTurn(), id: 'late', documentId: 'x', acceptedAt: Date.now() - JUST_OVER_AN_HOUR_MS };
    fixture.chat.writer.putDocument(id, { ...late, status: 'syncing' });
    await fixture.chat.queues.change(id, () => [
      { id: 'm1', text: 'What?', context: [], documents: [turnId, 'late'] },
    ]);
    await fixture.until(() => find().queue?.paused !== undefined);
    await fixture.chat.queues.whenSettled();
    assert.deepEqual(
      [find().queue?.paused, find().queue?.messages[0]?.documents],
      ['documentLate', [turnId]],
    );
  });

  it('is not waited for while the queue is paused', async () => {
    await start({ listingMs: 0 });
    fixture.service.inject({ name: 'slow', on: LIST, delayMs: 5000 });
    await enqueue();
    await fixture.service.waitForRequest(({ path }) => path.includes('/documents?'));
    fixture.chat.queues.pause(id, 'stopped');
    await fixture.service.waitForRequest(
      ({ path, aborted }) => path.includes('/documents?') && aborted === true,
    );
  });

  it('waits for the newer version of a document that couldn’t be converted, when the queue is resumed', async () => {
    await start({ listingMs: 0 });
    await enqueue();
    fixture.service.conversions.finish('plan.md', 'sync_failed');
    await fixture.until(() => find().queue?.paused === 'documentFailed');
    assert.equal(await fixture.uploads.repeat(id, turnId), true);
    await fixture.queueRunner.resume(id);
    await waitForList(2);
    assert.deepEqual(getSentTexts(), []);
    fixture.service.conversions.finish('plan.md');
    await waitForReply();
    assert.deepEqual(getSentTexts(), ['What?']);
  });

  it('waits for the newest version when the second one couldn’t be converted either, and for no removed document', async () => {
    await start({ listingMs: 0 });
    fixture.documentStatus.setVisible(new Set([id]));
    await fixture.chat.queues.change(id, () => [
      { id: 'm1', text: 'What?', context: [], documents: ['removed', turnId] },
    ]);
    for (const replacement of ['second', 'third']) {
      fixture.service.conversions.finish('plan.md', 'sync_failed');
      await fixture.until(() => getTurn().status === 'sync_failed');
      assert.equal(await fixture.uploads.repeat(id, turnId), true, replacement);
      turnId = find().turns.at(-1)?.id ?? assert.fail();
    }
    await fixture.queueRunner.resume(id);
    assert.deepEqual(find().queue?.messages[0]?.documents, [turnId]);
    assert.deepEqual(getSentTexts(), []);
    fixture.service.conversions.finish('plan.md');
    await waitForReply();
    assert.deepEqual(getSentTexts(), ['What?']);
  });

  it('follows the versions of the document that couldn’t be uploaded at first, and of no other one', async () => {
    await start({ listingMs: 0 });
    const put = (about: Partial<DocumentTurn>) =>
      fixture.chat.writer.putDocument(id, { ...getTurn(), id: `v${find().turns.length}`, ...about });
    const other = turnId;
    put({ status: 'sync_failed' });
    put({ state: 'failed', replaces: 'v1' });
    put({ state: 'attached', status: 'syncing', replaces: 'v1' });
    await fixture.chat.queues.change(
      id,
      () => [{ id: 'm1', text: 'What?', context: [], documents: [other, 'v1'] }],
      'stopped',
    );
    await fixture.queueRunner.resume(id);
    assert.deepEqual(find().queue?.messages[0]?.documents, [other, 'v3']);
  });

  it('pauses the queue when a document from elsewhere couldn’t be converted, and then waits for the others', async () => {
    await start({ listingMs: 0 });
    const list = (pending: string) =>
      fixture.chat.documents.setListed(id, {
        documents: [
          { id: 'd1', name: 'a.md', status: 'sync_failed' },
          { id: 'd2', name: 'b.md', status: pending },
        ],
        canRemove: false,
      });
    list('syncing');
    fixture.documentStatus.dispose();
    await fixture.chat.queues.change(id, () => [
      { id: 'm1', text: 'What?', context: [], serviceDocuments: ['d1', 'd2'] },
    ]);
    await fixture.until(() => find().queue?.paused !== undefined);
    assert.equal(find().queue?.paused, 'documentFailed');
    await fixture.queueRunner.resume(id);
    assert.deepEqual(find().queue?.messages[0]?.serviceDocuments, ['d2']);
    assert.deepEqual(getSentTexts(), []);
    list('synced');
    await waitForReply();
    assert.deepEqual(getSentTexts(), ['What?']);
  });

  it('is sent without waiting when the service reports a status once, but has no list', async () => {
    await start({ profile: 'lenient', empty: ['GET /documents'] });
    assert.equal(getTurn().status, 'syncing');
    await enqueue();
    await waitForReply();
    assert.deepEqual([getSentTexts(), getTurn().status], [['What?'], undefined]);
    const lists = fixture.service.requests.filter(({ path }) => path.includes('/documents?'));
    assert.equal(lists.length, 2);
  });

  it('does not count the time before the document was accepted', async () => {
    await start({ listingMs: 0 });
    fixture.chat.writer.putDocument(id, { ...getTurn(), at: Date.now() - JUST_OVER_AN_HOUR_MS });
    await enqueue();
    await waitForList(3);
    assert.equal(find().queue?.paused, undefined);
    fixture.service.conversions.finish('plan.md');
    await waitForReply();
  });

  it('behind another message still waits for a document from elsewhere that was added just now', async () => {
    await start({ listingMs: 0 });
    const documentId = [...fixture.service.documents.values()].at(-1)?.id ?? assert.fail();
    fixture.chat.writer.removeDocument(id, getTurn());
    // Sends nothing, so that the first message stays.
    fixture.queueRunner.dispose();
    await fixture.chat.queues.change(id, () => [
      { id: 'm1', text: 'Hi', context: [] },
      { id: 'm2', text: 'What?', context: [], serviceDocuments: [documentId] },
    ]);
    await waitForList(3);
    assert.deepEqual(
      [find().queue?.paused, find().queue?.messages[1]?.serviceDocuments],
      [undefined, [documentId]],
    );
  });

  it('pauses the queue when a document from elsewhere isn’t ready within an hour', async () => {
    let now = Date.now();
    await start({ listingMs: 0, now: () => now });
    const { remote } = find();
    const other = await fixture.otherMachine();
    const { id: otherId } = other.newConversation();
    if (remote) other.chat.update(otherId, { remote });
    const open = () => openBytes(new TextEncoder().encode('text'));
    now -= JUST_OVER_AN_HOUR_MS;
    const file = {
      name: 'other.md',
      contentType: 'text/markdown',
      opened: open(),
      reopen: async () => open(),
    };
    await other.uploads.add(otherId, confirmed(file)).finished;
    await other.close();
    const documentId = [...fixture.service.documents.values()].at(-1)?.id ?? '';
    await fixture.chat.queues.change(id, () => [
      { id: 'm1', text: 'What?', context: [], serviceDocuments: [documentId] },
    ]);
    await fixture.until(() => find().queue?.paused !== undefined);
    assert.equal(find().queue?.paused, 'documentLate');
    await fixture.queueRunner.resume(id);
    await waitForReply();
  });

  it('pauses the queue an hour after a document from elsewhere was first listed if the service omits its time', async () => {
    await start({ listingMs: 0, omit: ['document.created_at'] });
    const documentId = [...fixture.service.documents.values()].at(-1)?.id ?? assert.fail();
    fixture.chat.writer.removeDocument(id, getTurn());
    fixture.documentStatus.setVisible(new Set([id]));
    await fixture.until(() => find().listed?.documents[0]?.status === 'syncing');
    await fixture.chat.queues.change(id, () => [
      { id: 'm1', text: 'What?', context: [], serviceDocuments: [documentId] },
    ]);
    await waitForList(3);
    assert.equal(find().queue?.paused, undefined);
    fixture.connect().client.clock.toServiceTime = (ms) => ms + JUST_OVER_AN_HOUR_MS;
    await fixture.until(() => find().queue?.paused !== undefined);
    assert.equal(find().queue?.paused, 'documentLate');
  });
});
