import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentStatus } from '../../../src/chat/documents/documentStatus';
import { matchDocuments } from '../../../src/chat/documents/matchDocuments';
import type { DocumentTurn } from '../../../src/chat/model/turn';
import { openBytes } from '../../../src/host/platform/openBytes';
import type { LocalServiceOptions } from '../../service/localService';
import { type ChatFixture, startChat } from '../support/chatFixture';
import { confirmed } from '../support/confirmed';

const NEVER_CONVERTED = { listingMs: Number.POSITIVE_INFINITY, conversionMs: Number.POSITIVE_INFINITY };

describe('Document accepted without an id', () => {
  let fixture: ChatFixture;
  let status: DocumentStatus;

  const start = async (options: LocalServiceOptions) => {
    fixture = await startChat(options);
    const pauses = { firstMs: 20, maxMs: 40, minListAgeMs: 30_000 };
    status = new DocumentStatus(fixture.chat, fixture.remote, fixture.connect, pauses);
  };
  afterEach(async () => {
    status.dispose();
    await fixture.close();
  });

  const createFile = (name = 'a.txt') => {
    const open = () => openBytes(new TextEncoder().encode('text'));
    return confirmed({ name, contentType: 'text/plain', opened: open(), reopen: async () => open() });
  };
  const upload = (id: string, name?: string) => fixture.uploads.add(id, createFile(name));
  const find = (id: string, turnId: string) =>
    fixture.chat.findConversation(id)?.turns.find((turn): turn is DocumentTurn => turn.id === turnId);
  const waitForTurn = (turnId: string, fits: (turn: DocumentTurn) => boolean) =>
    fixture.until(
      (event) =>
        event.type === 'turn' &&
        event.turn.id === turnId &&
        event.turn.kind === 'document' &&
        fits(event.turn),
    );
  const countRegistrations = () =>
    fixture.service.requests.filter(({ method, path }) => method === 'POST' && /documents\/file$/.test(path))
      .length;
  /** Registers a document on the service, with a lost response. */
  const loseResponse = () =>
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 500 });
  /** Adds another client's document to the same conversation. */
  const register = async (conversationId: string, name: string) => {
    const { client } = fixture.connect();
    const { url, key } = await client.createSignedUpload({ fileName: name, contentType: 'text/plain' });
    const file = { size: 4, open: () => new Blob(['text']) };
    await client.putFile({ url, contentType: 'text/plain', file });
    await client.createDocument({ key, conversationId, fileName: name });
  };
  const failIfAsked = async () => assert.fail('nobody should be asked');

  it('counts as there before the service lists it', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    const { turnId, finished } = upload(id);
    await finished;
    status.setVisible(new Set([id]));
    await fixture.until(({ type }) => type === 'documents');
    assert.deepEqual(fixture.chat.findConversation(id)?.listed?.documents, []);
    assert.equal((await fixture.uploads.findEarlier(id, createFile()))?.id, turnId);
  });

  it('is added as pending after an empty response, and followed under the id in the list', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    status.setVisible(new Set([id]));
    const { turnId, finished } = upload(id);
    await finished;
    const accepted = find(id, turnId);
    assert.deepEqual(
      [accepted?.state, accepted?.status, accepted?.documentId],
      ['attached', 'pending', undefined],
    );
    const [document] = fixture.service.conversions.pending;
    assert.ok(document);
    fixture.service.conversions.list('a.txt');
    await waitForTurn(turnId, (turn) => turn.documentId === document.id && turn.status === 'syncing');
    fixture.service.conversions.finish('a.txt');
    await waitForTurn(turnId, (turn) => turn.status === 'synced');
    assert.equal(countRegistrations(), 1);
  });

  it('gets its own id although another document has its name', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    const first = upload(id);
    await first.finished;
    const second = upload(id);
    await second.finished;
    const ids = fixture.service.conversions.pending.map((document) => document.id);
    status.setVisible(new Set([id]));
    fixture.service.conversions.finish('a.txt');
    await waitForTurn(first.turnId, (turn) => turn.status === 'synced');
    assert.equal(find(id, second.turnId)?.status, 'pending');
    fixture.service.conversions.finish('a.txt', 'sync_failed');
    await waitForTurn(second.turnId, (turn) => turn.status === 'sync_failed');
    assert.deepEqual([find(id, first.turnId)?.documentId, find(id, second.turnId)?.documentId], ids);
  });

  it('is added without a status when the service has no list', async () => {
    for (const options of [
      { profile: 'minimal' },
      { profile: 'hosted', missing: ['GET /documents'] },
    ] as const) {
      await start(options);
      const { id } = fixture.newConversation();
      const { turnId, finished } = upload(id);
      await finished;
      assert.equal(find(id, turnId)?.state, 'attached');
      status.setVisible(new Set([id]));
      await waitForTurn(turnId, (turn) => turn.state === 'attached' && turn.status === undefined);
      status.dispose();
      await fixture.close();
    }
    await start({});
  });

  it('is no longer polled when it is never listed, and is then added without a status', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    const { turnId, finished } = upload(id);
    await finished;
    const turn = find(id, turnId);
    assert.ok(turn);
    fixture.chat.writer.putDocument(id, { ...turn, acceptedAt: Date.now() - 61 * 60_000 });
    status.setVisible(new Set([id]));
    await waitForTurn(turnId, (each) => each.state === 'attached' && each.status === undefined);
  });

  it('is found on Retry after a lost response and not registered again', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    await upload(id, 'first.txt').finished;
    loseResponse();
    const { turnId, finished } = upload(id);
    await finished;
    const failed = find(id, turnId);
    assert.deepEqual(
      [failed?.state, failed?.failedAt, failed?.failure?.maySend],
      ['failed', 'registering', false],
    );
    await register(fixture.chat.findConversation(id)?.remote?.id ?? '', 'a.txt');
    fixture.service.conversions.list('a.txt');
    await fixture.uploads.retry(turnId, failIfAsked);
    const found = find(id, turnId);
    assert.deepEqual([found?.state, found?.status, found?.failure], ['attached', 'syncing', undefined]);
    assert.ok(found?.documentId);
    assert.equal(fixture.service.documents.size, 2);
  });

  it('is registered again after a lost response only when the user confirms', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    loseResponse();
    const { turnId, finished } = upload(id);
    await finished;
    await fixture.uploads.retry(turnId, async () => false);
    assert.deepEqual([find(id, turnId)?.state, countRegistrations()], ['failed', 1]);
    await fixture.uploads.retry(turnId, async ({ name }) => name === 'a.txt');
    assert.deepEqual([find(id, turnId)?.state, countRegistrations()], ['attached', 2]);
    assert.equal(fixture.service.documents.size, 1);
  });

  describe('whose response was lost', () => {
    let id: string;
    let turnId: string;
    beforeEach(async () => {
      await start({ profile: 'hosted', ...NEVER_CONVERTED });
      ({ id } = fixture.newConversation());
      loseResponse();
      const added = upload(id);
      ({ turnId } = added);
      await added.finished;
    });

    it('is looked up and asked about once when Retry is chosen twice', async () => {
      let asked = 0;
      const retry = () => fixture.uploads.retry(turnId, async () => ++asked > 0);
      await Promise.all([retry(), retry()]);
      assert.deepEqual([asked, countRegistrations(), fixture.service.documents.size], [1, 2, 1]);
    });

    it('is not registered again when the list has it while the user is asked', async () => {
      await fixture.uploads.retry(turnId, async () => {
        await register(fixture.chat.findConversation(id)?.remote?.id ?? '', 'a.txt');
        fixture.service.conversions.finish('a.txt');
        status.setVisible(new Set([id]));
        await waitForTurn(turnId, ({ state }) => state === 'attached');
        return true;
      });
      assert.deepEqual([find(id, turnId)?.status, fixture.service.documents.size], ['synced', 1]);
      assert.equal(await fixture.uploads.attachIfFound(id, turnId), true);
    });

    it('is not registered again when it was removed while it was looked up', async () => {
      fixture.service.inject({ name: 'slow', on: 'GET /documents', delayMs: 20 });
      const retried = fixture.uploads.retry(turnId, failIfAsked);
      fixture.chat.writer.removeDocument(id, find(id, turnId) ?? assert.fail());
      await retried;
      assert.deepEqual([find(id, turnId), countRegistrations()], [undefined, 1]);
    });

    it('is asked about when it can’t be looked up', async () => {
      const { uploads, service } = fixture;
      const isAsked = async () => {
        let asked = false;
        await uploads.retry(turnId, async () => {
          asked = true;
          return false;
        });
        return asked;
      };
      service.inject({ name: 'status', on: 'GET /documents', status: 500 });
      assert.equal(await isAsked(), true);
      service.inject({ name: 'empty-200', on: 'GET /documents' });
      assert.equal(await isAsked(), true);
      await register(fixture.chat.findConversation(id)?.remote?.id ?? '', 'a.txt');
      service.conversions.list('a.txt');
      const count = service.requests.length;
      fixture.useBaseUrl(service.baseUrl.replace('127.0.0.1', 'localhost'));
      assert.equal(await isAsked(), true);
      assert.equal(service.requests.length, count);
      fixture.useBaseUrl(service.baseUrl);
      fixture.connect().client.listDocuments = () => {
        throw new TypeError('Bug');
      };
      await assert.rejects(isAsked(), TypeError);
    });
  });

  it('is registered again without confirmation when the service refused it', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    fixture.service.inject({ name: 'status', on: 'POST /documents/file', status: 403 });
    const { turnId, finished } = upload(id);
    await finished;
    await fixture.uploads.retry(turnId, failIfAsked);
    assert.equal(find(id, turnId)?.state, 'attached');
  });

  it('appears in the list although its response was lost', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    await upload(id, 'first.txt').finished;
    loseResponse();
    const { turnId, finished } = upload(id);
    await finished;
    await register(fixture.chat.findConversation(id)?.remote?.id ?? '', 'a.txt');
    fixture.service.conversions.finish('a.txt');
    status.setVisible(new Set([id]));
    await waitForTurn(turnId, (turn) => turn.state === 'attached' && turn.status === 'synced');
  });

  it('gets its status in other conversations after one was deleted on the service', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    await upload(id).finished;
    await fixture.connect().client.deleteConversation(fixture.chat.findConversation(id)?.remote?.id ?? '');
    status.setVisible(new Set([id]));
    await fixture.until(
      ({ type }) => type === 'changed' && fixture.chat.findConversation(id)?.remote?.gone === true,
    );
    const other = fixture.newConversation();
    status.setVisible(new Set([other.id]));
    const { turnId, finished } = upload(other.id);
    await finished;
    fixture.service.conversions.finish('a.txt');
    await waitForTurn(turnId, (turn) => turn.status === 'synced');
  });

  it('gets its status once the service has its conversation again', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED });
    const { id } = fixture.newConversation();
    const { turnId, finished } = upload(id);
    await finished;
    const remote = fixture.chat.findConversation(id)?.remote ?? assert.fail();
    fixture.chat.update(id, { remote: { ...remote, gone: true } });
    status.setVisible(new Set([id]));
    // Whatever was scheduled for now has run.
    await sleep(1);
    fixture.service.conversions.finish('a.txt');
    await fixture.remote.checkGone(id, new AbortController().signal);
    await waitForTurn(turnId, (turn) => turn.status === 'synced');
  });

  it('waits while too many documents are being converted, shows until when, and is then added', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED, maxConversions: 1 });
    const { id } = fixture.newConversation();
    await upload(id, 'first.txt').finished;
    const { turnId, finished } = upload(id);
    await waitForTurn(turnId, ({ waitsUntil }) => waitsUntil !== undefined);
    fixture.service.conversions.finish('first.txt');
    await finished;
    assert.deepEqual([find(id, turnId)?.state, fixture.service.documents.size], ['attached', 2]);
  });

  it('waits before the rate limit is used up, shows until when, and is never refused', async () => {
    await start({ profile: 'hosted', ...NEVER_CONVERTED, requestsPerMinute: 7 });
    const { id } = fixture.newConversation();
    await upload(id, 'first.txt').finished;
    const added = ['b.txt', 'c.txt', 'd.txt'].map((name) => upload(id, name));
    for (const { turnId } of added) await waitForTurn(turnId, ({ waitsUntil }) => waitsUntil !== undefined);
    for (const { turnId } of added) fixture.uploads.cancel(turnId);
    await Promise.all(added.map(({ finished }) => finished));
    const refused = added.filter(({ turnId }) => find(id, turnId)?.failure !== undefined);
    const asked = fixture.service.requests.filter(({ path }) => path.includes('/api/v1/'));
    assert.deepEqual([refused.length, asked.length <= 7], [0, true]);
  });
});

describe('matchDocuments', () => {
  const turn = (id: string, about: Partial<DocumentTurn> = {}): DocumentTurn => ({
    kind: 'document',
    id,
    name: 'a.txt',
    size: 1,
    sent: 1,
    at: 100_000,
    acceptedAt: 100_000,
    state: 'attached',
    ...about,
  });
  const matches = (turns: DocumentTurn[], documents: { id: string; name?: string; createdAt?: number }[]) =>
    [
      ...matchDocuments(
        turns,
        documents.map((each) => ({ name: 'a.txt', ...each })),
      ),
    ].map(([turnId, { id }]) => [turnId, id]);

  it('ignores documents with another name, older ones, and those of other turns', () => {
    const documents = [
      { id: 'd1', createdAt: 94 },
      { id: 'd2', name: 'b.txt', createdAt: 101 },
      { id: 'd3', createdAt: 101 },
    ];
    assert.deepEqual(matches([turn('t1'), turn('t2', { documentId: 'd3' })], documents), []);
    assert.deepEqual(matches([turn('t1')], documents), [['t1', 'd3']]);
  });

  it('matches documents with the same name in the order of their times, however they are listed', () => {
    const turns = [turn('t2', { acceptedAt: 110_000 }), turn('t1')];
    const documents = [
      { id: 'd2', createdAt: 112 },
      { id: 'd1', createdAt: 101 },
    ];
    assert.deepEqual(matches(turns, documents), [
      ['t1', 'd1'],
      ['t2', 'd2'],
    ]);
  });

  it('prefers the accepted upload to one with the same name whose response was lost', () => {
    const turns = [turn('lost', { state: 'failed' }), turn('accepted', { acceptedAt: 110_000 })];
    const [own, other] = [
      { id: 'd2', createdAt: 111 },
      { id: 'd1', createdAt: 101 },
    ];
    assert.deepEqual(matches(turns, [own]), [['accepted', 'd2']]);
    assert.deepEqual(matches(turns, [own, other]), [
      ['lost', 'd1'],
      ['accepted', 'd2'],
    ]);
  });

  it('matches a document without a time by its normalized name', () => {
    assert.deepEqual(matches([turn('t1', { name: 'ü.txt' })], [{ id: 'd1', name: 'u\u0308.txt' }]), [
      ['t1', 'd1'],
    ]);
  });

  it('matches uploads of the same seconds in their order, whatever the order of the lists', () => {
    const [early, late] = [turn('t1'), turn('t2', { acceptedAt: 102_000 })];
    const [first, second] = [
      { id: 'd1', createdAt: 101 },
      { id: 'd2', createdAt: 103 },
    ];
    for (const turns of [
      [early, late],
      [late, early],
    ])
      for (const documents of [
        [first, second],
        [second, first],
      ])
        assert.deepEqual(Object.fromEntries(matches(turns, documents)), { t1: 'd1', t2: 'd2' });
  });

  it('matches a document without a name by its time, at most five seconds before, also after Cancel', () => {
    const cancelled = turn('t1', { state: 'cancelled' });
    assert.deepEqual(matches([cancelled], [{ id: 'd1', name: '', createdAt: 95 }]), [['t1', 'd1']]);
    assert.deepEqual(matches([cancelled], [{ id: 'd1', name: '', createdAt: 94 }]), []);
    assert.deepEqual(matches([turn('t1', { state: 'failed', documentId: 'd2' })], [{ id: 'd1' }]), []);
  });

  it('ignores uploads in progress and those that the service refused', () => {
    const { acceptedAt: _, ...refused } = turn('t2', { state: 'failed' });
    assert.deepEqual(
      matches([turn('t1', { state: 'registering' }), refused], [{ id: 'd1', createdAt: 101 }]),
      [],
    );
  });
});
